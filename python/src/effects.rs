//! Average effects with the doubt about the graph.

use numpy::PyReadonlyArray2;
use oslow::{EffectGraph, EffectQuestion, GraphDoubt, Seed};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::errors::{raised, unreadable};
use crate::listen::work;
use crate::table;

/// What is asked; values are numbers or names of levels, as text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    on: String,
    target: String,
    from: Option<String>,
    to: Option<String>,
    grid: Vec<f64>,
    seed: Option<u64>,
}

/// The average effect in a table, given the `run.json` of a run on it; JSON, as `oslow effects --json` prints it. `None` if it was stopped.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "the face calls it by position; each is one thing a user may say"
)]
#[pyo3(signature = (values, names, typing, run, question, threads, budget, listener))]
pub fn mean_effect<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'py, f64>,
    names: Vec<String>,
    typing: &str,
    run: &str,
    question: &str,
    threads: Option<usize>,
    budget: Option<f64>,
    listener: Option<Py<PyAny>>,
) -> PyResult<Option<String>> {
    let sample = table::sample(py, &values, names, typing)?;
    let asked = || {
        let Question { on, target, from, to, grid, seed } =
            serde_json::from_str(question).map_err(unreadable)?;
        Ok((EffectQuestion { on, target, from, to, grid }, GraphDoubt::from_json(run)?, seed))
    };
    let (question, doubt, seed) = asked().map_err(|e| raised(py, e))?;
    let seed = seed.map_or(doubt.seed(), Seed);
    let found = work(py, listener, budget, |observer| {
        oslow::mean_effect(&sample, &question, EffectGraph::Doubted(&doubt), seed, threads, observer)
    })?;
    found.map(|found| serde_json::to_string(&found).map_err(|e| raised(py, unreadable(e)))).transpose()
}
