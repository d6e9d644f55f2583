//! Experiments.

use std::collections::BTreeMap;
use std::path::PathBuf;

use oslow::{Choice, Remedy, Result};
use oslow_bench::{BenchOptions, Experiment, Outcome, Part, Shard};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::errors::{raised_in, unreadable};
use crate::listen::work_in;
use crate::remedy;

/// What the face says about a run of an experiment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    /// The text of the experiment's file, and how messages name it.
    experiment: String,
    name: String,
    profile: Option<String>,
    seed: Option<u64>,
    sets: Option<usize>,
    out: PathBuf,
    resume: bool,
    /// The number of the shard, from 1, and of all shards.
    shard: Option<(usize, usize)>,
    folders: BTreeMap<String, PathBuf>,
    threads: Option<usize>,
    command: String,
}

impl Said {
    fn read(text: &str) -> Result<(Experiment, BenchOptions)> {
        let said: Self = serde_json::from_str(text).map_err(unreadable)?;
        let experiment = Experiment::parse(&said.experiment, said.profile.as_deref());
        let mut experiment = experiment.map_err(|e| e.at(&said.name))?;
        experiment.seed = said.seed.unwrap_or(experiment.seed);
        experiment.sets = said.sets.unwrap_or(experiment.sets);
        let options = BenchOptions {
            out: said.out,
            resume: said.resume,
            retry_failed: false,
            part: said.shard.map_or(Part::All, |(index, of)| Part::Shard(Shard { index, of })),
            threads: said.threads,
            folders: said.folders,
            command: said.command,
        };
        Ok((experiment, options))
    }
}

/// Hints name the arguments of `oslow.bench`.
fn worded(remedy: &Remedy) -> String {
    let argument = |choice: Choice, value: Option<&str>| match choice {
        Choice::Out => "`out`".into(),
        Choice::Resume => "`resume=True`".into(),
        other => remedy::parameter(other, value),
    };
    remedy.worded(argument, remedy::call)
}

/// Runs an experiment, a shard of it, or what is left of it: cells that are done, all cells, what was skipped, and the summary, which a shard has not.
#[pyfunction]
pub fn bench(
    py: Python<'_>,
    said: &str,
    listener: Option<Py<PyAny>>,
) -> PyResult<(usize, usize, Vec<String>, Option<String>)> {
    let (experiment, options) = Said::read(said).map_err(|e| raised_in(py, e, worded))?;
    let run = |observer: &mut dyn oslow::Observer| oslow_bench::run(&experiment, &options, observer);
    let Outcome { done, total, skipped, summary } = work_in(py, listener, None, worded, run)?;
    Ok((done, total, skipped, summary))
}

/// The number of an experiment's cells; refuses what [`bench`] would refuse before work starts.
#[pyfunction]
pub fn bench_cells(py: Python<'_>, said: &str) -> PyResult<usize> {
    let cells =
        || Said::read(said).and_then(|(experiment, options)| oslow_bench::cells(&experiment, &options));
    py.detach(cells).map_err(|e| raised_in(py, e, worded))
}

/// The name of the file that a shard writes.
#[pyfunction]
pub fn shard_file(index: usize, of: usize) -> String {
    Shard { index, of }.file()
}

/// The number of the shard that a file of this name holds, and of all shards; None if it is no shard's.
#[pyfunction]
pub fn shard_of_file(name: &str) -> Option<(usize, usize)> {
    Shard::of_file(name).map(|shard| (shard.index, shard.of))
}
