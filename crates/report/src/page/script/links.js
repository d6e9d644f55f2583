// The links as a table, the surest first; each row opens its evidence.

/** Rows that are there before one asks for more. */
const ROWS_AT_FIRST = 60;

function showLinks() {
  if (!links.length) return body("links").append(paragraph("There is no link in the graph."));
  const columns = linkColumns().filter(([, value]) => links.some((one) => value(one) !== null));
  const rows = element("tbody", {}, links.slice(0, ROWS_AT_FIRST).flatMap((one) => linkRows(one, columns)));
  const header = element("tr", {}, ["Link", ...columns.map(([name]) => name)].map((name) => element("th", { scope: "col" }, name)));
  const more = links.length > ROWS_AT_FIRST ? moreLinks(rows, columns) : null;
  body("links").append(
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Links" }, element("table", { class: "links" }, element("thead", {}, header), rows)),
    ...(more ? [more] : []), ...legend());
}

function linkColumns() {
  return [
    ["Confidence", (one) => (one.sure === null ? null : meter(one.sure))],
    ["Direction", direction],
    ["Gain", (one) => (one.known.gain === undefined ? null : `${fixed(one.known.gain)} ± ${fixed(one.known.gain_se)}`)],
    ["Effect", (one) => one.known.effect ?? null],
    ["Test", (one) => (one.known.p_value === undefined ? null : pValue(one.known.p_value))],
    ["Rank correlation", (one) => (one.seen?.rank_correlation === undefined || one.seen === null ? null : fixed(one.seen.rank_correlation))],
  ];
}

function direction(one) {
  const known = one.known.direction_confidence;
  if (known === undefined) return one.undecided ? "not told" : null;
  return `${one.undecided ? "not told" : "decided"}, ${probability(known)}`;
}

function meter(value) {
  return element("span", { class: "meter" }, element("span", { class: "filled", style: `width:${Math.round(100 * value)}%` }), element("span", {}, probability(value)));
}

function linkRows(one, columns) {
  const inside = element("td", { colspan: columns.length + 1 });
  const opened = element("tr", { class: "opened", hidden: true }, inside);
  const toggle = (event) => {
    opened.hidden = !opened.hidden;
    event.currentTarget.setAttribute("aria-expanded", String(!opened.hidden));
    if (!inside.hasChildNodes()) inside.append(element("div", { class: "evidence" }, linkEvidence(one)));
  };
  const button = element("button", { type: "button", class: "plain", "aria-expanded": "false", click: toggle }, one.name);
  return [element("tr", {}, element("th", { scope: "row" }, button), columns.map(([, value]) => element("td", {}, value(one)))), opened];
}

function moreLinks(rows, columns) {
  const button = element("button", { type: "button" }, `Show all ${links.length} links`);
  button.addEventListener("click", () => {
    rows.append(...links.slice(ROWS_AT_FIRST).flatMap((one) => linkRows(one, columns)));
    button.remove();
  });
  return button;
}

function legend() {
  const said = [];
  if (hasConfidence) {
    said.push(run.bootstrap
      ? "Confidence: the share of resamples of the rows whose graph has this link."
      : "Confidence: how probable the link is if the assumptions below hold; for a link without an arrow, whatever its direction. Direction: how probable the direction that is named first is, given that there is a link; from 0.8 on it counts as decided.");
  }
  if (links.some((one) => one.known.gain !== undefined)) said.push("Gain: how much better the effect is predicted with this cause than without, beside its other causes, in nats per row that the fit had not seen, and the standard error of that.");
  if (links.some((one) => one.seen?.rank_correlation !== undefined)) said.push("Rank correlation: how far the two rise together, from −1 to 1; it says nothing about causes.");
  return said.map((text) => note(text));
}
