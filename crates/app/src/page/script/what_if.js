// What would happen to a column if another were set: the slider moves along what the server estimated.

import { choice, field } from "./fields.js";
import { band, curve, element, number, paragraph, plot, shape } from "./making.js";
import { attempt, troublePlace } from "./message.js";
import { post } from "./server.js";

export function whatIf(run, found, evidence) {
  const names = found.columns;
  if (run.stage !== "finished" || !found.columns_info?.every((info) => info.parent_sets)) {
    return [heading(), paragraph("oslow estimates effects from finished runs of the method exact.")];
  }
  const options = names.map((name) => [name, name]);
  const strongest = found.edges[0] ?? { from: names[0], to: names[1] };
  const asked = { on: strongest.from, target: strongest.to, from: null, to: null };
  const [levels, answer, trouble] = [element("div", { class: "fields" }), element("div", { class: "what-if" }), troublePlace()];
  const estimate = element("button", {
    type: "button",
    click: async () => {
      estimate.disabled = true;
      answer.replaceChildren(paragraph("Estimating …"));
      const question = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== null));
      const told = await attempt(trouble, () => post(`/api/runs/${run.id}/effect`, question));
      estimate.disabled = false;
      answer.replaceChildren(...(told ? answered(told) : []));
    },
  }, "Estimate");
  const set = (key) => (value) => {
    asked[key] = value;
    answer.replaceChildren();
    askLevels();
  };
  // A column without an order has no slider: two of its levels are compared.
  const askLevels = () => {
    const { kind, labels } = evidence.columns[names.indexOf(asked.on)];
    const between = kind === "categorical" && labels?.length > 1;
    [asked.from, asked.to] = between ? [labels[0], labels[1]] : [null, null];
    const level = (key) => choice(labels.map((label) => [label, label]), asked[key], (value) => (asked[key] = value));
    levels.replaceChildren(...(between ? [field("From", level("from")), field("To", level("to"))] : []));
  };
  askLevels();
  return [heading(),
    paragraph("The mean of a column if another were set to a value in every row. The 90 % interval holds the doubt about the rows and about the graph."),
    element("div", { class: "fields" }, field("Set", choice(options, asked.on, set("on"))), field("and watch", choice(options, asked.target, set("target")))),
    levels, estimate, trouble, answer];
}

function heading() {
  return element("h3", {}, "What would happen if");
}

function answered({ effect, levels }) {
  const warnings = effect.warnings.map((text) => element("p", { class: "note-text" }, text));
  const value = (at) => levels[at] ?? (typeof at === "number" ? number(at) : at);
  const watched = effect.level ? `the probability that ${effect.target} is ${effect.level}` : `the mean of ${effect.target}`;
  const change = paragraph(`Setting ${effect.on} from ${value(effect.from)} to ${value(effect.to)} changes ${watched} by ${number(effect.mean)} (90 % interval ${number(effect.low)} to ${number(effect.high)}).`);
  if (!effect.curve.length) return [change, ...warnings];
  const { curve: points } = effect;
  const axis = (name, all) => {
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const room = 0.04 * (high - low || 1);
    return { name, low: low - room, high: high + room };
  };
  const across = levels.length ? { name: effect.on, labels: levels, low: -0.5, high: levels.length - 0.5 } : axis(effect.on, points.map((point) => point.value));
  const made = plot(across, axis(effect.target, points.flatMap((point) => [point.low, point.high])), `The mean of ${effect.target} if ${effect.on} is set`);
  const [xs, of] = [points.map((point) => made.x(point.value)), (key) => points.map((point) => made.y(point[key]))];
  const mark = shape("circle", { class: "mark", r: 6 });
  made.add(band(xs, of("low"), of("high")), curve(xs, of("mean")), mark);
  const said = element("output", {});
  const move = (k) => {
    const { value: at, mean, low, high } = points[k];
    mark.setAttribute("cx", xs[k]);
    mark.setAttribute("cy", made.y(mean));
    said.textContent = `If ${effect.on} were set to ${value(at)}, ${watched} would be ${number(mean)} (90 % interval ${number(low)} to ${number(high)}).`;
  };
  const middle = Math.floor(points.length / 2);
  const slider = element("input", { type: "range", min: 0, max: points.length - 1, step: 1, value: middle, "aria-label": `Value of ${effect.on}`, input: (event) => move(Number(event.target.value)) });
  move(middle);
  return [made.root, slider, paragraph(said), change, ...warnings];
}
