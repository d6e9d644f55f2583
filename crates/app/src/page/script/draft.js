// What is being chosen. The server keeps it, so that it outlives the browser.

import { attempt } from "./message.js";
import { get, post } from "./server.js";

/** What is chosen of a table. Beside it stands the run that is opened, whatever its table. */
const empty = { data: null, read: {}, leftOut: [], types: [], tiers: [], required: [], forbidden: [], settings: {} };

export let draft = structuredClone(empty);
const listeners = [];
let saving = null;

export function onChange(listener) {
  listeners.push(listener);
}

export async function loadDraft() {
  draft = { opened: null, ...structuredClone(empty), ...(await get("/api/draft")) };
}

/** Changes some of it. */
export function change(part) {
  keep(part);
  listeners.forEach((listener) => listener());
}

/** Changes what nothing else on the page depends on. */
export function keep(part) {
  draft = { ...draft, ...part };
  clearTimeout(saving);
  saving = setTimeout(save, 150);
}

function save(options) {
  saving = null;
  attempt(document.getElementById("trouble"), () => post("/api/draft", draft, options));
}

// A page that is left or reloaded does not wait.
addEventListener("pagehide", () => {
  if (saving === null) return;
  clearTimeout(saving);
  save({ keepalive: true });
});

/** Begins with another table. */
export function choose(data) {
  change({ ...structuredClone(empty), data });
}

/** The columns that are taken, of those that the table has. */
export function taken(seen) {
  return seen.columns.map((column) => column.name).filter((name) => !draft.leftOut.includes(name));
}

/** The same as a configuration file has it. */
export function configuration(seen) {
  const names = taken(seen);
  const { missing, ...others } = draft.settings;
  const read = { ...draft.read };
  if (names.length < seen.columns.length) read.columns = names;
  if (draft.types.length) read.types = Object.fromEntries(draft.types.filter(([name]) => names.includes(name)));
  if (missing) read.missing = missing;
  const known = knowledge(names);
  const config = { data: draft.data, ...others };
  if (Object.keys(read).length) config.read = read;
  if (Object.keys(known).length) config.knowledge = known;
  return config;
}

/** What is known of these columns. */
function knowledge(names) {
  const both = (pair) => pair.every((name) => names.includes(name));
  const known = {
    tiers: draft.tiers.map((tier) => tier.filter((name) => names.includes(name))).filter((tier) => tier.length),
    required: draft.required.filter(both),
    forbidden: draft.forbidden.filter(both),
  };
  return Object.fromEntries(Object.entries(known).filter(([, list]) => list.length));
}
