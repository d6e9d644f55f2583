//! `oslow discover`.

use std::path::PathBuf;

use clap::Args;
use oslow::data::STANDARD_INPUT;
use oslow::{
    Discovery, Error, FolderRun, ForgetfulCheckpoint, Result, RunConfig, Settings, check_folder, discover,
    finished_run, held_run,
};

use crate::arguments::Common;
use crate::preparing::PrepareArguments;
use crate::progress::{Watcher, parse_budget};
use crate::reading::{ReadArguments, read};
use crate::stderr::say;
use crate::{files, output, printed, settings};

/// The data set that is taken where none is named.
const STANDARD_DATA: &str = "sachs";
/// The method that transforms columns.
const TRANSFORMS: &str = "exact";
/// Settings under this key are the pruner's.
const PRUNER: &str = "prune";

/// What to discover, and how.
#[derive(Args)]
#[command(after_help = "\
Examples:
  oslow discover data.csv --out run
  oslow discover data.csv --knowledge known.toml --bootstrap 100
  oslow discover data.csv --fit --out model            Then: oslow intervene model --do diet=2
  oslow discover data.csv --method cam --prune cam
  oslow discover data.csv --set local.folds=10 --set sufficient.explained=0.99
  oslow discover --config run/config.toml --seed 1     Repeat a run with another seed

Ctrl-C stops at the next step, prints the best so far and keeps what --resume needs (exit code 0);
a second Ctrl-C leaves at once (exit code 130).")]
pub struct DiscoverArguments {
    /// A table (.csv .tsv .csv.gz .xlsx .parquet .npy), `-` for standard input, or a built-in data set [default: sachs]
    data: Option<String>,
    /// The order learner, see `oslow list methods` [default: exact]
    #[arg(long, value_name = "NAME")]
    method: Option<String>,
    /// The pruner, see `oslow list pruners` [default: likelihood]
    #[arg(long, value_name = "NAME")]
    prune: Option<String>,
    /// A setting of the method, such as local.folds=10 or sufficient.explained=0.9; of the pruner: prune.KEY=VALUE
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Read options from a file, such as the config.toml of a run; the command line wins
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Analyse columns as they are (`none`), as logarithms where positive (`log`), as normal scores (`normal-scores`), or as fits best (`auto`) [default: auto]
    #[arg(long, value_name = "HOW")]
    transform: Option<String>,
    #[command(flatten)]
    preparing: PrepareArguments,
    /// Estimate confidence by repeating the analysis on B bootstrap resamples
    #[arg(long, value_name = "B")]
    bootstrap: Option<usize>,
    /// Fit a flow to the graph, for `oslow intervene`, `sample` and `counterfactual`
    #[arg(long, requires = "out")]
    fit: bool,
    /// Stop after this time with the best so far, such as 60s, 5m, 1.5h
    #[arg(long, value_name = "TIME")]
    budget: Option<String>,
    /// Write order, graph, settings and a report page into this folder; with --fit also a model
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Continue the interrupted run in the --out folder, or show the finished one again
    #[arg(long, requires = "out")]
    resume: bool,
    /// Overwrite the run in the --out folder
    #[arg(long, requires = "out", conflicts_with = "resume")]
    force: bool,
    #[command(flatten)]
    reading: ReadArguments,
}

pub fn run(arguments: DiscoverArguments, common: &Common) -> Result<()> {
    let budget = arguments.budget.as_deref().map(parse_budget).transpose()?;
    let config = arguments.combined(common)?;
    let mut options = config.options()?;
    options.threads = common.threads;
    let data = options.dataset.get_or_insert_with(|| STANDARD_DATA.into()).clone();
    if let Some(folder) = &arguments.out {
        check_folder(folder)?;
        if let Some(held) = held_run(folder).filter(|_| !arguments.resume && !arguments.force) {
            return Err(held.refuse(folder));
        }
    }
    let sample = read(&data, &config.read, common)?.sample;
    if let Some(path) = &arguments.preparing.knowledge {
        options.knowledge = files::read_knowledge(path, sample.names())?;
    }
    if let Some(folder) = arguments.out.as_deref().filter(|_| arguments.resume)
        && let Some(finished) = finished_run(folder, &sample, &options)?
    {
        common
            .note(format_args!("the run in `{}` is already finished; this is its result", folder.display()));
        return output::print(if common.json { finished.json } else { finished.words });
    }
    let mut watcher = Watcher::new(sample.names(), budget, common)?;
    let Some(folder) = &arguments.out else {
        let found = discover(&sample, &options, &mut watcher, &mut ForgetfulCheckpoint);
        watcher.finish();
        let found = found?;
        print(&found, common)?;
        say_how_it_ended(&found, &watcher, false);
        return Ok(());
    };
    let run = FolderRun::open(folder, &sample, &options, arguments.resume)?;
    if arguments.resume && !run.has_state() {
        common.note(format_args!("no state to continue from in `{}`; starting over", folder.display()));
    }
    let answer = run.discover(&sample, &options, &config.read, &mut watcher, printed::discovery);
    watcher.finish();
    let answer = answer?;
    // An answer that cannot be saved is still shown.
    print(&answer.found, common)?;
    say_how_it_ended(&answer.found, &watcher, answer.saved.is_ok() && answer.lost.is_none());
    answer.saved.map_err(|e| files::not_saved(folder, e))?;
    if let Some(error) = answer.lost {
        common.warn(format_args!("{error}; the run cannot be resumed"));
    }
    common.note(format_args!("saved in `{}`", folder.display()));
    Ok(())
}

