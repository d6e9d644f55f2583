// How the run is done, and its start.

import { configuration, draft, keep } from "./draft.js";
import { choice, field, text, tick } from "./fields.js";
import { element } from "./making.js";
import { attempt, troublePlace } from "./message.js";
import { post } from "./server.js";

const MISSING = [["", "refuse"], ["auto", "auto: use what the other cells say"], ["drop-rows", "drop-rows: leave such rows out"], ["impute", "impute: fill every gap"]];

/** Calls `started` with the number of the run. */
export function settingsParts(seen, choices, started) {
  const { settings } = draft;
  const set = (key) => (value) => {
    const { [key]: _, ...others } = draft.settings;
    keep({ settings: value === "" || value === false ? others : { ...others, [key]: value } });
  };
  const whole = (key) => (value) => set(key)(value.trim() === "" ? "" : Number(value));
  const named = (list, standard) => list.map(({ name, summary }) => [name === standard ? "" : name, `${name}: ${summary}`]);
  const trouble = troublePlace();
  const start = element("button", {
    type: "button", class: "main",
    click: async () => {
      start.disabled = true;
      const made = await attempt(trouble, () => post("/api/runs", configuration(seen)));
      start.disabled = false;
      if (made) started(made.id);
    },
  }, "Start the run");
  return [
    element("div", { class: "fields" },
      field("Missing cells", choice(MISSING, settings.missing ?? "", set("missing"))),
      field("Seed", text(String(settings.seed ?? ""), whole("seed"), { inputmode: "numeric", placeholder: "0" }))),
    element("details", {}, element("summary", {}, "More settings"), element("div", { class: "fields" },
      field("Method", choice(named(choices.methods, "exact"), settings.method ?? "", set("method"))),
      field("Pruner", choice(named(choices.pruners, "likelihood"), settings.prune ?? "", set("prune"))),
      field("Common scale", choice([["", "zscore"], ["none", "none"]], settings.standardize ?? "", set("standardize"))),
      field("Outliers", text(settings.outliers ?? "", (value) => set("outliers")(value.trim()), { placeholder: "none, or e.g. mad:10" })),
      field("Resamples", text(String(settings.bootstrap ?? ""), whole("bootstrap"), { inputmode: "numeric", placeholder: "none" })),
      tick("Fit a model", settings.fit ?? false, set("fit")))),
    trouble, start,
  ];
}
