// Two runs side by side.

import { choice, field } from "./fields.js";
import { count, element, paragraph, probability } from "./making.js";
import { attempt, troublePlace } from "./message.js";
import { get } from "./server.js";

const trouble = troublePlace();
const chosen = [null, null];
const choosers = element("div", { class: "fields" });
const table = element("div", {});
let shown = "";

export function showCompare(place) {
  place.append(choosers, trouble, table);
}

/** Shows which runs there are to compare, if others are there than before. */
export function updateCompare(runs) {
  const answered = runs.filter((run) => run.answer);
  document.getElementById("compare").hidden = answered.length < 2;
  const now = JSON.stringify(answered.map((run) => [run.id, run.stage, run.answer]));
  if (now === shown || answered.length < 2) return;
  shown = now;
  const ids = answered.map((run) => run.id);
  [1, 0].forEach((k, place) => (chosen[k] = ids.includes(chosen[k]) ? chosen[k] : ids[place]));
  const options = answered.map((run) => [String(run.id), `Run ${run.id}: ${run.config.data}`]);
  const chooser = (k, label) => field(label, choice(options, String(chosen[k]), (value) => {
    chosen[k] = Number(value);
    compare();
  }));
  choosers.replaceChildren(chooser(0, "One run"), chooser(1, "The other run"));
  compare();
}

async function compare() {
  const asked = [...chosen];
  const found = await attempt(trouble, () => Promise.all(asked.map((id) => get(`/runs/${id}/run.json`))));
  if (!found || asked.some((id, k) => id !== chosen[k])) return;
  const [one, other] = found.map(linksOf);
  const pairs = [...new Map([...one, ...other].map(([key, link]) => [key, link])).keys()];
  const rank = { both: 0, "both, not alike": 1, one: 2 };
  const rows = pairs.map((key) => {
    const [a, b] = [one.get(key), other.get(key)];
    const where = a && b ? (a.arrow === b.arrow ? "both" : "both, not alike") : `only run ${asked[a ? 0 : 1]}`;
    return { a, b, where, rank: rank[where] ?? rank.one };
  });
  rows.sort((x, y) => x.rank - y.rank || Math.max(y.a?.sure ?? 0, y.b?.sure ?? 0) - Math.max(x.a?.sure ?? 0, x.b?.sure ?? 0));
  const number = (where) => rows.filter((row) => row.where.startsWith(where)).length;
  table.replaceChildren(
    paragraph(`${count(number("both"), "link is", "links are")} in both, ${number("only")} in one only.`),
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Links of both runs" }, element("table", { class: "compared" },
      element("thead", {}, element("tr", {}, [`Run ${asked[0]}`, "Confidence", `Run ${asked[1]}`, "Confidence", "Found in"].map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, rows.map(({ a, b, where }) => element("tr", {}, cells(a), cells(b), element("td", {}, where)))))));
}

function cells(link) {
  return [element("td", { class: "arrow" }, link?.arrow ?? "–"), element("td", {}, link && link.sure !== undefined ? probability(link.sure) : "–")];
}

/** The links of a run by the two columns, whichever is the cause. */
function linksOf(found) {
  return new Map(found.edges.map((edge) => {
    const key = JSON.stringify([edge.from, edge.to].sort());
    const undecided = edge.direction === "undecided";
    const ends = undecided ? [edge.from, edge.to].sort() : [edge.from, edge.to];
    return [key, { arrow: ends.join(undecided ? " — " : " → "), sure: edge.confidence }];
  }));
}