impl DiscoverArguments {
    /// The configuration file with what the command line says instead.
    fn combined(&self, common: &Common) -> Result<RunConfig> {
        let mut config = match &self.config {
            Some(path) => RunConfig::from_toml(&files::read_text(path)?).map_err(|e| e.at(path.display()))?,
            None => RunConfig::default(),
        };
        leave_out(&mut config.settings, config.method.as_deref(), self.method.as_deref(), common);
        leave_out(&mut config.prune_settings, config.prune.as_deref(), self.prune.as_deref(), common);
        settings::add(&mut config.settings, &self.set)?;
        if let Some(transform) = &self.transform {
            let method = self.method.as_deref().or(config.method.as_deref()).unwrap_or(TRANSFORMS);
            if method != TRANSFORMS {
                return Err(Error::input(format!(
                    "--transform: the method `{method}` takes columns as they are"
                ))
                .with_hint(format!("only `{TRANSFORMS}` transforms columns")));
            }
            settings::add(&mut config.settings, &[format!("local.transform={transform}")])?;
        }
        config.prune_settings.extend(take_table(&mut config.settings, PRUNER));
        let RunConfig { data, method, prune, standardize, outliers, bootstrap, seed, .. } = config;
        Ok(RunConfig {
            data: self.data.clone().or(data),
            method: self.method.clone().or(method),
            prune: self.prune.clone().or(prune),
            standardize: self.preparing.standardize.clone().or(standardize),
            outliers: self.preparing.outliers.clone().or(outliers),
            bootstrap: self.bootstrap.or(bootstrap),
            fit: self.fit || config.fit,
            seed: common.seed.or(seed),
            read: config.read.overridden(self.reading.config()?),
            ..config
        })
    }
}

/// Leaves out the settings that a file has for another method or pruner than the command line names.
fn leave_out(settings: &mut Settings, filed: Option<&str>, asked: Option<&str>, common: &Common) {
    if let (Some(filed), Some(asked)) = (filed, asked)
        && filed != asked
        && !settings.is_empty()
    {
        common
            .note(format_args!("the config file's settings are for `{filed}`; `{asked}` does not use them"));
        settings.clear();
    }
}

fn print(found: &Discovery, common: &Common) -> Result<()> {
    output::print(if common.json { found.to_json()? } else { printed::discovery(found) })
}

fn say_how_it_ended(found: &Discovery, watcher: &Watcher, resumable: bool) {
    if found.interrupted {
        let piped = found.dataset.as_deref() == Some(STANDARD_INPUT);
        let how_on = match (resumable, piped) {
            (true, false) => "; `--resume` goes on with it",
            (true, true) => "; `--resume` goes on with it if you pipe the same table in again",
            (false, _) => "",
        };
        let how_far = match &found.confidence {
            Some(confidence) => {
                let (finished, asked) = (confidence.finished, confidence.asked);
                format!("{} with {finished} of {asked} resamples finished", watcher.reason())
            }
            None => watcher.reason_and_steps(),
        };
        // Said even if quiet: the answer is not what was asked for.
        let what = if found.order.is_none() && found.edges.is_empty() {
            "nothing was learned yet"
        } else {
            "this is the best so far"
        };
        say(format_args!("{how_far}: {what}{how_on}"));
    }
}

/// Takes a table out of the settings. What stands under the key but is no table is left there, to be refused.
fn take_table(settings: &mut Settings, key: &str) -> Settings {
    match settings.remove(key) {
        Some(toml::Value::Table(table)) => table,
        Some(other) => {
            settings.insert(key.into(), other);
            Settings::new()
        }
        None => Settings::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_of_the_pruner_stand_under_their_own_key() {
        let mut table = Settings::new();
        settings::add(&mut table, &["prune.cut=0.1".into(), "cycles=2".into()]).unwrap();
        assert_eq!(take_table(&mut table, PRUNER), "cut = 0.1".parse().unwrap());
        assert_eq!(table, "cycles = 2".parse().unwrap());
        settings::add(&mut table, &["prune=cam".into()]).unwrap();
        assert!(take_table(&mut table, PRUNER).is_empty() && table.contains_key(PRUNER));
    }
}
