// Files that the page makes of itself.

function showDownloads(original) {
  const button = (name, make) => element("button", { type: "button", click: make }, name);
  body("downloads").append(element("div", { class: "buttons" },
    button("Result (JSON)", () => save("run.json", "application/json", JSON.stringify(run, null, 2))),
    button("Links (CSV)", () => save("edges.csv", "text/csv", told.edges_csv)),
    button("Graph (SVG)", () => save("graph.svg", "image/svg+xml", original)),
    button("Graph (PNG)", () => savePng(original))),
  note("The page itself needs no network: send it as it is. Every file of the run lies beside it in the run's folder."));
}

function save(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const anchor = element("a", { href: address, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Draws the picture at twice its size, as far as a canvas can hold it. */
function savePng(original) {
  const picture = new Image();
  picture.addEventListener("load", () => {
    const factor = Math.min(2, 8000 / Math.max(picture.width, picture.height));
    const canvas = element("canvas", { width: Math.round(picture.width * factor), height: Math.round(picture.height * factor) });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save("graph.png", "image/png", blob), "image/png");
  });
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(original)}`;
}
