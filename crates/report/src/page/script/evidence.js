// The evidence of a link: the effect against the cause, and how probable each direction is.

function linkEvidence(one) {
  const parts = [linkSentence(one)];
  if (one.chances) parts.push(chancesBar(one));
  parts.push(...picture(one));
  return parts;
}

function linkSentence(one) {
  const { gain, gain_se: error, effect, p_value: p } = one.known;
  const said = [];
  if (one.undecided) said.push(`${names[one.from]} and ${names[one.to]} are linked; the data do not tell which is the cause.`);
  else said.push(`In this graph, ${names[one.from]} is a cause of ${names[one.to]}.`);
  if (effect) said.push(effectWords(effect, names[one.from], names[one.to]));
  if (gain !== undefined) said.push(`${causesOf(one.to).length > 1 ? "Beside the other causes, " : ""}${names[one.from]} improves the prediction of ${names[one.to]} by ${fixed(gain)} ± ${fixed(error)} nats per row.`);
  if (p !== undefined) said.push(`The test that kept it: ${pValue(p)}.`);
  return paragraph(said.join(" "));
}

function effectWords(effect, cause, target) {
  const words = {
    rising: `Where ${cause} is higher, ${target} tends to be higher.`,
    falling: `Where ${cause} is higher, ${target} tends to be lower.`,
    bent: `${target} rises and falls along ${cause}.`,
    spread: `${cause} changes how much ${target} varies, not where it lies.`,
    levels: `${target} differs between the categories.`,
  };
  return words[effect] ?? "";
}

/** Three shares of one bar: this direction, the other one, no link. */
function chancesBar(one) {
  const { forward, backward, none } = one.chances;
  const parts = [
    [`${names[one.from]} → ${names[one.to]}`, forward, "forward"],
    [`${names[one.to]} → ${names[one.from]}`, backward, "backward"],
    ["no direct link", none, "none"],
  ];
  const label = parts.map(([name, share]) => `${name} ${probability(share)}`).join(", ");
  const piece = ([, share, kind]) => element("span", { class: `chance ${kind}`, style: `flex-grow:${Math.max(share, 0.002)}` });
  const key = ([name, share, kind]) => element("li", {}, element("span", { class: `swatch ${kind}` }), `${name} `, element("b", {}, probability(share)));
  return element("div", { class: "chances" },
    element("div", { class: "bar", role: "img", "aria-label": `Probabilities: ${label}` }, parts.map(piece)),
    element("ul", { class: "key" }, parts.map(key)));
}

function picture(one) {
  const seen = one.seen?.picture;
  if (!seen) return [note(told.evidence ? "This page holds pictures of the 300 strongest links only." : "The run folder holds no evidence.json, so there is no picture.")];
  const drawing = { points: onlyPoints, curve: pointsAndCurve, boxes: boxPlot, shares: shareBars }[seen.as];
  return drawing(one, seen);
}

function onlyPoints(one) {
  const { root } = scatter(one, columnEvidence(one.to).shown, {});
  return [root, note(`Each point is a row of the table (${columnEvidence(one.to).shown.length} drawn at random). The effect has too many causes in this graph for a curve.`)];
}

function pointsAndCurve(one, seen) {
  const cause = columnEvidence(one.from).shown.length;
  const measured = columnEvidence(one.to).shown;
  if (!seen.adjusted) {
    return [scatter(one, measured, seen).root, note(`Each point is one of ${cause} rows drawn at random. Line: a smooth fit. Band: one scale of the noise above and below it.`)];
  }
  const holder = element("div", {}, scatter(one, seen.adjusted, seen).root);
  const choose = (event) => holder.replaceChildren(scatter(one, event.target.checked ? measured : seen.adjusted, seen).root);
  return [holder,
    element("label", { class: "choice" }, element("input", { type: "checkbox", change: choose }), " show points as measured"),
    note(`Each point is one of ${cause} rows drawn at random, moved to where it would lie if its other causes were average. Line: a smooth fit to all causes of ${names[one.to]}, the others averaged over. Band: one scale of the noise above and below it.`)];
}

