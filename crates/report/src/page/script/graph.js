// The graph: moved, zoomed, searched, thinned, and asked for its evidence.

/** So many links are seen at first where there are many columns. */
const AT_FIRST = 60;

const graph = { nodes: new Map(), links: [], cut: 0, chosen: null };

function showGraph() {
  const place = body("graph"), picture = place.querySelector("svg");
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", "Causal graph, causes above effects");
  const frame = element("div", { class: "frame", tabindex: 0, role: "region", "aria-label": "The graph; arrow keys move it, plus and minus zoom" }, picture);
  const panel = element("aside", { id: "panel", tabindex: 0, "aria-live": "polite", "aria-label": "Evidence" });
  graph.picture = picture;
  place.append(...tools(), element("div", { class: "stage" }, frame, panel), ...graphNotes());
  graph.view = new Viewport(frame, picture);
  frame.addEventListener("keydown", byKeys);
  takeNodes();
  takeLinks();
  cutAt(firstCut());
  if (graph.cut > 0) graph.view.show(around(graph.links.filter(({ one }) => strength(one) >= graph.cut)));
}

/** The part of the picture that holds some links. */
function around(some) {
  const boxes = some.map(({ drawn }) => drawn.getBBox());
  const [left, top] = ["x", "y"].map((side) => Math.min(...boxes.map((box) => box[side])));
  const right = Math.max(...boxes.map((box) => box.x + box.width)), bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x: left - 60, y: top - 50, width: right - left + 120, height: bottom - top + 100 };
}

function tools() {
  const find = element("input", { type: "search", list: "names", placeholder: "Find a column", "aria-label": "Find a column", change: found, search: found });
  const list = element("datalist", { id: "names" }, names.map((name) => element("option", { value: name })));
  const button = (text, label, click) => element("button", { type: "button", "aria-label": label, title: label, click }, text);
  return [element("div", { class: "tools" },
    links.length > 1 ? slider() : null,
    element("div", { class: "search" }, find, list),
    element("div", { class: "buttons" },
      button("+", "Zoom in", () => graph.view.zoom(1.4)),
      button("−", "Zoom out", () => graph.view.zoom(1 / 1.4)),
      button("Fit", "Fit: show the whole graph", () => graph.view.fit()),
      element("button", { type: "button", id: "all", hidden: true, click: () => choose(null) }, "Show all columns")))];
}

function slider() {
  const what = hasConfidence ? "Hide links with confidence below" : "Hide links with rank correlation below";
  const input = element("input", { type: "range", id: "cut", min: 0, max: 1, step: 0.01, value: 0, input: (event) => cutAt(Number(event.target.value)) });
  return element("div", { class: "cut" }, element("label", { for: "cut" }, `${what} `, element("output", { id: "cut-value", for: "cut" })), input);
}

function graphNotes() {
  const drawn = told.drawn < links.length ? `The graph shows the ${told.drawn} strongest of ${links.length} links. ` : "";
  return [
    element("p", { class: "note-text", id: "cut-note", "aria-live": "polite" }),
    note(`${drawn}Causes stand above effects. ${legendOfGraph()}Click a link or a column for its evidence; drag to move; click the graph, then scroll to zoom.`),
  ];
}

function legendOfGraph() {
  const said = [];
  if (run.order) said.push("Small numbers: place in the causal order. ");
  if (hasConfidence) said.push("Wide lines: high confidence. ");
  if (links.some((one) => one.undecided)) said.push("No arrow: the data do not tell the direction. ");
  return said.join("");
}

function takeNodes() {
  for (const node of graph.picture.querySelectorAll("[data-node]")) {
    const column = Number(node.dataset.node);
    graph.nodes.set(column, node);
    pressable(node, null, () => choose(column));
    hover(node, () => near(neighbours(column)));
  }
}

