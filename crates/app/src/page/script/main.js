// The page: what the server tells of, asked again and again, and what is being chosen.

import { columnParts } from "./columns.js";
import { showCompare, updateCompare } from "./compare.js";
import { draft, loadDraft, onChange } from "./draft.js";
import { knowledgeParts } from "./knowledge.js";
import { element } from "./making.js";
import { attempt } from "./message.js";
import { showOpened } from "./opened.js";
import { readingFields } from "./reading.js";
import { redraw } from "./redraw.js";
import { showRuns, updateRuns } from "./runs.js";
import { get, post } from "./server.js";
import { settingsParts } from "./settings.js";
import { showTables, updateTables } from "./tables.js";

/** Milliseconds between two questions while a run works, and else. */
const [OFTEN, SELDOM] = [400, 2000];
const trouble = document.getElementById("trouble");
const part = (name) => document.querySelector(`#${name} > .body`);
let choices = null;
/** The table that is chosen, as the server reads it; which question that answers, and whether it was refused. */
let seen = null;
let asked = "";
let opened = Number(/^#run=(\d+)$/.exec(location.hash)?.[1] ?? 0);
let asking = null;

async function begin() {
  choices = await get("/api/choices");
  await loadDraft();
  document.getElementById("folder").textContent = `oslow ${choices.version} works in ${choices.folder}`;
  showTables(choices, part("table"));
  showRuns(part("runs"));
  showCompare(part("compare"));
  onChange(draw);
  draw();
  ask();
}

/** Asks how the runs stand, and asks again after a while. */
async function ask() {
  clearTimeout(asking);
  const state = await attempt(trouble, () => get("/api/state"));
  if (state) {
    updateTables(state.tables);
    updateRuns(state.runs, opened, open);
    updateCompare(state.runs);
    showOpened(state.runs.find((run) => run.id === opened), choices.folder);
  }
  const works = state?.runs.some((run) => ["running", "waiting"].includes(run.stage));
  asking = setTimeout(ask, works ? OFTEN : SELDOM);
}

async function open(id) {
  opened = id;
  history.replaceState(null, "", `#run=${id}`);
  await ask();
  const heading = document.getElementById("opened-heading");
  heading.scrollIntoView();
  heading.focus({ preventScroll: true });
}

/** Draws what is being chosen, and looks at the table again if it is another or read otherwise. */
async function draw() {
  for (const name of ["columns", "knowledge", "settings"]) document.getElementById(name).hidden = draft.data === null;
  if (draft.data === null) return;
  const question = JSON.stringify({ data: draft.data, read: { ...draft.read, types: Object.fromEntries(draft.types) } });
  if (question !== asked) {
    asked = question;
    seen = null;
    redraw(part("columns"), [readingFields(), element("p", {}, "Reading the table …")]);
    const place = element("div", { role: "alert" });
    const told = await attempt(place, () => post("/api/look", JSON.parse(question)));
    if (question !== asked) return;
    seen = told;
    if (!seen) redraw(part("columns"), [place, readingFields()]);
  }
  for (const name of ["knowledge", "settings"]) document.getElementById(name).hidden = seen === null;
  if (!seen) return;
  redraw(part("columns"), [...columnParts(seen), readingFields()]);
  redraw(part("knowledge"), knowledgeParts(seen));
  redraw(part("settings"), settingsParts(seen, choices, started));
}

async function started(id) {
  await ask();
  document.getElementById(`run-${id}`)?.scrollIntoView({ block: "center" });
}

attempt(trouble, begin);