function scatter(one, values, { at = [], location = [], low = [], high = [] }) {
  const shown = columnEvidence(one.from).shown;
  const made = plot(axisOf(one.from, [...shown, ...at]), axisOf(one.to, [...values, ...low, ...high]), `${names[one.to]} against ${names[one.from]}`);
  const along = (xs) => xs.map(made.x), up = (ys) => ys.map(made.y);
  if (at.length) made.add(band(along(at), up(low), up(high)));
  made.add(points(along(shown), up(values)));
  if (at.length) made.add(curve(along(at), up(location)));
  return made;
}

function boxPlot(one, seen) {
  const labels = seen.boxes.map((box) => valueName(one.from, box.value));
  const all = seen.boxes.flatMap((box) => [...box.quantiles, ...(box.fit ?? [])]);
  const made = plot(categoryAxis(names[one.from], labels), axisOf(one.to, all), `${names[one.to]} by ${names[one.from]}`);
  const width = Math.min(46, 0.6 * (made.x(1) - made.x(0) || 80));
  seen.boxes.forEach((box, k) => made.add(oneBox(made, box, k, width)));
  const rows = seen.boxes.map((box, k) => `${labels[k]}: ${count(box.rows, "row")}`).join(", ");
  const fit = seen.boxes.some((box) => box.fit) ? " Coloured bar: a smooth fit to all causes, the others averaged over, and one scale of the noise above and below." : "";
  return [made.root, note(`Box: middle half of the rows. Lines: 5 to 95 %. ${rows}.${fit}`)];
}

function oneBox(made, box, k, width) {
  const at = made.x(k);
  const [least, first, median, third, greatest] = box.quantiles.map(made.y);
  const parts = [
    shape("line", { class: "whisker", x1: at, x2: at, y1: least, y2: greatest }),
    shape("rect", { class: "box", x: at - width / 2, y: third, width, height: Math.max(1, first - third) }),
    shape("line", { class: "median", x1: at - width / 2, x2: at + width / 2, y1: median, y2: median }),
  ];
  if (box.fit) {
    const [low, middle, high] = box.fit.map(made.y);
    const side = at + width / 2 + 7;
    parts.push(shape("line", { class: "fit", x1: side, x2: side, y1: low, y2: high }), shape("circle", { class: "fitted", cx: side, cy: middle, r: 3.5 }));
  }
  return parts;
}

function shareBars(one, seen) {
  const partName = (part) => (part.from === part.to ? valueName(one.from, part.from) : `${number(part.from)} to ${number(part.to)}`);
  const bar = (part) => {
    const rows = part.counts.reduce((a, b) => a + b, 0);
    const piece = (amount, k) => element("span", { class: `chance level-${k % 8}`, style: `flex-grow:${amount}`, title: `${valueName(one.to, seen.levels[k])}: ${Math.round((100 * amount) / rows)} %` });
    const said = part.counts.map((amount, k) => `${valueName(one.to, seen.levels[k])} ${Math.round((100 * amount) / rows)} %`).join(", ");
    return element("li", {}, element("span", { class: "part-name" }, partName(part)),
      element("span", { class: "bar", role: "img", "aria-label": said }, part.counts.map(piece)));
  };
  const key = (level, k) => element("li", {}, element("span", { class: `swatch level-${k % 8}` }), valueName(one.to, level));
  return [
    paragraph(element("b", {}, names[one.to]), " by ", element("b", {}, names[one.from])),
    element("ul", { class: "shares" }, seen.parts.map(bar)),
    element("ul", { class: "key" }, seen.levels.slice(0, 12).map(key)),
    note("Shares of the rows, as observed; nothing is fitted here."),
  ];
}
