// The page: what the server tells of, asked again and again, and what is being chosen.

import { columnParts } from "./columns.js";
import { showCompare, updateCompare } from "./compare.js";
import { draft, keep, loadDraft, onChange } from "./draft.js";
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
/** What the settings were drawn for. */
let set = null;
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
    updateRuns(state.runs, draft.opened, open, ask);
    updateCompare(state.runs);
    showOpened(state.runs.find((run) => run.id === draft.opened), choices.folder);
  }
  const works = state?.runs.some((run) => ["running", "waiting"].includes(run.stage));
  asking = setTimeout(ask, works ? OFTEN : SELDOM);
}

async function open(id) {
  keep({ opened: id });
  await ask();
  const heading = document.getElementById("opened-heading");
  heading.scrollIntoView();
  heading.focus({ preventScroll: true });
}

/** Draws what is being chosen, and looks at the table again if it is another or read otherwise. */
async function draw() {
  if (draft.data === null) return;
  const question = JSON.stringify({ data: draft.data, read: { ...draft.read, types: Object.fromEntries(draft.types) } });
  if (question !== asked) {
    asked = question;
    seen = null;
    reveal();
    redraw(part("columns"), [element("p", {}, "Reading the table …"), readingFields(false)]);
    const place = element("div", { role: "alert" });
    const told = await attempt(place, () => post("/api/look", JSON.parse(question)));
    if (question !== asked) return;
    seen = told;
    reveal();
    if (!seen) redraw(part("columns"), [place, readingFields(true)]);
  }
  if (!seen) return;
  redraw(part("columns"), [...columnParts(seen), readingFields(false)]);
  redraw(part("knowledge"), knowledgeParts(seen));
  // Drawn once per table: a button that is replaced while it is pressed is not clicked.
  if (set === seen) return;
  set = seen;
  redraw(part("settings"), settingsParts(seen, choices, started));
}

/** Shows the parts that there is something for. */
function reveal() {
  document.getElementById("columns").hidden = false;
  for (const name of ["knowledge", "settings"]) document.getElementById(name).hidden = seen === null;
}

async function started(id) {
  await ask();
  document.getElementById(`run-${id}`)?.scrollIntoView({ block: "center" });
}

attempt(trouble, begin);
