// What stands beside the graph: a link or a column.

function openLink(one) {
  graph.links.forEach(({ drawn, one: other }) => drawn.classList.toggle("chosen", other === one));
  fillPanel(one.name, linkEvidence(one));
}

function openColumn(node) {
  graph.links.forEach(({ drawn }) => drawn.classList.remove("chosen"));
  fillPanel(names[node], [
    ...columnFacts(node),
    ...linkButtons("Causes", causesOf(node), (one) => one.from),
    ...linkButtons("Effects", effectsOf(node), (one) => one.to),
  ]);
}

function fillPanel(heading, parts) {
  document.getElementById("panel").replaceChildren(element("h3", {}, heading), ...parts);
}

function linkButtons(heading, some, other) {
  const text = (one) => `${names[other(one)]}${one.undecided ? " (direction not told)" : ""}`;
  const button = (one) => element("li", {}, element("button", { type: "button", class: "plain", click: () => openLink(one) }, text(one)));
  return some.length ? [element("h4", {}, heading), element("ul", { class: "inline" }, some.map(button))] : [];
}

function firstPanel() {
  if (links.length) openLink(links.find((one) => !one.undecided) ?? links[0]);
  else fillPanel("No link", [paragraph("oslow found no link between the columns. Click a column to see its values.")]);
}
