// The local page in a browser: `node --test`, with OSLOW_PROGRAM and OSLOW_CHROMIUM naming the two programs.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

// The packages lie where the tests are started, not beside them.
const require = createRequire(join(process.cwd(), "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const folder = mkdtempSync(join(tmpdir(), "oslow-app-"));
const home = join(folder, "home");
const hostile = "<img src=x onerror=alert(1)>";
let browser, app;

before(async () => {
  writeFileSync(join(folder, "growth.csv"), table(["age", "diet", "weight", "glucose"], 400));
  writeFileSync(join(folder, "hostile.csv"), table([`"${hostile}"`, "__proto__", '"<b>c</b>&"'], 200));
  browser = await chromium.launch({ executablePath: process.env.OSLOW_CHROMIUM, args: ["--no-sandbox"] });
  app = await start();
});

after(async () => {
  await browser?.close();
  await app?.end();
  rmSync(folder, { recursive: true });
});

/** The program, and the links that it has printed. */
async function start() {
  const running = spawn(process.env.OSLOW_PROGRAM, ["app", home, "--no-browser", "--quiet"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]();
  const ended = new Promise((done) => running.on("exit", done));
  return {
    link: async () => (await lines.next()).value,
    end: () => running.kill("SIGINT") && ended,
    kill: () => running.kill("SIGKILL") && ended,
  };
}

/** Columns each of which is caused by the one before it. */
function table(names, rows) {
  let state = 7;
  const noise = () => (state = (state * 16807) % 2147483647) / 2147483647 - 0.5;
  const row = () => {
    const values = [];
    names.forEach((_, k) => values.push((k ? Math.sin(2 * values[k - 1]) : 0) + noise()));
    return values.map((value) => value.toFixed(5)).join(",");
  };
  return [names.join(","), ...Array.from({ length: rows }, row)].join("\n") + "\n";
}

/** A page of a browser that was let in, and everything that it complained of or asked of others. */
async function entered(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const heard = { errors: [], foreign: [], dialogs: [] };
  const link = await app.link();
  const origin = new URL(link).origin;
  page.on("console", (message) => message.type() === "error" && heard.errors.push(`${message.text()} ${message.location().url}`));
  page.on("pageerror", (error) => heard.errors.push(error.message));
  page.on("request", (request) => !request.url().startsWith(origin) && !/^(data|blob):/.test(request.url()) && heard.foreign.push(request.url()));
  page.on("dialog", (dialog) => heard.dialogs.push(dialog.message()) && dialog.dismiss());
  await page.goto(link);
  await page.waitForURL(`${origin}/`);
  await page.getByText("Drop a table here").waitFor();
  return { context, page, heard, origin };
}

const silent = { errors: [], foreign: [], dialogs: [] };

/** Lets a file fall on the page. */
async function drop(page, name) {
  const content = readFileSync(join(folder, name), "utf8");
  const data = await page.evaluateHandle(([text, file]) => {
    const made = new DataTransfer();
    made.items.add(new File([text], file, { type: "text/csv" }));
    return made;
  }, [content, name]);
  await page.dispatchEvent("body", "dragover", { dataTransfer: data });
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
  await page.locator(`#table [data-table="tables/${name}"][aria-pressed=true]`).waitFor();
  await page.locator("#settings").getByRole("button", { name: "Start the run" }).waitFor();
}

const run = (page, id) => page.getByRole("article", { name: `Run ${id}`, exact: true });
const stage = (page, id, words) => run(page, id).getByText(words, { exact: true }).waitFor({ timeout: 120_000 });

/** The files of a run; of what it took, the seconds. */
function files(of) {
  const read = (name) => {
    const text = readFileSync(join(of, name), "latin1");
    return text.replaceAll(/"seconds": ?[\d.e+-]+/g, '"seconds":0').replaceAll(/seed (\d+), [\d.]+ s/g, "seed $1, 0 s");
  };
  return Object.fromEntries(readdirSync(of).sort().map((name) => [name, read(name)]));
}

test("a table is dropped, known about, run, watched, stopped, continued, compared, and repeated by the command line", async () => {
  const { context, page, heard } = await entered();
  await drop(page, "growth.csv");
  assert.equal(await page.locator("#columns tbody tr").count(), 4);

  // A tier by dragging, another by the keyboard's way, and a forbidden effect by clicking.
  await page.locator('.chip:has([data-column="age"]) .grip').dragTo(page.locator('.tier[data-tier="1"]'));
  await page.getByRole("group", { name: "Tier 1 (earliest)" }).getByRole("button", { name: "age" }).waitFor();
  await page.getByLabel("Tier of weight").selectOption("tier 2");
  await page.locator('#knowledge [data-column="diet"]').click();
  await page.locator('#knowledge [data-column="glucose"]').click();
  await page.getByText("diet → glucose").waitFor();

  // Many resamples take some seconds.
  await page.getByText("More settings").click();
  await page.getByLabel("Method").selectOption("r2-sort");
  await page.getByLabel("Pruner").selectOption("cam");
  await page.getByLabel("Resamples").fill("12000");
  await page.getByLabel("Seed").fill("3");
  await page.getByRole("button", { name: "Start the run" }).click();
  await stage(page, 1, "is running");
  const bar = run(page, 1).getByRole("progressbar");
  await page.waitForFunction(() => document.querySelector("#run-1 progress")?.value > 0);
  const early = await bar.evaluate((one) => one.value);
  await page.waitForFunction((before) => document.querySelector("#run-1 progress")?.value > before, early);

  await page.getByRole("button", { name: "Stop run 1" }).click();
  await stage(page, 1, "was stopped");
  const stopped = JSON.parse(readFileSync(join(home, "runs/1/run.json"), "utf8"));
  assert.equal(stopped.interrupted, true);
  await page.getByRole("button", { name: "Continue run 1" }).click();
  await stage(page, 1, "is finished");

  // Another, without what is known.
  await page.getByRole("button", { name: "Remove diet → glucose" }).click();
  await page.getByLabel("Tier of age").selectOption("no tier");
  await page.getByLabel("Tier of weight").selectOption("no tier");
  await page.getByLabel("Method").selectOption("");
  await page.getByLabel("Pruner").selectOption("");
  await page.getByLabel("Resamples").fill("");
  await page.getByRole("button", { name: "Start the run" }).click();
  await stage(page, 2, "is finished");

  await page.locator("#compare table").waitFor();
  const rows = await page.locator("#compare tbody tr").allTextContents();
  assert.ok(rows.length >= 3 && rows.some((row) => row.includes("age")), rows.join("\n"));
  assert.match(await page.locator("#compare p").first().textContent(), /links? (is|are) in both/);

  // The report in its frame, and the slider.
  await page.getByRole("button", { name: "Open run 2" }).click();
  const frame = page.frameLocator("#opened iframe");
  await frame.locator("h1").waitFor();
  assert.ok((await frame.locator(".frame [data-from]").count()) >= 3);
  await page.locator("#opened").getByRole("combobox", { name: "Set", exact: true }).selectOption("age");
  await page.getByLabel("and watch").selectOption("diet");
  await page.getByRole("button", { name: "Estimate" }).click();
  const said = page.locator("#opened output");
  await said.waitFor({ timeout: 60_000 });
  const middle = await said.textContent();
  assert.match(middle, /^If age were set to .* the mean of diet would be/);
  await page.getByLabel("Value of age").fill("20");
  assert.notEqual(await said.textContent(), middle);

  // What the page says repeats the run does, byte for byte.
  for (const id of [1, 2]) {
    await page.getByRole("button", { name: `Open run ${id}` }).click();
    await page.locator("#opened h2", { hasText: `Run ${id}` }).waitFor();
    const [, line] = (await page.locator("#opened .commands").textContent()).split("\n");
    const words = line.split(" ");
    assert.equal(words[0], "oslow");
    execFileSync(process.env.OSLOW_PROGRAM, [...words.slice(1, -1), `again-${id}`, "--quiet"], { cwd: home });
    assert.deepEqual(files(join(home, `again-${id}`)), files(join(home, `runs/${id}`)));
  }
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download the run folder" }).click()]);
  assert.equal(download.suggestedFilename(), "run-2.zip");
  assert.ok(readFileSync(await download.path(), "latin1").startsWith("PK\u0003\u0004"));
  const known = readFileSync(join(home, "runs/1/config.toml"), "utf8");
  assert.match(known, /tiers = \[\["age"\], \["weight"\]\]/);
  assert.match(known, /forbidden = \[\["diet", "glucose"\]\]/);
  assert.deepEqual(heard, silent);
  await context.close();
});

test("a killed browser and a killed program lose nothing", async () => {
  const first = await entered();
  await drop(first.page, "growth.csv");
  await first.page.getByLabel("Tier of age").selectOption("tier 1");
  await first.page.getByText("More settings").click();
  await first.page.getByLabel("Method").selectOption("r2-sort");
  await first.page.getByLabel("Pruner").selectOption("cam");
  await first.page.getByLabel("Resamples").fill("20000");
  const made = first.page.waitForResponse((response) => response.url().endsWith("/api/runs"));
  await first.page.getByRole("button", { name: "Start the run" }).click();
  const { id } = await (await made).json();
  await stage(first.page, id, "is running");
  await first.page.waitForFunction((run) => document.querySelector(`#run-${run} progress`)?.value > 0.01, id);
  await first.page.getByLabel("Tier of diet").selectOption("tier 1");
  await first.page.reload();
  for (const name of ["age", "diet"]) {
    assert.equal(await first.page.getByLabel(`Tier of ${name}`).inputValue(), "0", "a reload keeps what was chosen, also just before");
  }
  await first.context.close();

  const second = await entered();
  await stage(second.page, id, "is running");
  assert.equal(await second.page.getByLabel("Tier of age").inputValue(), "0");
  await app.kill();
  await second.page.locator("#trouble").getByText("oslow does not answer.").waitFor();
  await second.context.close();

  app = await start();
  const third = await entered();
  await stage(third.page, id, "was stopped");
  await stage(third.page, 1, "is finished");
  assert.equal(await third.page.getByLabel("Tier of age").inputValue(), "0");
  await third.page.getByRole("button", { name: `Continue run ${id}` }).click();
  await stage(third.page, id, "is running");
  await third.page.getByRole("button", { name: `Stop run ${id}` }).click();
  await stage(third.page, id, "was stopped");

  // It is removed when that is confirmed, and not before.
  const remove = third.page.getByRole("button", { name: `Remove run ${id}` });
  await remove.click();
  assert.deepEqual(third.heard.dialogs, [`Remove run ${id} and all its files? This cannot be undone.`]);
  assert.ok(existsSync(join(home, `runs/${id}`)), "the dialog was dismissed");
  third.page.removeAllListeners("dialog");
  third.page.once("dialog", (dialog) => dialog.accept());
  await remove.click();
  await run(third.page, id).waitFor({ state: "detached" });
  assert.ok(!existsSync(join(home, `runs/${id}`)));
  assert.deepEqual({ ...third.heard, dialogs: [] }, silent);
  await third.context.close();
});

test("a tab without the secret, another host and another site are refused", async () => {
  const { context, page, origin } = await entered();
  const stranger = await browser.newContext();
  const tab = await stranger.newPage();
  assert.equal((await tab.goto(origin)).status(), 403);
  assert.equal((await tab.goto(`${origin}/api/state`)).status(), 403);
  await stranger.close();
  // The same browser, on a page of another site: its requests carry no cookie and are told by their origin.
  const other = await context.newPage();
  await other.route("http://evil.example/", (route) => route.fulfill({ contentType: "text/html", body: `<a id="go" href="${origin}/api/state">go</a>` }));
  await other.goto("http://evil.example/");
  const fetched = await other.evaluate((at) => fetch(`${at}/api/state`, { credentials: "include" }).then((told) => told.status, () => "refused"), origin);
  assert.ok(["refused", 403].includes(fetched), String(fetched));
  const posted = await other.evaluate((at) => fetch(`${at}/api/runs/1/stop`, { method: "POST", mode: "no-cors", credentials: "include", body: "{}" }).then((told) => told.type, () => "refused"), origin);
  assert.ok(["refused", "opaque"].includes(posted), String(posted));
  const [answer] = await Promise.all([other.waitForResponse(`${origin}/api/state`), other.locator("#go").click()]);
  assert.equal(answer.status(), 403);
  const cookies = (await context.cookies()).map((cookie) => `${cookie.name}=${cookie.value}`).join("; ");
  const named = await page.request.get(`${origin}/api/state`, { headers: { Host: "evil.example", Cookie: cookies } });
  assert.equal(named.status(), 403);
  await context.close();
});

test("a wrong table and a table that is too large are refused in one message", async () => {
  const { context, page, heard } = await entered();
  const before = readdirSync(join(home, "tables"));
  writeFileSync(join(folder, "notes.pdf"), "%PDF");
  await page.locator("#file").setInputFiles(join(folder, "notes.pdf"));
  await page.locator("#table [role=alert]").getByText("cannot be read").waitFor();
  await page.evaluate(() => {
    const made = new DataTransfer();
    const file = new File(["a,b\n"], "large.csv");
    Object.defineProperty(file, "size", { value: 2 ** 31 });
    Object.defineProperty(made, "files", { value: [file] });
    const event = new DragEvent("drop", { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], files: [file] } });
    document.body.dispatchEvent(event);
  });
  await page.getByText("The page takes tables of up to 256 MB.").waitFor();
  assert.equal(await page.locator("#table [role=alert] .warning").count(), 1);
  assert.deepEqual(readdirSync(join(home, "tables")), before);
  assert.deepEqual([heard.foreign, heard.dialogs], [[], []]);
  await context.close();
});

test("a table that cannot be read is mended by the fields that the hint names", async () => {
  const { context, page, heard } = await entered();
  const rows = Array.from({ length: 40 }, (_, k) => `${k * k % 17},${k === 1 ? "x" : k * 7 % 13},${k % 2 ? "" : k % 5}`);
  writeFileSync(join(home, "words.csv"), `a,b,c\n${rows.join("\n")}\n`);
  await page.locator('[data-table="words.csv"]').click();
  const told = page.locator("#columns [role=alert]");
  await told.getByText("`x` is not a number").waitFor();
  assert.match(await told.textContent(), /“Types of columns: b=categorical”/);
  assert.ok(await page.locator("#settings").isHidden());
  await page.getByLabel("Types of columns").fill("b=categorical");
  await page.getByLabel("Types of columns").press("Enter");
  await page.getByText("40 rows, 3 columns, 20 missing cells.").waitFor();
  assert.equal(await page.getByLabel("Type of b").inputValue(), "categorical");
  await page.getByRole("button", { name: "Start the run" }).click();
  await page.locator("#settings [role=alert]").getByText("“Missing cells: auto”").waitFor();
  await page.getByLabel("Use c").uncheck();
  await page.locator("#knowledge [data-column=c]").waitFor({ state: "detached" });
  assert.deepEqual([heard.foreign, heard.dialogs], [[], []]);
  await context.close();
});

test("the program leads the browser to its page by a file of its own", async () => {
  // A program that stands for the one that opens files.
  const opener = join(folder, "bin");
  mkdirSync(opener);
  writeFileSync(join(opener, "xdg-open"), `#!/bin/sh\ncp -p "$1" "${folder}/door.html"\n`, { mode: 0o755 });
  const own = join(folder, "own");
  const running = spawn(process.env.OSLOW_PROGRAM, ["app", own, "--quiet"], { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, PATH: `${opener}:${process.env.PATH}` } });
  const ended = new Promise((done) => running.on("exit", done));
  while (!existsSync(join(folder, "door.html")) || !readFileSync(join(folder, "door.html"), "utf8").endsWith("</html>")) await new Promise((done) => setTimeout(done, 20));
  assert.equal(statSync(join(folder, "door.html")).mode & 0o777, 0o600);
  assert.ok(existsSync(join(own, "open.html")));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(own, "open.html")).href);
  await page.getByText("Drop a table here").waitFor();
  assert.ok(!existsSync(join(own, "open.html")), "it is of no use any more");
  await context.close();
  running.kill("SIGINT");
  await ended;
});

