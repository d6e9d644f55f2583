// The columns: what they hold, how they were seen, what they are linked with.

const KINDS = { continuous: "numbers", count: "counts", ordinal: "ordered levels", binary: "two values", categorical: "categories" };
const SCALES = { log: "analysed as logarithms", "log-from-end": "analysed as logarithms of the distance from its end", "normal-scores": "analysed as normal scores (ranks on a bell curve)", none: null };

function showColumns() {
  const order = run.order ? run.order.map((name) => nodeOf.get(name)) : names.map((_, node) => node);
  const card = (node) => element("article", { class: "card" }, element("h3", {}, names[node]), columnFacts(node), ...listed("Causes", causesOf(node), (one) => one.from), ...listed("Effects", effectsOf(node), (one) => one.to));
  const place = element("div", { class: "cards" }, order.slice(0, ROWS_AT_FIRST).map(card));
  body("columns").append(place);
  if (order.length > ROWS_AT_FIRST) {
    const button = element("button", { type: "button" }, `Show all ${order.length} columns`);
    button.addEventListener("click", () => {
      place.append(...order.slice(ROWS_AT_FIRST).map(card));
      button.remove();
    });
    body("columns").append(button);
  }
}

function columnFacts(node) {
  const seen = columnEvidence(node), info = infoOf.get(names[node]);
  const facts = [];
  const kind = info?.kind ?? seen?.kind;
  if (kind) facts.push(KINDS[kind]);
  if (seen && kind !== "binary") facts.push(count(seen.distinct, "distinct value"));
  if (seen?.missing) facts.push(count(seen.missing, "missing value"));
  if (info && SCALES[info.transform]) facts.push(SCALES[info.transform] + (info.log_end == null ? "" : ` at ${number(info.log_end)}`));
  if (info?.grid) facts.push(`values in steps of ${number(info.grid)}`);
  return [seen ? histogram(node) : null, facts.length ? note(facts.join(" · ")) : null].filter(Boolean);
}

function listed(heading, some, other) {
  if (!some.length) return [];
  const name = (one) => names[other(one)] + (one.undecided ? " (?)" : "");
  return [element("p", { class: "listed" }, element("b", {}, `${heading}: `), some.slice(0, 8).map(name).join(", ") + (some.length > 8 ? ` and ${some.length - 8} more` : ""))];
}
