// Errors, each where it happened.

import { element } from "./making.js";
import { Trouble } from "./server.js";

/** A sentence that must not be overlooked, and what to do. */
export function warning(error, hint) {
  return element("p", { class: "warning" }, error, hint ? element("span", { class: "hint" }, `What to do: ${hint}.`) : null);
}

/** Does something; what goes wrong is said in `place`, which is emptied first. */
export async function attempt(place, work) {
  place.replaceChildren();
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    place.replaceChildren(warning(error.message, error.hint));
    return null;
  }
}

/** A place for what goes wrong. */
export function troublePlace() {
  return element("div", { role: "alert" });
}
