// What must hold for the answer to be right, and whether the data speak against it.

const MEANINGS = new Map([
  ["no hidden common causes", "No column that is missing from the table causes two columns in it."],
  ["no cycles", "No column causes itself by way of others, as in feedback."],
  ["continuous variables, independent rows", "Rows do not influence each other, and no row is a copy of another."],
]);

function showChecks() {
  const checks = run.checks ?? [];
  const against = checks.filter((check) => check.verdict === "violated");
  const fine = checks.filter((check) => check.verdict !== "violated");
  const place = body("checks");
  if (against.length) {
    place.append(paragraph(element("b", {}, `${against.length} of ${count(checks.length, "check")} ${against.length === 1 ? "speaks" : "speak"} against an assumption.`), " Confidences and directions hold only if the assumptions do."), checkList(against));
  } else if (checks.length) {
    place.append(paragraph(`${count(checks.length, "check")} of the data: none speaks against an assumption. That does not prove them.`));
  } else {
    place.append(paragraph("The data were not checked against the assumptions in this run."));
  }
  if (fine.length) place.append(element("details", {}, element("summary", {}, `The ${count(fine.length, "check")} that ${fine.length === 1 ? "is" : "are"} fine`), checkList(fine)));
  place.append(element("h3", {}, "What is assumed"), element("ul", {}, run.assumptions.map(assumption)));
}

function checkList(checks) {
  const p = (check) => (check.p_value === undefined ? "" : ` (${pValue(check.p_value)})`);
  return element("ul", { class: "checks" }, checks.map((check) => element("li", { class: check.verdict }, check.meaning, p(check))));
}

function assumption(text) {
  const meaning = MEANINGS.get(text);
  return element("li", {}, text.charAt(0).toUpperCase() + text.slice(1) + ".", meaning ? element("span", { class: "meaning" }, ` ${meaning}`) : null);
}
