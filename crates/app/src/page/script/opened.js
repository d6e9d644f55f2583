// One run: its report, what would happen if, and how to take it away.

import { element, note, paragraph } from "./making.js";
import { attempt, troublePlace } from "./message.js";
import { get } from "./server.js";
import { whatIf } from "./what_if.js";

const trouble = troublePlace();
let shown = "";

/** Shows a run as it is now; nothing is drawn again that is the same. */
export async function showOpened(run, folder) {
  const section = document.getElementById("opened");
  section.hidden = !run?.answer;
  const now = run?.answer ? `${run.id} ${run.stage} ${JSON.stringify(run.answer)}` : "";
  if (now === shown) return;
  shown = now;
  if (!now) return;
  const [heading, place] = [section.querySelector("h2"), section.querySelector(".body")];
  heading.textContent = run.stage === "finished" ? `Run ${run.id}` : `Run ${run.id}, not finished`;
  const address = `/runs/${run.id}/report.html`;
  const frame = element("iframe", { class: "report", src: address, sandbox: "allow-scripts allow-downloads", title: `Report of run ${run.id}` });
  const effects = element("div", {});
  place.replaceChildren(frame,
    element("p", {}, element("a", { href: address, target: "_blank", rel: "noopener" }, "Open the report in a tab of its own")),
    trouble, effects, ...exported(run, folder));
  const evidence = await attempt(trouble, () => get(`/runs/${run.id}/evidence.json`));
  const found = await attempt(trouble, () => get(`/runs/${run.id}/run.json`));
  if (evidence && found && shown === now) effects.replaceChildren(...whatIf(run, found, evidence));
}

/** Where the run is, and what repeats it. */
function exported(run, folder) {
  const lines = [`oslow discover --config runs/${run.id}/config.toml --out again`, `oslow report runs/${run.id}`];
  return [
    element("h3", {}, "Take it with you"),
    paragraph("The run is a folder. It holds the report, the graph as a picture and for other programs, the result as JSON and CSV, and every setting."),
    element("pre", { class: "place" }, `${folder}/runs/${run.id}`),
    element("p", {}, element("a", { href: `/runs/${run.id}/run.zip`, download: `run-${run.id}.zip` }, "Download the run folder")),
    paragraph("These commands repeat it, and write its report again, where they are started in the folder of this page:"),
    element("pre", { class: "commands" }, [`cd ${quoted(folder)}`, ...lines].join("\n")),
    note("The repeated run has the same bytes in all its files, except for the seconds that it took."),
  ];
}

/** A path as a shell takes it. */
function quoted(path) {
  return /^[\w./:+=-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
