//! `oslow bench`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use oslow::{Error, Result};
use oslow_bench::{BenchOptions, Experiment, Outcome, Part, run as run_experiment};
use serde_json::json;

use crate::arguments::Common;
use crate::output;
use crate::progress::Watcher;
use crate::stderr::say;

/// Which experiment, and where its results go.
#[derive(Args)]
#[command(after_help = "\
Examples:
  oslow bench experiments/synthetic_small.toml --profile quick --out results
  oslow bench experiments/sachs.toml --profile quick --resume
  oslow bench experiments/sachs.toml --profile quick --shard 1/2 --out part1     On another machine: 2/2, part2
  oslow bench experiments/sachs.toml --profile quick --merge part1 part2 --out whole

Rows go to DIR/results.csv as they finish, the tables to DIR/summary.md, .html and .tex. A run that was stopped or
killed goes on with --resume; an experiment that has grown since (more sets, more methods) grows the same way.")]
pub struct BenchArguments {
    /// The experiment, such as experiments/synthetic_small.toml
    experiment: PathBuf,
    /// A profile of the experiment, such as quick
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// The folder for results [default: bench/EXPERIMENT[-PROFILE]]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Continue the experiment in the --out folder
    #[arg(long)]
    resume: bool,
    /// Try cells again that failed
    #[arg(long, requires = "resume")]
    retry_failed: bool,
    /// Do the i-th of n parts only, such as 2/4
    #[arg(long, value_name = "I/N")]
    shard: Option<String>,
    /// Merge the finished shards in these folders into the --out folder, and write the tables
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["shard", "resume"])]
    merge: Vec<PathBuf>,
    /// Path of a data folder used by the experiment, e.g. syntren=DIR
    #[arg(long, value_name = "NAME=DIR")]
    folder: Vec<String>,
    /// Number of data sets per kind (overrides the experiment file)
    #[arg(long, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    sets: Option<usize>,
}

pub fn run(arguments: &BenchArguments, common: &Common) -> Result<()> {
    let mut experiment = Experiment::read(&arguments.experiment, arguments.profile.as_deref())?;
    experiment.seed = common.seed.unwrap_or(experiment.seed);
    experiment.sets = arguments.sets.unwrap_or(experiment.sets);
    let options = arguments.options(common)?;
    let mut watcher = Watcher::new(&[], None, common)?;
    let ended = run_experiment(&experiment, &options, &mut watcher);
    watcher.finish();
    let outcome = ended?;
    outcome.skipped.iter().for_each(|text| common.note(text));
    if !outcome.skipped.is_empty() {
        common.note("hint: say where a folder of data is with `--folder NAME=DIR`");
    }
    report(&outcome, &options.out, common)
}

impl BenchArguments {
    fn options(&self, common: &Common) -> Result<BenchOptions> {
        Ok(BenchOptions {
            out: self.out.clone().unwrap_or_else(|| self.standard_folder()),
            resume: self.resume,
            retry_failed: self.retry_failed,
            part: self.part()?,
            threads: common.threads,
            folders: self.folder.iter().map(|text| named_folder(text)).collect::<Result<BTreeMap<_, _>>>()?,
            command: self.command(common),
        })
    }

    fn part(&self) -> Result<Part> {
        Ok(match self.shard.as_deref() {
            Some(shard) => Part::Shard(shard.parse()?),
            None if self.merge.is_empty() => Part::All,
            None => Part::Merge(self.merge.clone()),
        })
    }

    fn standard_folder(&self) -> PathBuf {
        let stem = self.experiment.file_stem().unwrap_or_default().to_string_lossy();
        let profile = self.profile.as_ref().map(|name| format!("-{name}")).unwrap_or_default();
        Path::new("bench").join(format!("{stem}{profile}"))
    }

    /// What makes the same numbers again; where folders are is the reader's own affair.
    fn command(&self, common: &Common) -> String {
        let mut words = vec![format!("oslow bench {}", self.experiment.display())];
        words.extend(self.profile.iter().map(|name| format!("--profile {name}")));
        words.extend(self.sets.iter().map(|sets| format!("--sets {sets}")));
        words.extend(common.seed.iter().map(|seed| format!("--seed {seed}")));
        let folders = self.folder.iter().filter_map(|text| text.split_once('='));
        words.extend(folders.map(|(name, _)| format!("--folder {name}=DIR")));
        words.join(" ")
    }
}

fn named_folder(text: &str) -> Result<(String, PathBuf)> {
    let refuse =
        |what: String, hint: &str| Err(Error::input(format!("--folder {text}: {what}")).with_hint(hint));
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && Path::new(path).is_dir() => Ok((name.into(), path.into())),
        Some((name, path)) if !name.is_empty() => refuse(
            format!("there is no folder `{path}`"),
            "paths count from the folder where oslow was started",
        ),
        _ => refuse("there is no `=`".into(), "for example `--folder syntren=data/syntren`"),
    }
}

fn report(outcome: &Outcome, out: &Path, common: &Common) -> Result<()> {
    let Outcome { done, total, .. } = *outcome;
    if common.json {
        output::print_json(&json!({
            "done": done, "total": total, "skipped": outcome.skipped, "out": out.display().to_string(),
        }))?;
    } else if let Some(summary) = &outcome.summary {
        output::print(summary)?;
    }
    if done < total {
        // Said even if quiet: the answer is not what was asked for.
        say(format_args!("stopped after {done} of {total} cells; add `--resume` to continue"));
    }
    common.note(format_args!("saved in `{}`", out.display()));
    Ok(())
}
