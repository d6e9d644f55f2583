// How often the values of a column occur.

function histogram(node) {
  const { histogram: seen, quantiles } = columnEvidence(node);
  return seen.of === "values" ? valueBars(node, seen) : rangeBars(node, seen, quantiles);
}

function rangeBars(node, { counts, logarithmic }, quantiles) {
  const [low, high] = [quantiles[0], quantiles[4]];
  const root = bars(counts, `${names[node]}: from ${number(low)} to ${number(high)}, half of the rows between ${number(quantiles[1])} and ${number(quantiles[3])}`);
  root.append(shape("text", { class: "tick", x: 0, y: 78 }, number(low)), shape("text", { class: "tick", x: 240, y: 78, "text-anchor": "end" }, number(high)));
  if (logarithmic) root.append(shape("text", { class: "tick", x: 120, y: 78, "text-anchor": "middle" }, "logarithmic"));
  return root;
}

function valueBars(node, { values, counts }) {
  const called = values.map((value) => valueName(node, value));
  const root = bars(counts, called.map((name, k) => `${name}: ${count(counts[k], "row")}`).join(", "));
  const width = 240 / counts.length;
  const named = columnEvidence(node).labels !== undefined;
  // Names of words are shortened to fit; of numbers, only every so many have room.
  const longest = named ? 2 : Math.max(...called.map((name) => name.length));
  const each = Math.ceil((7 * longest + 6) / width), letters = Math.floor((each * width) / 7);
  called.forEach((name, k) => k % each || root.append(shape("text", { class: "tick", x: (k + 0.5) * width, y: 78, "text-anchor": "middle" }, named ? shortened(name, letters) : name)));
  return root;
}

function bars(counts, said) {
  const greatest = Math.max(...counts), width = 240 / counts.length;
  const gap = Math.min(6, 0.12 * width);
  const bar = (amount, k) => shape("rect", { class: "count", x: k * width + gap / 2, y: 62 - (60 * amount) / greatest, width: width - gap, height: (60 * amount) / greatest });
  return shape("svg", { class: "histogram", viewBox: "0 0 240 82", role: "img", "aria-label": said }, counts.map(bar), shape("line", { class: "axis", x1: 0, x2: 240, y1: 62, y2: 62 }));
}