test("names are text wherever they are shown", async () => {
  const { context, page, heard } = await entered();
  await drop(page, "hostile.csv");
  await page.locator("#knowledge [data-column]").nth(0).click();
  await page.locator("#knowledge [data-column]").nth(1).click();
  await page.getByLabel(`Tier of ${hostile}`).selectOption("tier 1");
  const made = page.waitForResponse((response) => response.url().endsWith("/api/runs"));
  await page.getByRole("button", { name: "Start the run" }).click();
  const { id } = await (await made).json();
  await stage(page, id, "is finished");
  await page.getByRole("button", { name: `Open run ${id}` }).click();
  await page.frameLocator("#opened iframe").locator("h1").waitFor();
  await page.getByRole("button", { name: "Estimate" }).click();
  await page.locator("#opened output").waitFor({ timeout: 60_000 });
  assert.equal(await page.locator("img, b").count(), 0);
  for (const part of ["#columns", "#knowledge", "#opened"]) assert.ok((await page.locator(part).textContent()).includes(hostile), part);
  assert.deepEqual(heard, silent);
  await context.close();
});

for (const [name, options] of [["light", {}], ["dark", { colorScheme: "dark" }], ["phone", { viewport: { width: 390, height: 844 } }]]) {
  test(`axe finds nothing serious, and nothing scrolls sideways: ${name}`, async () => {
    const { context, page } = await entered(options);
    await drop(page, "growth.csv");
    await page.getByLabel("Tier of age").selectOption("tier 1");
    await page.getByText("More settings").click();
    await page.getByRole("button", { name: "Open run 2" }).click();
    await page.frameLocator("#opened iframe").locator("h1").waitFor();
    await page.getByRole("button", { name: "Estimate" }).click();
    await page.locator("#opened output").waitFor({ timeout: 60_000 });
    if (process.env.OSLOW_PICTURES) await page.screenshot({ path: join(process.env.OSLOW_PICTURES, `app-${name}.png`), fullPage: true });
    const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= seen, `the page is ${wide} wide`);
    // The policy of the page lets no script in but its own; the test's comes by another way.
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run(document, { iframes: false }));
    const serious = found.violations.filter((one) => ["serious", "critical"].includes(one.impact));
    assert.deepEqual(serious.map((one) => [one.id, ...one.nodes.slice(0, 3).map((node) => node.html)]), []);
    await context.close();
  });
}
