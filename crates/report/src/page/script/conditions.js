// What the conditions act on, where rows were observed under several.

function showConditions() {
  if (!run.conditions?.length) return;
  body("columns").append(
    element("h3", {}, "The conditions"),
    paragraph("Rows were observed under several conditions:"),
    element("ul", { id: "conditions" }, run.conditions.map((condition) =>
      item(element("b", {}, condition.name || "nothing set"), ` (${count(condition.rows, "row")}): ${acts(condition.acts_on)}`))));
}

function acts(targets) {
  const verb = (target) => (target.action === "sets" ? "sets" : target.known ? "changes" : "was found to change");
  const gain = (target) => (target.gain === undefined ? "" : ` (gain ${fixed(target.gain)} ± ${fixed(target.gain_se)})`);
  const said = ["sets", "changes", "was found to change"].map((wanted) => {
    const those = targets.filter((target) => verb(target) === wanted);
    return those.length ? `${wanted} ${those.map((target) => target.column + gain(target)).join(", ")}` : null;
  });
  return said.filter(Boolean).join("; ") || "acts on no column";
}
