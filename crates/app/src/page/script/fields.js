// Fields of forms, each with its label. Their values come from the draft: a browser that fills them in again after a reload would mix them up.

import { element } from "./making.js";

export function field(label, input) {
  return element("label", { class: "field" }, element("span", {}, label), input);
}

export function tick(label, checked, change) {
  const input = checkbox(checked, change);
  return element("label", { class: "field tick" }, input, label);
}

export function checkbox(checked, change, attributes = {}) {
  const input = element("input", { type: "checkbox", autocomplete: "off", ...attributes, change: (event) => change(event.target.checked) });
  input.checked = checked;
  return input;
}

/** A choice among `[value, name]`. */
export function choice(options, chosen, change, attributes = {}) {
  const select = element("select", { autocomplete: "off", ...attributes, change: (event) => change(event.target.value) },
    options.map(([value, name]) => element("option", { value }, name)));
  select.value = chosen;
  return select;
}

export function text(value, change, attributes = {}) {
  const input = element("input", { type: "text", spellcheck: "false", autocomplete: "off", ...attributes, change: (event) => change(event.target.value) });
  input.value = value;
  return input;
}
