//! `oslow evaluate`.

use std::path::PathBuf;

use clap::Args;
use oslow::data::{GraphFile, Layout, open_graph};
use oslow::metrics::{Answer, r2_sortability, var_sortability};
use oslow::{Dag, Error, Ordering, Prepared, Preparing, ReadConfig, Result, evaluate, nearest, read_run};
use serde_json::Value;

use crate::arguments::Common;
use crate::{names, output, reading};

/// What is judged, and by which truth.
#[derive(Args)]
#[command(after_help = FILES)]
pub struct EvaluateArguments {
    /// The true graph: a file, or the built-in data set whose graph it is
    #[arg(long, value_name = "FILE")]
    truth: String,
    /// A causal order, such as a,b,c, causes first
    #[arg(long, value_name = "NAMES", conflicts_with_all = ["graph", "run"], required_unless_present_any = ["graph", "run"])]
    order: Option<String>,
    /// A graph
    #[arg(long, value_name = "FILE", conflicts_with = "run")]
    graph: Option<String>,
    /// The folder of a run, made by `oslow discover --out`: its order and its graph
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Names of all nodes, including nodes without edges; also names the columns of an unlabelled matrix
    #[arg(long, value_name = "NAMES", conflicts_with = "run")]
    columns: Option<String>,
    /// The data that the answer was learned from: adds var_sortability and r2_sortability, how well sorting the columns by
    /// variance or R² would have done (1 the causal order, 0 its reverse, 0.5 chance)
    #[arg(long, value_name = "FILE")]
    data: Option<String>,
}

const FILES: &str = "\
Examples:
  oslow evaluate --truth truth.csv --run run --data data.csv
  oslow evaluate --truth truth.csv --order age,diet,weight
  oslow evaluate --truth truth.csv --graph run/edges.csv --columns age,diet,weight

A graph is a table of edges with the columns from and to (or source and target), or a square matrix of 0 and 1, row → column, with or without a
line of names; .csv, .tsv, .txt or (matrix) .npy. The nodes are the columns of the run, or all names in the files, the order
and --columns together. `oslow list metrics` explains the metrics; one that does not apply is null, `–` without --json.";

pub fn run(arguments: &EvaluateArguments, common: &Common) -> Result<()> {
    let Task { nodes, truth, order, graph } = arguments.task(common)?;
    let answer = Answer { order: order.as_ref(), graph: graph.as_ref() };
    let judged = evaluate(&truth, &answer, common.threads)?;
    let mut lines: Vec<Line> = judged
        .iter()
        .map(|j| Line {
            name: j.metric.name,
            value: j.value,
            whole: j.metric.whole,
            summary: j.metric.summary,
        })
        .collect();
    if let Some(data) = &arguments.data {
        lines.extend(sortabilities(data, &nodes, &truth, common)?);
    }
    output::print(if common.json { in_json(&lines) } else { in_words(&lines) })
}

/// What is to be judged, over the same nodes.
struct Task {
    nodes: Vec<String>,
    truth: Dag,
    order: Option<Ordering>,
    graph: Option<Dag>,
}

impl EvaluateArguments {
    fn task(&self, common: &Common) -> Result<Task> {
        let truth = open_graph(&self.truth)?;
        if let Some(folder) = &self.run {
            let found = read_run(folder)?;
            let truth = truth.over(&found.columns)?;
            return Ok(Task { nodes: found.columns, truth, order: found.order, graph: Some(found.graph) });
        }
        let columns = self.columns.as_deref().map(names::split).transpose()?.unwrap_or_default();
        if let Some(path) = &self.graph {
            let graph = open_graph(path)?;
            let nodes = union(columns, &[&truth, &graph])?;
            return Ok(Task {
                truth: truth.over(&nodes)?,
                graph: Some(graph.over(&nodes)?),
                nodes,
                order: None,
            });
        }
        let named = names::order(self.order.as_deref().unwrap_or_default())?;
        let open = truth.layout == Layout::EdgeTable && columns.is_empty();
        let mut nodes = union(columns, &[&truth])?;
        if open {
            self.check_complete(&nodes, &named)?;
            let isolated = named.iter().filter(|name| !nodes.contains(name)).cloned().collect::<Vec<_>>();
            for name in &isolated {
                common.note(format_args!("`{name}` has no edges in `{}`", self.truth));
            }
            nodes.extend(isolated);
        }
        let words: Vec<&str> = named.iter().map(String::as_str).collect();
        let order = Ordering::from_names(&words, &nodes)?;
        Ok(Task { truth: truth.over(&nodes)?, nodes, order: Some(order), graph: None })
    }

