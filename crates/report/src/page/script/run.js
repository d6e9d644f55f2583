// The run: what the page is told, in the form in which its parts want it.

const told = JSON.parse(document.getElementById("data").textContent);
const run = told.run;
const names = run.columns;
const nodeOf = new Map(names.map((name, node) => [name, node]));
const pairOf = new Map((run.pairs ?? []).map((pair) => [pairKey(nodeOf.get(pair.a), nodeOf.get(pair.b)), pair]));
const infoOf = new Map((run.columns_info ?? []).map((info) => [info.name, info]));
const links = run.edges.map(link).sort((a, b) => strength(b) - strength(a));
const linkOf = new Map(links.map((one) => [`${one.from} ${one.to}`, one]));
const hasConfidence = links.some((one) => one.sure !== null);

function pairKey(a, b) {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function link(edge, place) {
  const [from, to] = [nodeOf.get(edge.from), nodeOf.get(edge.to)];
  const undecided = edge.direction === "undecided";
  return {
    place, from, to, undecided,
    name: `${edge.from} ${undecided ? "—" : "→"} ${edge.to}`,
    known: edge,
    sure: drawn(edge, undecided),
    chances: chances(from, to),
    seen: told.evidence?.edges[place] ?? null,
  };
}

/** The confidence in what is drawn: in the arrow, or in a link of whatever direction. */
function drawn(edge, undecided) {
  if (edge.confidence === undefined) return null;
  const direction = undecided ? edge.direction_confidence ?? 1 : 1;
  return Math.min(1, edge.confidence / (direction || 1));
}

/** How probable the two directions and no link are. */
function chances(from, to) {
  const pair = pairOf.get(pairKey(from, to));
  if (!pair) return null;
  const straight = nodeOf.get(pair.a) === from;
  return { forward: straight ? pair.a_to_b : pair.b_to_a, backward: straight ? pair.b_to_a : pair.a_to_b, none: pair.none };
}

/** What links are sorted and hidden by: confidence, or how closely the columns go together. */
function strength(one) {
  return one.sure ?? Math.abs(one.seen?.rank_correlation ?? 1);
}

function causesOf(node) {
  return links.filter((one) => one.to === node);
}

function effectsOf(node) {
  return links.filter((one) => one.from === node);
}

/** The nodes that are met by going along the links, the first one included. */
function reached(node, next) {
  const found = new Set([node]);
  for (const at of found) next(at).forEach((other) => found.add(other));
  return found;
}

function columnEvidence(node) {
  return told.evidence?.columns[node] ?? null;
}

/** What a value of a column is called. */
function valueName(node, value) {
  return columnEvidence(node)?.labels?.[value] ?? number(value);
}

/** An axis for some values of a column, a little wider than they are; in logarithms where these were analysed, or those of the distance from an end not far from 0. */
function axisOf(node, values) {
  const name = names[node], low = Math.min(...values), high = Math.max(...values);
  const { transform, log_end: end } = infoOf.get(name) ?? {};
  if (low > 0 && (transform === "log" || (transform === "log-from-end" && end >= 0 && end < low))) {
    const room = (high / low) ** 0.04;
    return { name, logarithmic: true, low: low / room, high: high * room };
  }
  const room = 0.04 * (high - low || 1);
  return { name, low: low - room, high: high + room };
}
