// Errors, each where it happened.

import { element } from "./making.js";
import { Trouble } from "./server.js";

/** A sentence that must not be overlooked, and what to do. */
export function warning(error, hint) {
  return element("p", { class: "warning" }, error, hint ? element("span", { class: "hint" }, `What to do: ${hint}.`) : null);
}

/** Does something; what goes wrong is said in `place`, which is emptied where nothing does. */
export async function attempt(place, work) {
  try {
    const done = await work();
    place.replaceChildren();
    return done;
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    const told = warning(error.message, error.hint);
    // The same error again is not said again.
    if (place.textContent !== told.textContent) place.replaceChildren(told);
    return null;
  }
}

/** A place for what goes wrong. */
export function troublePlace() {
  return element("div", { role: "alert" });
}
