//! `oslow prune`.

use std::path::PathBuf;

use clap::Args;
use oslow::{
    DiscoverOptions, Ordering, OutFolder, Outliers, Result, RunConfig, Settings, Standardize, check_folder,
    held_run, prune, write_run,
};

use crate::arguments::Common;
use crate::preparing::PrepareArguments;
use crate::progress::{Watcher, parse_budget};
use crate::reading::{ReadArguments, read};
use crate::stderr::say;
use crate::{files, names, output, printed, settings};

/// What to prune, and how.
#[derive(Args)]
#[command(after_help = "\
Examples:
  oslow prune data.csv --order age,diet,weight --prune cam
  oslow prune data.csv --order age,diet,weight --prune pc-kci --set alpha=0.01 --out pruned")]
pub struct PruneArguments {
    /// A table (.csv .tsv .csv.gz .xlsx .parquet .npy), `-` for standard input, or a built-in data set
    data: String,
    /// The causal order, every column once, causes first, e.g. a,b,c; or a run folder, for the order found there
    #[arg(long, value_name = "NAMES")]
    order: String,
    /// The pruner, see `oslow list pruners`
    #[arg(long, value_name = "NAME")]
    prune: String,
    /// A setting of the pruner, such as cutoff=0.01; `oslow list pruners --json` shows all
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    preparing: PrepareArguments,
    /// Stop after this time; edges that were not looked at stay. Such as 60s, 5m, 1.5h
    #[arg(long, value_name = "TIME")]
    budget: Option<String>,
    /// Write order, graph and settings into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite the run in the --out folder
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    reading: ReadArguments,
}

pub fn run(arguments: &PruneArguments, common: &Common) -> Result<()> {
    let budget = arguments.budget.as_deref().map(parse_budget).transpose()?;
    if let Some(folder) = &arguments.out {
        check_folder(folder)?;
        if let Some(held) = held_run(folder).filter(|_| !arguments.force) {
            return Err(held.refuse(folder).with_hint(files::OVERWRITE));
        }
    }
    let mut options = arguments.options(common)?;
    let reading = arguments.reading.config()?;
    let sample = read(&arguments.data, &reading, common)?.sample;
    let order = names::order(&arguments.order)?;
    let order: Vec<&str> = order.iter().map(String::as_str).collect();
    let order = Ordering::from_names(&order, sample.names())?;
    if let Some(path) = &arguments.preparing.knowledge {
        options.knowledge = files::read_knowledge(path, sample.names())?;
    }
    let mut watcher = Watcher::new(sample.names(), budget, common)?;
    let place = arguments.out.as_deref().map(OutFolder::tried).transpose()?;
    let found = prune(&sample, &order, &options, &mut watcher);
    watcher.finish();
    let found = found.inspect_err(|_| place.iter().for_each(OutFolder::give_up))?;
    let saved = arguments.out.as_ref().map_or(Ok(()), |folder| {
        // Nothing was learned, so there is no method to name.
        let resolved = RunConfig::resolved(&found, &options, &reading)?;
        write_run(folder, &found, &RunConfig { method: None, settings: Settings::new(), ..resolved })
    });
    // An answer that cannot be saved is still shown.
    output::print(if common.json { found.to_json()? } else { printed::discovery(&found) })?;
    if found.interrupted {
        say(format_args!("{}: edges that were not looked at have stayed", watcher.reason_and_steps()));
    }
    if let Some(folder) = &arguments.out {
        saved.map_err(|e| files::not_saved(folder, e))?;
        common.note(format_args!("saved in `{}`", folder.display()));
    }
    Ok(())
}

impl PruneArguments {
    fn options(&self, common: &Common) -> Result<DiscoverOptions> {
        let mut options = DiscoverOptions {
            prune: self.prune.clone(),
            dataset: Some(self.data.clone()),
            seed: common.seed(),
            threads: common.threads,
            ..DiscoverOptions::default()
        };
        settings::add(&mut options.prune_settings, &self.set)?;
        if let Some(how) = &self.preparing.standardize {
            options.standardize = how.parse::<Standardize>()?;
        }
        if let Some(which) = &self.preparing.outliers {
            options.outliers = which.parse::<Outliers>()?;
        }
        Ok(options)
    }
}
