//! `oslow fit`.

use std::path::PathBuf;

use clap::Args;
use oslow::{
    Error, FitOptions, Interventional, Ordering, Result, Settings, Standardize, fit, fit_settings,
    write_whole,
};
use serde_json::json;

use crate::arguments::Common;
use crate::progress::Watcher;
use crate::reading::{ReadArguments, read};
use crate::stderr::say;
use crate::{files, names, output, settings};

const EXAMPLES: &str = "\
Examples:
  oslow fit data.csv --order age,diet,weight --out model.safetensors
  oslow fit data.csv --order age,diet,weight --set epochs=300 --set flow.base=laplace --out longer.safetensors";

/// What to fit, and where to save it.
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{}", settings::help(fit_settings(&Settings::new()))))]
pub struct FitArguments {
    /// A table (.csv .tsv .csv.gz .xlsx .parquet .npy), `-` for standard input, or a built-in data set
    data: String,
    /// The causal order, every column once, causes first, e.g. a,b,c; or a run folder, for the order found there
    #[arg(long, value_name = "NAMES")]
    order: String,
    /// The file for the model (safetensors)
    #[arg(long, value_name = "MODEL")]
    out: PathBuf,
    /// Overwrite the --out file
    #[arg(long)]
    force: bool,
    /// A setting, such as epochs=300 or flow.hidden=[64,64]; --help lists them
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Background knowledge: a TOML file with tiers, required, forbidden, roots, leaves
    #[arg(long, value_name = "FILE")]
    knowledge: Option<PathBuf>,
    /// Common scale: `zscore` or `none` [default: zscore]
    #[arg(long, value_name = "HOW")]
    standardize: Option<String>,
    #[command(flatten)]
    reading: ReadArguments,
}

pub fn run(arguments: FitArguments, common: &Common) -> Result<()> {
    files::check_out_file(&arguments.out)?;
    if arguments.out.exists() && !arguments.force {
        return Err(Error::input(format!("the file `{}` already exists", arguments.out.display()))
            .with_hint("overwrite it with `--force`, or name another file with `--out`"));
    }
    let sample = read(&arguments.data, &arguments.reading.config()?, common)?.sample;
    let order = names::order(&arguments.order)?;
    let order: Vec<&str> = order.iter().map(String::as_str).collect();
    let mut options = FitOptions::new(Ordering::from_names(&order, sample.names())?);
    settings::add(&mut options.settings, &arguments.set)?;
    options.standardize =
        arguments.standardize.as_deref().map(str::parse::<Standardize>).transpose()?.unwrap_or_default();
    if let Some(path) = &arguments.knowledge {
        options.knowledge = files::read_knowledge(path, sample.names())?;
    }
    (options.seed, options.threads) = (common.seed(), common.threads);
    let mut watcher = Watcher::new(sample.names(), None, common)?;
    let fitted = fit(&sample, &options, &mut watcher);
    watcher.finish();
    let fitted = fitted?;
    let saved = write_whole(&arguments.out, &fitted.flow.to_bytes()?);
    // What the fit came to is told even if it cannot be saved.
    if common.json {
        output::print_json(&json!({
            "order": fitted.flow.order().names(fitted.flow.names()),
            "nll": fitted.flow.nll(),
            "rows": sample.rows(),
            "interrupted": fitted.interrupted,
            "model": saved.is_ok().then(|| arguments.out.display().to_string()),
        }))?;
    } else if let Some(nll) = fitted.flow.nll() {
        let units = if options.standardize == Standardize::None { "the data's" } else { "standardised" };
        output::print(format!("nll     {nll:.4} nats per held-out row, in {units} units\n"))?;
    }
    if fitted.interrupted {
        say(format_args!("{}: this is the best so far", watcher.reason()));
    }
    saved?;
    common.note(format_args!("saved in `{}`", arguments.out.display()));
    Ok(())
}
