//! `oslow check`.

use std::path::PathBuf;

use clap::Args;
use oslow::{CheckRecord, DiscoverOptions, Error, Result, check, read_run};
use serde_json::json;

use crate::arguments::Common;
use crate::progress::Watcher;
use crate::reading::{ReadArguments, read};
use crate::{output, printed, settings};

/// What to check.
#[derive(Args)]
#[command(after_help = "\
Examples:
  oslow check data.csv
  oslow check data.csv --run run --json")]
pub struct CheckArguments {
    /// A table (.csv .tsv .csv.gz .xlsx .parquet .npy), `-` for standard input, or a built-in data set
    data: String,
    /// Check the graph of this run folder [default: discover a graph with `exact` first]
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadArguments,
}

pub fn run(arguments: &CheckArguments, common: &Common) -> Result<()> {
    let answer = arguments.run.as_deref().map(read_run).transpose()?;
    let sample = read(&arguments.data, &arguments.reading.config()?, common)?.sample;
    if let Some(answer) = answer.as_ref().filter(|answer| answer.columns != sample.names()) {
        let message = format!("the run has the columns {}", answer.columns.join(", "));
        return Err(Error::input(message).with_hint("choose the same columns of the table with `--columns`"));
    }
    let mut options = DiscoverOptions {
        dataset: Some(arguments.data.clone()),
        seed: common.seed(),
        threads: common.threads,
        ..DiscoverOptions::default()
    };
    // Confidences are not asked for here.
    settings::add(&mut options.settings, &["confidence.draws=0".into()])?;
    let mut watcher = Watcher::new(sample.names(), None, common)?;
    let found = check(&sample, answer.as_ref().map(|answer| &answer.graph), &options, &mut watcher);
    watcher.finish();
    let found = found?;
    if common.json {
        let records: Vec<CheckRecord<'_>> =
            found.iter().map(|check| CheckRecord::new(check, sample.names())).collect();
        return output::print_json(&json!(records));
    }
    output::print(printed::all_checks(&found))
}