function takeLinks() {
  for (const drawn of graph.picture.querySelectorAll("[data-from]")) {
    const one = linkOf.get(`${drawn.dataset.from} ${drawn.dataset.to}`);
    const line = drawn.querySelector(".edge");
    // A line is hard to hit: a wide one that is not seen takes its place.
    drawn.prepend(shape("path", { class: "hit", d: line.getAttribute("d") }));
    graph.links.push({ drawn, one });
    pressable(drawn, one.name, () => openLink(one));
    hover(drawn, () => near(new Set([one.from, one.to]), one));
  }
}

/** A part that is pressed by mouse and by key; without a label its title is its name. */
function pressable(part, label, press) {
  filled(part, { tabindex: 0, role: "button", "aria-label": label, click: press }, []);
  part.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    press();
  });
}

function hover(part, show) {
  const leave = () => (graph.chosen === null ? near(null) : near(neighbourhood(graph.chosen)));
  filled(part, { pointerenter: show, pointerleave: leave, focus: show, blur: leave }, []);
}

function neighbours(node) {
  return new Set([node, ...causesOf(node).map((one) => one.from), ...effectsOf(node).map((one) => one.to)]);
}

/** All direct and indirect causes and effects of a column. */
function neighbourhood(node) {
  const up = reached(node, (at) => causesOf(at).map((one) => one.from));
  const down = reached(node, (at) => effectsOf(at).map((one) => one.to));
  return new Set([...up, ...down]);
}

/** Fades everything but some columns and the links among them, or but one link. */
function near(columns, only = null) {
  graph.picture.classList.toggle("faded", columns !== null);
  if (!columns) return;
  graph.nodes.forEach((drawn, node) => drawn.classList.toggle("near", columns.has(node)));
  for (const { drawn, one } of graph.links) {
    drawn.classList.toggle("near", only ? one === only : columns.has(one.from) && columns.has(one.to));
  }
}

/** Shows a column with its causes and effects, or all of them again. */
function choose(node) {
  graph.chosen = node;
  document.getElementById("all").hidden = node === null;
  near(node === null ? null : neighbourhood(node));
  graph.nodes.forEach((drawn, other) => drawn.classList.toggle("chosen", other === node));
  if (node !== null) openColumn(node);
}

function found(event) {
  const asked = event.target.value.trim().toLowerCase();
  if (!asked) return choose(null);
  const starts = names.findIndex((name) => name.toLowerCase().startsWith(asked));
  const node = nodeOf.get(event.target.value) ?? (starts >= 0 ? starts : names.findIndex((name) => name.toLowerCase().includes(asked)));
  if (node < 0) return;
  choose(node);
  graph.view.centre(graph.nodes.get(node));
}

function firstCut() {
  if (names.length <= AT_FIRST || links.length <= AT_FIRST) return 0;
  return Math.floor(strength(links[AT_FIRST - 1]) * 100) / 100;
}

function cutAt(value) {
  graph.cut = value;
  const shown = graph.links.filter(({ drawn, one }) => {
    const hidden = strength(one) < value;
    drawn.classList.toggle("cut-away", hidden);
    return !hidden;
  });
  const linked = new Set(shown.flatMap(({ one }) => [one.from, one.to]));
  graph.nodes.forEach((drawn, node) => drawn.classList.toggle("lonely", value > 0 && !linked.has(node)));
  const input = document.getElementById("cut");
  if (!input) return;
  input.value = value;
  document.getElementById("cut-value").textContent = value.toFixed(2);
  document.getElementById("cut-note").textContent = value > 0 ? `${shown.length} of ${graph.links.length} links are shown.` : "";
}

function byKeys(event) {
  const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
  if (event.target.matches("input")) return;
  if (moves[event.key]) graph.view.move(...moves[event.key]);
  else if (event.key === "+" || event.key === "=") graph.view.zoom(1.4);
  else if (event.key === "-") graph.view.zoom(1 / 1.4);
  else if (event.key === "Escape") choose(null);
  else return;
  event.preventDefault();
}
