// Which table: dropped, chosen from the folder, or built in.

import { choose, draft, onChange } from "./draft.js";
import { element } from "./making.js";
import { attempt, troublePlace } from "./message.js";
import { Trouble, upload } from "./server.js";

const trouble = troublePlace();
const list = element("div", { class: "choices" });
let choices = null;
let shown = "";

export function showTables(given, place) {
  choices = given;
  const input = element("input", { type: "file", id: "file", change: () => take(input.files) });
  place.append(
    element("label", { class: "drop" }, input, element("strong", {}, "Drop a table here, or choose a file"),
      element("span", { class: "note-text" }, "CSV, TSV, Excel, Parquet or NumPy. It stays on this computer.")),
    trouble, list);
  document.addEventListener("dragover", (event) => holdsFiles(event) && dragging(event, true));
  document.addEventListener("dragleave", (event) => holdsFiles(event) && !event.relatedTarget && dragging(event, false));
  document.addEventListener("drop", (event) => {
    if (!holdsFiles(event)) return;
    dragging(event, false);
    take(event.dataTransfer.files);
  });
  onChange(() => mark());
}

function holdsFiles(event) {
  return [...event.dataTransfer.types].includes("Files");
}

function dragging(event, over) {
  event.preventDefault();
  document.body.classList.toggle("dragging", over);
}

function take(files) {
  return attempt(trouble, async () => {
    if (files.length !== 1) throw new Trouble("Choose one file.");
    if (files[0].size > choices.most_bytes) {
      throw new Trouble(`The page takes tables of up to ${choices.most_bytes / 1e6} MB.`, `copy the file into ${choices.folder}, and it is listed here`);
    }
    const { data } = await upload(files[0]);
    choose(data);
  });
}

/** Shows the tables of the folder, if others are there than before. */
export function updateTables(tables) {
  const now = JSON.stringify(tables);
  if (now === shown) return;
  shown = now;
  const button = (data, name) => element("button", { type: "button", "data-table": data, click: () => choose(data) }, name);
  list.replaceChildren(
    ...(tables.length ? [element("span", { class: "note-text" }, "In the folder:")] : []),
    ...tables.map((table) => button(table.data, table.data)),
    element("span", { class: "note-text" }, "To try it:"), ...choices.built_in.map((name) => button(name, name)));
  mark();
}

function mark() {
  for (const button of list.querySelectorAll("button")) button.setAttribute("aria-pressed", button.dataset.table === draft.data);
}