    /// Refuses an order that lacks a node with edges.
    fn check_complete(&self, nodes: &[String], named: &[String]) -> Result<()> {
        let Some(missing) = nodes.iter().find(|node| !named.contains(node)) else { return Ok(()) };
        let extra = named.iter().filter(|name| !nodes.contains(name)).map(String::as_str);
        let error =
            Error::input(format!("order: `{missing}` is missing, which has edges in `{}`", self.truth));
        Err(error.with_hint(match nearest(missing, extra) {
            Some(near) => format!("did you mean `{missing}` where the order has `{near}`?"),
            None => "name each node once, causes first".into(),
        }))
    }
}

/// All nodes. Matrices come first: the order of their rows may be all that tells their nodes apart.
fn union(columns: Vec<String>, files: &[&GraphFile]) -> Result<Vec<String>> {
    let mut nodes: Vec<String> = Vec::new();
    let mut add = |name: &String, twice: bool| {
        if !nodes.contains(name) {
            nodes.push(name.clone());
        } else if twice {
            return Err(
                Error::input(format!("--columns: `{name}` is named twice")).with_hint("name each node once")
            );
        }
        Ok(())
    };
    columns.iter().try_for_each(|name| add(name, true))?;
    let mut named = !columns.is_empty();
    for layout in [Layout::NamedMatrix, Layout::PlainMatrix, Layout::EdgeTable] {
        for file in files.iter().filter(|file| file.layout == layout) {
            // A matrix without names has those that are known from elsewhere.
            if layout != Layout::PlainMatrix || !named {
                file.names.iter().try_for_each(|name| add(name, false))?;
            }
            named |= layout == Layout::NamedMatrix;
        }
    }
    Ok(nodes)
}

/// A name, its value and what it means.
struct Line {
    name: &'static str,
    value: Option<f64>,
    whole: bool,
    summary: &'static str,
}

fn sortabilities(data: &str, nodes: &[String], truth: &Dag, common: &Common) -> Result<[Line; 2]> {
    let config = ReadConfig { columns: Some(nodes.to_vec()), ..ReadConfig::default() };
    let sample = reading::read(data, &config, common)?.sample;
    let sample = Prepared::new(&sample, Preparing::as_given())?;
    let line = |name, value, summary| Line { name, value, whole: false, summary };
    Ok([
        line(
            "var_sortability",
            var_sortability(truth, &sample),
            "share of causal paths along which variance grows",
        ),
        line("r2_sortability", r2_sortability(truth, &sample)?, "share of causal paths along which R² grows"),
    ])
}

/// One object, in the order of the lines: `serde_json`'s own objects are sorted by key.
fn in_json(lines: &[Line]) -> String {
    let value = |line: &Line| match line.value {
        Some(count) if line.whole => Value::from(count as u64),
        other => Value::from(other),
    };
    let members: Vec<String> =
        lines.iter().map(|line| format!("  \"{}\": {}", line.name, value(line))).collect();
    format!("{{\n{}\n}}\n", members.join(",\n"))
}

fn in_words(lines: &[Line]) -> String {
    let value = |line: &Line| match line.value {
        Some(count) if line.whole => format!("{count}"),
        Some(share) => format!("{share:.4}"),
        None => "–".into(),
    };
    let values: Vec<String> = lines.iter().map(value).collect();
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let names = width(&mut lines.iter().map(|line| line.name.len()));
    let numbers = width(&mut values.iter().map(|value| value.chars().count()));
    let text = |(line, value): (&Line, &String)| {
        format!("{:names$}  {value:>numbers$}  {}\n", line.name, line.summary)
    };
    lines.iter().zip(&values).map(text).collect()
}
