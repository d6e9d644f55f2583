// What the fitted model says would happen if a cause were set to a value.

function showEffects() {
  const effects = told.effects;
  if (!effects?.length) return leaveOut("effects");
  const named = (effect) => `${names[effect.from]} → ${names[effect.to]}`;
  const options = effects.map((effect, k) => element("option", { value: k }, named(effect)));
  const shown = element("div", { class: "effect", "aria-live": "polite" });
  const select = element("select", { id: "effect", change: (event) => shown.replaceChildren(...oneEffect(effects[event.target.value])) }, options);
  body("effects").append(
    paragraph("A model was fitted to the graph above. It predicts the mean of an effect if its cause were set to a value for every row, with a 99 % Monte-Carlo interval, which is for the randomness of its draws only. The model may be wrong where the graph is."),
    element("p", {}, element("label", { for: "effect" }, "Set and watch: "), select), shown);
  shown.replaceChildren(...oneEffect(effects[0]));
}

function oneEffect(effect) {
  const [cause, target] = [names[effect.from], names[effect.to]];
  const made = plot(axisOf(effect.from, effect.at), axisOf(effect.to, [...effect.low, ...effect.high]), `Mean of ${target} if ${cause} is set`);
  const xs = effect.at.map(made.x);
  const mark = shape("circle", { class: "mark", r: 6 });
  made.add(band(xs, effect.low.map(made.y), effect.high.map(made.y)), curve(xs, effect.mean.map(made.y)), mark);
  const said = element("output", { for: "set" });
  const set = (k) => {
    mark.setAttribute("cx", xs[k]);
    mark.setAttribute("cy", made.y(effect.mean[k]));
    said.textContent = `If ${cause} were set to ${number(effect.at[k])}, the mean of ${target} would be ${number(effect.mean[k])} (99 % Monte-Carlo interval ${number(effect.low[k])} to ${number(effect.high[k])}).`;
  };
  const middle = Math.floor(effect.at.length / 2);
  const input = element("input", { type: "range", id: "set", min: 0, max: effect.at.length - 1, step: 1, value: middle, "aria-label": `Value of ${cause}`, input: (event) => set(Number(event.target.value)) });
  set(middle);
  return [made.root, input, paragraph(said)];
}
