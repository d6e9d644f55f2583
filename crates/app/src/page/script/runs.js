// All runs: those that wait, the one that works, and what became of the others.

import { count, element, number } from "./making.js";
import { attempt, troublePlace, warning } from "./message.js";
import { post } from "./server.js";

const STAGES = { waiting: "waits", running: "is running", stopped: "was stopped", finished: "is finished", failed: "could not be done" };
const cards = new Map();
const trouble = troublePlace();
const list = element("div", {});
const empty = element("p", { class: "note-text" }, "There is no run yet. Choose a table above.");

export function showRuns(place) {
  place.append(trouble, list, empty);
}

/** Shows the runs as they are now. Cards stay where they are, so that nobody clicks at what moved away. */
export function updateRuns(runs, opened, open, ask) {
  empty.hidden = runs.length > 0;
  for (const [id, card] of cards) {
    if (runs.some((run) => run.id === id)) continue;
    card.root.remove();
    cards.delete(id);
  }
  for (const run of [...runs].reverse()) {
    if (!cards.has(run.id)) {
      cards.set(run.id, newCard(run.id));
      list.prepend(cards.get(run.id).root);
    }
    const card = cards.get(run.id);
    card.root.classList.toggle("shown", run.id === opened);
    const { progress, ...lasting } = run;
    const said = JSON.stringify([lasting, progress.warnings]);
    if (card.said !== said) fill(card, run, open, ask);
    card.said = said;
    if (run.stage === "running") tellProgress(card, progress);
  }
}

function newCard(id) {
  return { root: element("article", { class: "run", id: `run-${id}`, "aria-label": `Run ${id}` }), said: null };
}

function fill(card, run, open, ask) {
  const { id, stage, config, error, answer, before, stopping, progress } = run;
  const words = stopping ? "is stopping" : STAGES[stage];
  const first = stage === "waiting" && before ? `: ${count(before, "run comes", "runs come")} first` : "";
  card.bar = element("progress", { max: 1, "aria-label": `Progress of run ${id}` });
  card.stage = element("span", { class: "stage" });
  card.best = element("p", { class: "best" });
  const act = (what) => async () => {
    if (await attempt(trouble, () => post(`/api/runs/${id}/${what}`))) ask();
  };
  const remove = () => confirm(`Remove run ${id} and all its files? This cannot be undone.`) && act("remove")();
  const button = (name, click, disabled = false) => element("button", { type: "button", click, disabled, "aria-label": `${name} run ${id}` }, name);
  card.root.replaceChildren(
    element("h3", {}, `Run ${id} `, element("span", { role: "status" }, `${words}${first}`)),
    element("p", {}, [config.data, config.method ?? "exact", `seed ${config.seed ?? 0}`, knowledge(config)].filter((part) => part).join(" · ")),
    ...(answer ? [element("p", {}, `${count(answer.columns, "column")}, ${count(answer.edges, "link")}${stage === "finished" ? "" : " so far"}`)] : []),
    ...(stage === "running" ? [card.bar, card.stage, card.best] : []),
    ...(error ? [warning(error.error, error.hint)] : []),
    ...(progress.warnings.length ? [element("details", {}, element("summary", {}, count(progress.warnings.length, "warning")), element("ul", { class: "notes" }, progress.warnings.map((text) => element("li", {}, text))))] : []),
    element("div", { class: "buttons" },
      answer ? button("Open", () => open(id)) : null,
      stage === "running" || stage === "waiting" ? button("Stop", act("stop"), stopping) : null,
      stage === "stopped" ? button("Continue", act("resume")) : null,
      stage === "failed" ? button("Try again", act("resume")) : null,
      stage === "running" || stage === "waiting" ? null : button("Remove", remove)));
}

function knowledge({ knowledge: known }) {
  if (!known) return null;
  const part = (list, one) => (list?.length ? count(list.length, one) : null);
  return [part(known.tiers, "tier"), part(known.forbidden, "forbidden effect"), part(known.required, "required effect")].filter((one) => one).join(", ");
}

function tellProgress(card, progress) {
  const { stage, done, total, loss, best, needs, seconds } = progress;
  if (total > 0) card.bar.value = done / total;
  else card.bar.removeAttribute("value");
  const left = done > 0 && seconds > 1 ? `about ${duration((seconds / done) * (total - done))} left` : needs ? `about ${duration(needs)} in all` : null;
  const parts = [stage || "preparing", total > 0 ? `${done} of ${total}` : null, left, loss === null ? null : `loss ${number(loss)}`];
  card.stage.textContent = parts.filter((part) => part).join(", ");
  card.best.textContent = best ? `The best order so far: ${best.join(" → ")}` : "";
}

function duration(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
