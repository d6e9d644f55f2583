// The parts in their order. The picture is kept as it came, for those who take it with them.

const original = new XMLSerializer().serializeToString(body("graph").querySelector("svg"));
showGraph();
showLinks();
showDoubts();
showColumns();
showConditions();
showOrder();
showChecks();
showEffects();
showHow();
showDownloads(original);
firstPanel();
