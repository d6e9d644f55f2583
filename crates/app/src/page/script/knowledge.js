// What is known before: tiers by dragging or by a choice, forbidden and required effects by clicking two columns.

import { change, draft, taken } from "./draft.js";
import { choice } from "./fields.js";
import { element, note, paragraph } from "./making.js";

/** What a click on two columns means. */
let kind = "forbidden";
/** The column that was clicked first. */
let first = null;

export function knowledgeParts(seen) {
  const names = taken(seen);
  if (!names.includes(first)) first = null;
  const tierOf = (name) => draft.tiers.findIndex((tier) => tier.includes(name));
  const most = Math.max(-1, ...names.map(tierOf));
  // One more than there are, so that there is always an empty one to drag into.
  const ranks = Array.from({ length: Math.min(most + 2, names.length) }, (_, rank) => rank);
  const row = (rank, heading) => tier(rank, heading, names.filter((name) => tierOf(name) === rank), ranks);
  return [
    paragraph("A column never causes a column in a tier above its own. Drag columns into tiers, or choose the tier beside the name."),
    element("div", { class: "tiers" }, row(-1, "No tier"), ranks.map((rank) => row(rank, rank ? `Tier ${rank + 1}` : "Tier 1 (earliest)"))),
    pairChooser(),
    element("p", { role: "status", class: "note-text" }, first === null ? "" : `${first} → … Now click the effect.`),
    pairs(names),
  ];
}

function tier(rank, heading, names, ranks) {
  const row = element("div", {
    class: "tier", role: "group", "aria-label": heading, "data-tier": rank + 1,
    dragover: (event) => over(event, true), dragleave: (event) => over(event, false),
    drop: (event) => {
      over(event, false);
      put(event.dataTransfer.getData("text/x-column"), rank);
    },
  }, element("h3", {}, heading), element("div", { class: "chips" }, names.map((name) => chip(name, rank, ranks))));
  const over = (event, inside) => {
    if (![...event.dataTransfer.types].includes("text/x-column")) return;
    event.preventDefault();
    row.classList.toggle("over", inside);
  };
  return row;
}

function chip(name, rank, ranks) {
  const options = [["-1", "no tier"], ...ranks.map((other) => [String(other), `tier ${other + 1}`])];
  return element("span", { class: "chip", draggable: "true", dragstart: (event) => event.dataTransfer.setData("text/x-column", name) },
    // Browsers do not let a button be dragged.
    element("span", { class: "grip", "aria-hidden": "true" }, "⠿"),
    element("button", { type: "button", title: name, "aria-pressed": String(first === name), "data-column": name, click: () => click(name) }, name),
    choice(options, String(rank), (value) => put(name, Number(value)), { "aria-label": `Tier of ${name}` }));
}

function put(name, rank) {
  if (!name) return;
  const tiers = draft.tiers.map((tier) => tier.filter((other) => other !== name));
  while (tiers.length <= rank) tiers.push([]);
  if (rank >= 0) tiers[rank].push(name);
  while (tiers.length && !tiers.at(-1).length) tiers.pop();
  change({ tiers });
}

function pairChooser() {
  const radio = (value, label) => {
    const input = element("input", { type: "radio", autocomplete: "off", name: "kind", value, change: () => (kind = value) });
    input.checked = kind === value;
    return element("label", {}, input, " ", label);
  };
  return element("fieldset", {}, element("legend", {}, "Click a cause and then its effect to"), radio("forbidden", "forbid the direct effect"), radio("required", "require it"));
}

function click(name) {
  if (first === null || first === name) {
    first = first === name ? null : name;
    change({});
    return;
  }
  const pair = [first, name];
  first = null;
  change({ ...without(pair), [kind]: [...without(pair)[kind], pair] });
}

/** What is known without this pair. */
function without([from, to]) {
  const other = (pair) => pair[0] !== from || pair[1] !== to;
  return { forbidden: draft.forbidden.filter(other), required: draft.required.filter(other) };
}

function pairs(names) {
  const some = [["forbidden", draft.forbidden], ["required", draft.required]].flatMap(([which, list]) =>
    list.filter((pair) => pair.every((name) => names.includes(name))).map((pair) => [which, pair]));
  if (!some.length) return note("No effect is forbidden or required.");
  return element("ul", { class: "pairs" }, some.map(([which, [from, to]]) => element("li", {},
    element("span", {}, `${from} → ${to}`), element("span", { class: which }, which),
    element("button", { type: "button", class: "plain", "aria-label": `Remove ${from} → ${to}`, click: () => change(without([from, to])) }, "Remove"))));
}
