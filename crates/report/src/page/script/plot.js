// Axes with something in them.

const PLOT = { width: 420, height: 270, left: 58, right: 12, top: 12, bottom: 46 };

/** An empty plot: `x` and `y` say how a value becomes a place; a category axis has `labels`. */
function plot(xAxis, yAxis, title) {
  const inner = { x0: PLOT.left, x1: PLOT.width - PLOT.right, y0: PLOT.height - PLOT.bottom, y1: PLOT.top };
  const x = scale(xAxis, inner.x0, inner.x1);
  const y = scale(yAxis, inner.y0, inner.y1);
  const root = shape("svg", { class: "plot", viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, role: "img", "aria-label": title });
  root.append(
    ...axisTicks(yAxis).map((at) => shape("line", { class: "rule", x1: inner.x0, x2: inner.x1, y1: y(at), y2: y(at) })),
    ...axisTicks(xAxis).map((at, k) => shape("text", { class: "tick", x: x(at), y: inner.y0 + 16, "text-anchor": "middle" }, tickLabel(xAxis, at, k))),
    ...axisTicks(yAxis).map((at, k) => shape("text", { class: "tick", x: inner.x0 - 6, y: y(at) + 4, "text-anchor": "end" }, tickLabel(yAxis, at, k))),
    shape("line", { class: "axis", x1: inner.x0, x2: inner.x1, y1: inner.y0, y2: inner.y0 }),
    axisName(xAxis.name, { x: (inner.x0 + inner.x1) / 2, y: PLOT.height - 8 }),
    axisName(yAxis.name, { x: 0, y: 0, transform: `translate(12 ${(inner.y0 + inner.y1) / 2}) rotate(-90)` }));
  return { root, x, y, add: (...shapes) => root.append(...shapes.flat()) };
}

function scale(axis, from, to) {
  const place = axis.logarithmic ? Math.log : (value) => value;
  const low = place(axis.low), span = place(axis.high) - low || 1;
  return (value) => Math.round((from + ((place(value) - low) / span) * (to - from)) * 10) / 10;
}

function axisTicks(axis) {
  if (axis.labels) return axis.labels.map((_, k) => k);
  return axis.logarithmic ? logarithmicTicks(axis.low, axis.high) : ticks(axis.low, axis.high);
}

function tickLabel(axis, at, k) {
  return axis.labels ? shortened(axis.labels[k], Math.max(4, Math.floor(58 / axis.labels.length))) : number(at);
}

function axisName(name, place) {
  return shape("text", { class: "axis-name", "text-anchor": "middle", ...place }, shortened(name, 34));
}

function shortened(text, most) {
  const letters = [...text];
  return letters.length > most ? letters.slice(0, most - 1).join("") + "…" : text;
}

function categoryAxis(name, labels) {
  return { name, labels, low: -0.5, high: labels.length - 0.5 };
}

function pathOf(xs, ys) {
  return xs.map((x, k) => `${k ? "L" : "M"}${x} ${ys[k]}`).join("");
}

function band(xs, low, high) {
  return shape("path", { class: "band", d: pathOf([...xs, ...[...xs].reverse()], [...low, ...[...high].reverse()]) + "Z" });
}

function curve(xs, ys) {
  return shape("path", { class: "curve", d: pathOf(xs, ys) });
}

function points(xs, ys) {
  return xs.map((x, k) => shape("circle", { class: "point", cx: x, cy: ys[k], r: 2.6 }));
}
