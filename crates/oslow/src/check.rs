//! Whether the data speak against what an answer assumes.

use oslow_core::{Check, Dag, ForgetfulCheckpoint, Observer, Prepared, Result, Sample, unless_stopped};
use oslow_exact::{LocalConfig, LocalScores, Watch};
use serde::Serialize;

use crate::plan::read_knowledge;
use crate::pool::with_threads;
use crate::{DiscoverOptions, discover};

/// A check as JSON has it.
#[derive(Serialize)]
pub struct CheckRecord<'a> {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p_value: Option<f64>,
    verdict: &'static str,
    meaning: &'a str,
}

impl<'a> CheckRecord<'a> {
    /// The record of a check of columns with these names.
    pub fn new(check: &'a Check, names: &'a [String]) -> Self {
        let column = |k: usize| check.columns.get(k).map(|&node| names[node].as_str());
        Self {
            name: check.name,
            column: column(0),
            other: column(1),
            p_value: check.p_value,
            verdict: check.verdict(),
            meaning: &check.meaning,
        }
    }
}

/// Checks the assumptions of a graph of the table's columns; without one, those of the graph that the method of the options finds.
pub fn check(
    sample: &Sample,
    graph: Option<&Dag>,
    options: &DiscoverOptions,
    observer: &mut dyn Observer,
) -> Result<Vec<Check>> {
    let Some(graph) = graph else {
        return Ok(discover(sample, options, observer, &mut ForgetfulCheckpoint)?.checks);
    };
    let prepared = Prepared::new(sample, options.preparing())?;
    let config = LocalConfig::default();
    let knowledge = read_knowledge(&options.knowledge, sample.names())?;
    with_threads(options.threads, &observer.stop(), |_| {
        let watch = Watch { observer, checkpoint: &mut ForgetfulCheckpoint };
        let checked = || {
            let scores = LocalScores::of_graph(&prepared, graph, &config, &knowledge, options.seed, watch)?;
            scores.checks((graph, graph), sample.names(), &config, options.seed)
        };
        unless_stopped(checked).unwrap_or(Ok(Vec::new()))
    })
}
