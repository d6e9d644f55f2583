//! Small runs of every method against what they gave before: a change that is meant to change no result must change none of these.
//!
//! The runs and what they gave stand in `fixtures/golden/runs.json`. To add one, add its first keys there; `cargo xtask golden` fills in the
//! rest. Where results are meant to change, the same command writes the new ones, and the changelog says so.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::path::PathBuf;

use oslow::prelude::*;
use serde::{Deserialize, Serialize};

/// If it is set, the file is written and not compared with.
const WRITE: &str = "OSLOW_WRITE_GOLDEN";

/// By how much `nll` may differ, as a share of it: sums over rows are made in vectors, whose width differs between processors, and with it
/// the last digits. Orders and edges may not differ at all.
const TOLERANCE: f64 = 1e-9;
/// The same without vectors, where a product is rounded before it is added to something: fits stop a little elsewhere.
const TOLERANCE_WITHOUT_VECTORS: f64 = 1e-7;

/// A run, and what it gave.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    data: Data,
    method: String,
    #[serde(default)]
    settings: Settings,
    prune: String,
    #[serde(default)]
    prune_settings: Settings,
    #[serde(default = "standardized")]
    standardize: String,
    seed: u64,
    /// Columns, causes first; `None`: the method yields a graph and no order.
    #[serde(default)]
    order: Option<Vec<String>>,
    /// Cause and effect.
    #[serde(default)]
    edges: Vec<[String; 2]>,
    /// `None`: the method has none.
    #[serde(default)]
    nll: Option<f64>,
}

/// A table to be drawn, or some rows and columns of one that is built in.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Data {
    Drawn { simulate: Settings, rows: usize, seed: u64 },
    BuiltIn { table: String, columns: Vec<String>, rows: usize },
}

fn standardized() -> String {
    Standardize::default().to_string()
}

impl Data {
    fn sample(&self) -> Sample {
        match self {
            Self::Drawn { simulate, rows, seed } => {
                let spec = oslow::configure(simulate).unwrap();
                oslow::scm::simulate(&spec, *rows, Seed(*seed)).unwrap().sample
            }
            Self::BuiltIn { table, columns, rows } => {
                let sample = oslow::data::load(table).unwrap().sample;
                let columns: Vec<usize> = columns.iter().map(|name| sample.index_of(name).unwrap()).collect();
                let first: Vec<usize> = (0..*rows).collect();
                sample.select_columns(&columns).unwrap().select_rows(&first).unwrap()
            }
        }
    }
}

impl Run {
    /// The same with what it gives now, which is the same on one thread and on two.
    fn again(&self) -> Self {
        let sample = self.data.sample();
        let [one, two] = [1, 2].map(|threads| self.on(&sample, threads));
        let gave = |run: &Self| (run.order.clone(), run.edges.clone(), run.nll);
        assert_eq!(gave(&one), gave(&two), "the number of threads changes\n{}", self.asked());
        one
    }

    fn on(&self, sample: &Sample, threads: usize) -> Self {
        let options = DiscoverOptions {
            method: self.method.clone(),
            settings: self.settings.clone(),
            prune: self.prune.clone(),
            prune_settings: self.prune_settings.clone(),
            standardize: self.standardize.parse().unwrap(),
            seed: Seed(self.seed),
            threads: Some(threads),
            ..DiscoverOptions::default()
        };
        let found = discover(sample, &options, &mut Silent, &mut ForgetfulCheckpoint);
        let found = found.unwrap_or_else(|error| panic!("{error}\n{}", self.asked()));
        let name = |column: usize| found.columns[column].clone();
        Self {
            order: found.order.as_ref().map(|order| order.nodes().iter().map(|&node| name(node)).collect()),
            edges: found.edges.iter().map(|edge| [name(edge.from), name(edge.to)]).collect(),
            nll: found.nll,
            ..self.clone()
        }
    }

    fn gave_like(&self, other: &Self) -> bool {
        let scalar = oslow::simd_name().unwrap() == "scalar";
        let tolerance = if scalar { TOLERANCE_WITHOUT_VECTORS } else { TOLERANCE };
        let near = match (self.nll, other.nll) {
            (Some(a), Some(b)) => (a - b).abs() <= tolerance * b.abs(),
            (a, b) => a == b,
        };
        near && (&self.order, &self.edges) == (&other.order, &other.edges)
    }

    /// What was asked for, a line for each key.
    fn asked(&self) -> String {
        let Self { data, method, settings, prune, prune_settings, standardize, seed, .. } = self;
        [
            line("data", data),
            line("method", method),
            line("settings", settings),
            line("prune", prune),
            line("prune_settings", prune_settings),
            line("standardize", standardize),
            line("seed", seed),
        ]
        .join(",\n")
    }

    /// What it gave, a line for each key.
    fn gave(&self) -> String {
        [line("order", &self.order), line("edges", &self.edges), line("nll", &self.nll)].join(",\n")
    }
}

fn line(key: &str, value: &impl Serialize) -> String {
    format!("    {key:?}: {}", serde_json::to_string(value).unwrap())
}

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/golden/runs.json")
}

/// Writes the runs, by method. Each key has a line, so that a changed order is one changed line.
fn write(mut runs: Vec<Run>) {
    runs.sort_by_key(|run| (run.method.clone(), run.asked()));
    let text = |run: &Run| format!("  {{\n{},\n{}\n  }}", run.asked(), run.gave());
    let runs: Vec<String> = runs.iter().map(text).collect();
    std::fs::write(file(), format!("[\n{}\n]\n", runs.join(",\n"))).unwrap();
}

#[test]
fn runs_give_what_they_gave() {
    let runs: Vec<Run> = serde_json::from_str(&std::fs::read_to_string(file()).unwrap()).unwrap();
    let now: Vec<Run> = runs.iter().map(Run::again).collect();
    if std::env::var_os(WRITE).is_some() {
        return write(now);
    }
    let changed: Vec<String> = (runs.iter().zip(&now))
        .filter(|(before, now)| !now.gave_like(before))
        .map(|(before, now)| format!("{}\n  before\n{}\n  now\n{}", now.asked(), before.gave(), now.gave()))
        .collect();
    assert!(
        changed.is_empty(),
        "{} of {} runs changed; if they should, `cargo xtask golden` writes what they give now\n\n{}",
        changed.len(),
        runs.len(),
        changed.join("\n\n")
    );
}
