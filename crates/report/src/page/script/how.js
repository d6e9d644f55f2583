// How the run was done, how to repeat it, how to cite it.

function showHow() {
  const removed = run.rows_removed ? ` (${run.rows_removed} left out as outliers)` : "";
  const drawn = run.rows_drawn ? `, of which ${run.rows_drawn.toLocaleString("en")} were drawn at random and analysed` : "";
  const piped = run.dataset === "-";
  const missing = (run.columns_info ?? []).reduce((sum, info) => sum + info.missing, 0);
  const facts = [
    ["Data", piped ? "standard input; the table was not kept" : run.dataset ?? "a table in memory"],
    ["Rows", `${run.rows.toLocaleString("en")}${removed}${drawn}`],
    ["Missing cells", missing ? `${missing.toLocaleString("en")}, filled several times with values of rows that are alike; confidences contain that doubt` : null],
    ["Method", `${run.method}, graph by the pruner ${run.prune}`],
    ["Score", run.nll === null || run.nll === undefined ? null : `${number(run.nll)} nats per held-out row${run.nll_no_causes === undefined ? "" : `, ${number(run.nll_no_causes)} without any cause`} (lower is better)`],
    ["Seed", String(run.seed)],
    ["Time", `${number(run.seconds)} seconds`],
    ["Version", `oslow ${run.version}`],
  ].filter(([, value]) => value !== null);
  body("how").append(
    element("dl", {}, facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
    element("h3", {}, "Repeat it"),
    paragraph(piped
      ? "On the command line (RUN is the folder of this run, TABLE the table that was piped in):"
      : "On the command line, where the first run was started (RUN is the folder of this run):"),
    code(`oslow discover --config RUN/config.toml --out again${piped ? " < TABLE" : ""}`),
    paragraph("From Python:"),
    code(python()),
    note("Other settings have the same names there. Those under [read] are parameters of oslow.read_table."),
    element("details", {}, element("summary", {}, "Every setting (config.toml)"), code(told.config ?? "The run folder holds no config.toml.")),
    element("h3", {}, "Cite it"),
    code(`oslow ${run.version}, method ${run.method}. Causal discovery in Rust. Computer program.`),
    paragraph("The method oslow is that of: H. Kamkari, V. Balazadeh, V. Zehtab, R. G. Krishnan, “Order-based Structure Learning with Normalizing Flows”."));
}

function python() {
  const text = (value) => JSON.stringify(value);
  const { missing, types, condition, targets } = told.read ?? {};
  const known = Object.entries({ missing, types, condition, targets }).filter(([, value]) => value && Object.keys(value).length);
  const prepared = [["standardize", run.standardize, "zscore"], ["outliers", run.outliers, "none"]].filter(([, value, usual]) => value !== undefined && value !== usual);
  const others = [...known, ...prepared].map(([name, value]) => `, ${name}=${text(value)}`).join("");
  const data = run.dataset && run.dataset !== "-" ? text(run.dataset) : "table";
  return `import oslow\n\nmodel = oslow.discover(${data}, method=${text(run.method)}, prune=${text(run.prune)}, seed=${run.seed}${others})\nmodel.report("report.html")`;
}

function code(text) {
  return element("pre", { tabindex: 0 }, element("code", {}, text));
}
