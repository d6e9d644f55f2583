// What the data leave open.

function showDoubts() {
  const parts = [...undecided(), ...otherPairs(), ...determined(), ...onlyResamples(), ...ties()];
  if (!parts.length) parts.push(hasConfidence
    ? paragraph("Every link in the graph has a direction that the data tell, and no other pair is likely to be linked. That holds if the assumptions do.")
    : paragraph(`The method ${run.method} does not say how sure it is. The method exact does, and so does a bootstrap, which repeats the analysis on resamples of the rows.`));
  body("doubts").append(...parts);
}

function item(...children) {
  return element("li", {}, ...children);
}

function undecided() {
  const open = links.filter((one) => one.undecided);
  if (!open.length) return [];
  const odds = (one) => (one.chances ? `: ${names[one.from]} → ${names[one.to]} ${probability(one.chances.forward)}, ${names[one.to]} → ${names[one.from]} ${probability(one.chances.backward)}` : "");
  return [element("h3", {}, "Directions"),
    paragraph(`${count(open.length, "pair is", "pairs are")} linked, but the data fit either direction about as well. Treat their direction as unknown:`),
    element("ul", {}, open.map((one) => item(element("b", {}, `${names[one.from]} — ${names[one.to]}`), odds(one))))];
}

function otherPairs() {
  const linked = new Set(links.map((one) => pairKey(one.from, one.to)));
  const others = [...pairOf].filter(([key, pair]) => pair.none <= 0.5 && !linked.has(key)).map(([, pair]) => pair).sort((a, b) => a.none - b.none);
  if (!others.length) return [];
  return [element("h3", {}, "Other likely links"),
    paragraph("The graph has no direct link between these, since its other links predict nearly as well, but they are likely to have one:"),
    element("ul", {}, others.slice(0, 12).map((pair) => item(element("b", {}, `${pair.a} — ${pair.b}`), ` ${probability(1 - pair.none)}`))),
    others.length > 12 ? note(`And ${others.length - 12} more, in the JSON.`) : null].filter(Boolean);
}

function determined() {
  if (!run.determined?.length) return [];
  return [element("h3", {}, "Columns that determine each other"),
    paragraph("Each of these can be computed from the other, so nothing in the data tells which is the cause:"),
    element("ul", {}, run.determined.map(([a, b]) => item(element("b", {}, `${a} — ${b}`))))];
}

function onlyResamples() {
  if (!run.other_edges?.length) return [];
  const some = [...run.other_edges].sort((a, b) => b.confidence - a.confidence).slice(0, 10);
  return [element("h3", {}, "Links that only resamples have"),
    element("ul", {}, some.map((edge) => item(element("b", {}, `${edge.from} → ${edge.to}`), ` ${probability(edge.confidence)}`)))];
}

function ties() {
  if (!(run.ties > 1) || run.pairs) return [];
  return [paragraph(`${run.ties.toLocaleString("en")} causal orders fit equally well: columns without a link between them can swap places.`)];
}
