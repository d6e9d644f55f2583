// The causal order, and how probable it is that one column comes before another.

/** Up to so many columns the matrix is a table with numbers, … */
const WITH_NUMBERS = 14;
/** … and up to so many it is drawn at all. */
const MOST_COLUMNS = 100;

function showOrder() {
  const place = body("order");
  if (!run.order) return place.append(paragraph(`The method ${run.method} learns a graph and no order.`));
  place.append(
    paragraph("Causes come before their effects. Columns that are not linked could stand in another order."),
    element("ol", { class: "order" }, run.order.map((name) => element("li", {}, name))));
  const before = precedence();
  if (!before || names.length > MOST_COLUMNS) return;
  place.append(
    element("h3", {}, "How sure each pair's order is"),
    paragraph(run.bootstrap ? "Share of resamples in which the row's column comes before the column's." : "Probability that the row's column comes before the column's."),
    heatMap(before));
}

/** How probable it is that one node comes before another; `null` if nothing is known. */
function precedence() {
  if (run.order_pairs) return (a, b) => run.order_pairs[names[a]]?.[names[b]] ?? null;
  if (!pairOf.size) return null;
  return (a, b) => {
    const pair = pairOf.get(pairKey(a, b));
    if (!pair) return null;
    return nodeOf.get(pair.a) === a ? pair.a_before_b : 1 - pair.a_before_b;
  };
}

function heatMap(before) {
  const order = run.order.map((name) => nodeOf.get(name));
  const numbered = order.length <= WITH_NUMBERS;
  const cell = (a, b) => {
    const share = a === b ? null : before(a, b);
    if (share === null) return element("td", { class: "empty" });
    const said = `${names[a]} before ${names[b]}: ${probability(share)}`;
    return element("td", { style: `--share:${Math.round(share * 100)}%`, title: said },
      numbered ? probability(share) : element("span", { class: "only-heard" }, probability(share)));
  };
  const row = (a) => element("tr", {}, element("th", { scope: "row" }, names[a]), order.map((b) => cell(a, b)));
  const head = element("tr", {}, element("td", {}), order.map((b) => element("th", { scope: "col" }, element("span", {}, names[b]))));
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Probabilities of coming before" },
    element("table", { class: numbered ? "heat numbered" : "heat" }, element("thead", {}, head), element("tbody", {}, order.map(row))));
}
