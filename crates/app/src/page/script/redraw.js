// Drawing a part again.

/** Replaces what is in a place, and leaves the focus where it was. */
export function redraw(place, parts) {
  const focused = place.contains(document.activeElement) ? keyOf(document.activeElement) : null;
  const open = [...place.querySelectorAll("details")].map((one) => one.open);
  place.replaceChildren(...parts);
  place.querySelectorAll("details").forEach((one, k) => (one.open ||= open[k] ?? false));
  if (focused) [...place.querySelectorAll("button, input, select, summary")].find((one) => keyOf(one) === focused)?.focus();
}

/** What a control is called. */
function keyOf(control) {
  const name = control.getAttribute("aria-label") ?? control.labels?.[0]?.firstChild?.textContent ?? control.textContent;
  return `${control.tagName} ${name}`;
}
