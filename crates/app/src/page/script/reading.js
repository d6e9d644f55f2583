// How the table is read, where oslow does not see it by itself.

import { change, draft } from "./draft.js";
import { choice, field, text } from "./fields.js";
import { element } from "./making.js";

const words = (value) => value || undefined;
const list = (value) => value.split(",").map((part) => part.trim()).filter((part) => part);

/** The keys of `read` in a configuration file, what they are called here, and how they are written. */
const TEXTS = [
  ["delimiter", "Field separator", words],
  ["decimal", "Decimal sign", words],
  ["skip", "Lines to pass over", (value) => (value === "" ? undefined : Number(value))],
  ["comment", "Comment sign", words],
  ["sheet", "Sheet", words],
  ["index", "Column to leave out", words],
  ["where", "Rows to keep", (value) => (value ? list(value) : undefined)],
  ["missing_values", "Words for missing", (value) => (value ? list(value) : undefined)],
  ["condition", "Column of conditions", words],
];
const PLACEHOLDERS = { delimiter: ", ; or tab", decimal: ". or ,", where: "site=A, age>18", missing_values: "-999, unknown" };

/** What columns hold, as the command line writes it: the only way to say the order of levels. */
function typesField() {
  const shown = draft.types.map(([name, type]) => `${name}=${type}`).join(", ");
  return field("Types of columns", text(shown, (given) => change({ types: list(given).map(pair) }), { placeholder: "stage=ordinal:I<II<III" }));
}

function pair(given) {
  const at = given.lastIndexOf("=");
  return at < 0 ? [given, ""] : [given.slice(0, at).trim(), given.slice(at + 1).trim()];
}

/** The fields; open where something is to be said there. */
export function readingFields(open) {
  const inputs = TEXTS.map(([key, label, read]) => {
    const value = draft.read[key] ?? "";
    const shown = Array.isArray(value) ? value.join(", ") : String(value);
    return field(label, text(shown, (given) => set(key, read(given.trim())), { placeholder: PLACEHOLDERS[key] ?? "" }));
  });
  const header = choice([["", "detected"], ["true", "names"], ["false", "data"]], String(draft.read.header ?? ""),
    (value) => set("header", value ? value === "true" : undefined));
  return element("details", { open }, element("summary", {}, "How the table is read"),
    element("div", { class: "fields" }, field("First line", header), inputs, typesField()));
}

function set(key, value) {
  const read = Object.fromEntries(Object.entries({ ...draft.read, [key]: value }).filter(([, one]) => one !== undefined));
  change({ read });
}
