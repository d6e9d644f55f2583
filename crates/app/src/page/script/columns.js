// The columns: which are taken, what they hold, what is missing.

import { change, draft } from "./draft.js";
import { checkbox, choice } from "./fields.js";
import { count, element, paragraph, shortened } from "./making.js";

const TYPES = ["continuous", "count", "binary", "ordinal", "categorical"];

export function columnParts(seen) {
  const rows = seen.columns.map((column) => row(column));
  const gaps = seen.columns.reduce((sum, column) => sum + column.missing, 0);
  return [
    paragraph(`${count(seen.rows, "row")}, ${count(seen.columns.length, "column")}, ${gaps ? count(gaps, "missing cell") : "no missing cells"}.`),
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Columns of the table" }, element("table", { class: "seen" },
      element("thead", {}, element("tr", {}, ["Use", "Column", "Type", "Missing", "Levels"].map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, rows))),
    ...(seen.notes.length ? [element("h3", {}, "What you should know"), element("ul", { class: "notes" }, seen.notes.map((text) => element("li", {}, text)))] : []),
  ];
}

function row(column) {
  const { name, kind, missing, levels } = column;
  const use = checkbox(!draft.leftOut.includes(name), (used) => take(name, used), { "aria-label": `Use ${name}` });
  const given = draft.types.find(([other]) => other === name)?.[1] ?? "";
  const types = TYPES.includes(given) || !given ? TYPES : [...TYPES, given];
  const options = [["", `${kind} (detected)`], ...types.map((type) => [type, type])];
  const type = choice(options, given, (value) => setType(name, value), { "aria-label": `Type of ${name}` });
  if (given) type.options[0].textContent = "detected";
  return element("tr", { class: use.checked ? "" : "left-out" },
    element("td", {}, use), element("th", { scope: "row" }, name), element("td", {}, type),
    element("td", { class: missing ? "gaps" : "" }, missing ? String(missing) : "–"),
    element("td", { class: "levels" }, levels.slice(0, 8).map((level) => shortened(level, 24)).join(", "), levels.length > 8 ? ` and ${levels.length - 8} more` : null));
}

function take(name, used) {
  const others = draft.leftOut.filter((other) => other !== name);
  change({ leftOut: used ? others : [...others, name] });
}

function setType(name, value) {
  const others = draft.types.filter(([other]) => other !== name);
  change({ types: value ? [...others, [name, value]] : others });
}
