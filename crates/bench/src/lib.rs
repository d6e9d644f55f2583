//! Experiments: problems × methods × pruners × seeds, stored as they finish, beside the published numbers.
//!
//! An [`Experiment`] is read from a TOML file. [`run`] turns it into cells, does those that its folder does not
//! have yet, and writes `results.csv` and the summary. Every table has the rows that tell whether its numbers mean
//! anything: a random order, R²-sort both ways, the true order and the empty graph.

#![forbid(unsafe_code)]

mod cell;
mod experiment;
mod figure;
mod memory;
mod merge;
mod plan;
mod problem;
mod published;
mod row;
mod schedule;
mod statistic;
mod store;
mod summary;
mod tables;

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use oslow::{Error, Observer, Result};

pub use experiment::{Contestant, Experiment, Figure, ProblemKind};
pub use published::Published;
pub use store::Shard;

use figure::{FigureJob, Point};
use merge::merged;
use row::Row;
use schedule::{Job, run_jobs};
use store::{Cells, Store};
use summary::{State, Summary, write_pictures};

/// Where and how an experiment is run.
#[derive(Clone, Debug)]
pub struct BenchOptions {
    /// The folder of results.
    pub out: PathBuf,
    /// Whether to go on with what is in the folder.
    pub resume: bool,
    /// Whether cells that failed are tried again.
    pub retry_failed: bool,
    /// Which of the cells to do.
    pub part: Part,
    /// How many cells at once; `None`: one per core.
    pub threads: Option<usize>,
    /// Where named folders of data are.
    pub folders: BTreeMap<String, PathBuf>,
    /// The command to print below the tables.
    pub command: String,
}

/// Which of an experiment's cells are done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// All.
    #[default]
    All,
    /// Those of a shard.
    Shard(Shard),
    /// None: all were done as shards, which these folders hold.
    Merge(Vec<PathBuf>),
}

/// How an experiment ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Cells that are done, those of earlier runs included.
    pub done: usize,
    /// All cells (of this shard).
    pub total: usize,
    /// What was left out, and how it can be had.
    pub skipped: Vec<String>,
    /// The summary as Markdown; a shard has none.
    pub summary: Option<String>,
}

/// Runs an experiment, or what is left of it, or puts its shards together.
///
/// A cell's result does not depend on the number of threads, on the shard or on what was run before.
pub fn run(experiment: &Experiment, options: &BenchOptions, observer: &mut dyn Observer) -> Result<Outcome> {
    if experiment.problems.is_empty() {
        let jobs = FigureJob::all(experiment)?;
        let summarize = |rows: &[&[String]], state: &State| {
            let points: Vec<Point> = rows.iter().filter_map(|row| Point::from_fields(row)).collect();
            write_pictures(&options.out, &points)?;
            Ok(Summary::of_points(experiment, &points, state, &options.command))
        };
        return run_all(&jobs, &Point::header(), Vec::new(), options, observer, summarize);
    }
    let problems = problem::expand(experiment, &options.folders)?;
    let cells = plan::cells(experiment, &problems.problems)?;
    let summarize = |rows: &[&[String]], state: &State| {
        let rows = rows.iter().map(|row| Row::from_fields(row)).collect::<Result<Vec<_>>>()?;
        Ok(Summary::of_rows(experiment, &rows, state, &options.command))
    };
    run_all(&cells, &Row::header(), problems.skipped, options, observer, summarize)
}

/// The number of an experiment's cells. Refuses, before work starts, an experiment that cannot be run, and a folder whose results it would overwrite.
pub fn cells(experiment: &Experiment, options: &BenchOptions) -> Result<usize> {
    if !options.resume {
        store::expect_no_results(&options.out, None)?;
    }
    if experiment.problems.is_empty() {
        return FigureJob::all(experiment).map(|jobs| jobs.len());
    }
    let problems = problem::expand(experiment, &options.folders)?;
    plan::cells(experiment, &problems.problems).map(|cells| cells.len())
}

fn run_all<J: Job>(
    jobs: &[J],
    header: &[String],
    skipped: Vec<String>,
    options: &BenchOptions,
    observer: &mut dyn Observer,
    summarize: impl Fn(&[&[String]], &State) -> Result<Summary>,
) -> Result<Outcome> {
    let keys: Vec<&str> = jobs.iter().map(Job::key).collect();
    let distinct: HashSet<&str> = keys.iter().copied().collect();
    if distinct.len() < keys.len() {
        return Err(Error::input("the experiment asks for the same cell twice")
            .with_hint("look for a problem or a method that stands in it twice"));
    }
    let summed_up = |cells: &Cells| {
        let rows: Vec<&[String]> =
            keys.iter().filter_map(|key| cells.get(*key)).flatten().map(Vec::as_slice).collect();
        let done = keys.iter().filter(|key| cells.contains_key(**key)).count();
        let state = State { missing: keys.len() - done, skipped: skipped.clone() };
        let summary = summarize(&rows, &state)?;
        summary.write(&options.out)?;
        let (total, skipped, summary) = (keys.len(), skipped.clone(), Some(summary.markdown()));
        Ok(Outcome { done, total, skipped, summary })
    };
    let shard = match &options.part {
        Part::All => None,
        Part::Shard(shard) => Some(*shard),
        Part::Merge(folders) => {
            store::expect_no_results(&options.out, None)?;
            let header = store::full(header);
            let cells = merged(folders, &header, &keys)?;
            std::fs::create_dir_all(&options.out).map_err(|e| Error::io("create", &options.out, e))?;
            store::write_sorted(&options.out, &header, &keys, &cells)?;
            return summed_up(&cells);
        }
    };
    let mut store = Store::open(&options.out, header, shard, options.resume)?;
    store.expect_only(&distinct)?;
    if options.retry_failed {
        store.forget_failed();
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.unwrap_or(cores);
    let Some(shard) = shard else {
        run_jobs(jobs, &mut store, threads, observer)?;
        store.sort(&keys)?;
        return summed_up(store.cells());
    };
    let own: Vec<&J> = shard.of(jobs).collect();
    let progress = run_jobs(&own, &mut store, threads, observer)?;
    Ok(Outcome { done: progress.done, total: progress.total, skipped, summary: None })
}
