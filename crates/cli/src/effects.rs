//! `oslow effects`.

use std::path::Path;

use clap::Args;
use oslow::data::open_graph;
use oslow::{
    DiscoverOptions, EffectGraph, EffectQuestion, Error, ForgetfulCheckpoint, GraphDoubt, Outliers,
    ReadConfig, Result, Sample, Seed, discover, mean_effect, read_run_config, read_run_table, read_utf8,
};

use crate::arguments::Common;
use crate::preparing::PrepareArguments;
use crate::progress::Watcher;
use crate::reading::{ReadArguments, read};
use crate::stderr::say;
use crate::{actions, files, output, printed};

/// What to set, and whose mean to ask for.
#[derive(Args)]
#[command(after_help = "\
Examples:
  oslow effects data.csv --on diet --target weight
  oslow effects run --on diet --target weight --from 1 --to 3        From a run: no new discovery
  oslow effects run --on diet --target weight --grid diet=0:4:0.5
  oslow effects data.csv --on diet --target weight --graph truth.csv

The 90 % interval holds two doubts: which rows were observed, and which graph is right.
Without --graph, oslow averages over the sets of direct causes that --on may have.")]
pub struct EffectsArguments {
    /// A table (.csv .tsv .csv.gz .xlsx .parquet .npy), `-` for standard input, a built-in data set, or the folder of a run
    data: String,
    /// The column to set
    #[arg(long, value_name = "COLUMN")]
    on: String,
    /// The column whose mean to report
    #[arg(long, value_name = "COLUMN")]
    target: String,
    /// Value to set it from [default: lower quartile, or the first of two levels]
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    from: Option<String>,
    /// Value to set it to [default: upper quartile, or the second of two levels]
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    to: Option<String>,
    /// Also report the mean at many values: start, stop and step
    #[arg(long, value_name = "COLUMN=START:STOP:STEP")]
    grid: Option<String>,
    /// Use this graph instead of averaging over graphs: a table of edges or a matrix, as in `oslow evaluate`
    #[arg(long, value_name = "FILE")]
    graph: Option<String>,
    #[command(flatten)]
    preparing: PrepareArguments,
    #[command(flatten)]
    reading: ReadArguments,
}

pub fn run(arguments: &EffectsArguments, common: &Common) -> Result<()> {
    let folder = Path::new(&arguments.data);
    let source = match folder.is_dir() {
        true => arguments.of_run(folder, common)?,
        false => arguments.of_table(common)?,
    };
    let Source { sample, mut options, doubt } = source;
    let question = arguments.question(sample.names())?;
    let mut watcher = Watcher::new(sample.names(), None, common)?;
    let found = match &arguments.graph {
        Some(path) => {
            let graph = open_graph(path)?.over(sample.names())?;
            let given = EffectGraph::Given(&graph, options.outliers);
            mean_effect(&sample, &question, given, options.seed, common.threads, &mut watcher)
        }
        None => {
            // What is wrong with the question is said before a long discovery.
            question.check(&sample)?;
            let doubt = match doubt {
                Some(doubt) => Some(doubt),
                None => {
                    options.threads = common.threads;
                    learn(&sample, &options, &mut watcher)?
                }
            };
            match doubt {
                Some(doubt) => {
                    let doubted = EffectGraph::Doubted(&doubt);
                    mean_effect(&sample, &question, doubted, options.seed, common.threads, &mut watcher)
                }
                None => Ok(None),
            }
        }
    };
    watcher.finish();
    let Some(found) = found? else {
        say(format_args!("{}: no effect was estimated", watcher.reason()));
        return Ok(());
    };
    found.warnings.iter().for_each(|warning| common.warn(warning));
    match common.json {
        true => {
            output::print_json(&serde_json::to_value(&found).map_err(|e| Error::internal(e.to_string()))?)
        }
        false => output::print(printed::effect(&found)),
    }
}

/// A table, and what is known of it.
struct Source {
    sample: Sample,
    options: DiscoverOptions,
    /// What a run says about its graph.
    doubt: Option<GraphDoubt>,
}

impl EffectsArguments {
    fn of_run(&self, folder: &Path, common: &Common) -> Result<Source> {
        let PrepareArguments { knowledge, standardize, outliers } = &self.preparing;
        let given = knowledge.is_some() || standardize.is_some() || outliers.is_some();
        if given || self.reading.config()? != ReadConfig::default() {
            return Err(Error::input(format!(
                "`{}` is a run, which has its own knowledge and table",
                folder.display()
            ))
            .with_hint(
                "leave out options about knowledge, preparing and reading, or name the table instead",
            ));
        }
        let config = read_run_config(folder)?;
        let doubt = match self.graph {
            Some(_) => None,
            None => {
                let path = folder.join("run.json");
                Some(GraphDoubt::from_json(&read_utf8(&path)?).map_err(|e| e.at(path.display()))?)
            }
        };
        let mut options = config.options()?;
        if let Some(seed) = common.seed {
            options.seed = Seed(seed);
        }
        Ok(Source { sample: read_run_table(folder, &config)?.sample, options, doubt })
    }

    fn of_table(&self, common: &Common) -> Result<Source> {
        let PrepareArguments { knowledge, standardize, outliers } = &self.preparing;
        let sample = read(&self.data, &self.reading.config()?, common)?.sample;
        let mut options = DiscoverOptions {
            dataset: Some(self.data.clone()),
            standardize: standardize.as_deref().map(str::parse).transpose()?.unwrap_or_default(),
            outliers: outliers.as_deref().map(str::parse::<Outliers>).transpose()?.unwrap_or_default(),
            seed: common.seed(),
            ..DiscoverOptions::default()
        };
        if let Some(path) = knowledge {
            options.knowledge = files::read_knowledge(path, sample.names())?;
        }
        Ok(Source { sample, options, doubt: None })
    }

    fn question(&self, names: &[String]) -> Result<EffectQuestion> {
        let grid = self.grid.as_deref().map(|text| actions::grid(text, names)).transpose()?;
        if let Some(grid) = grid.as_ref().filter(|grid| names[grid.node] != self.on) {
            return Err(Error::input(format!(
                "--grid sets `{}`, and --on says `{}`",
                names[grid.node], self.on
            ))
            .with_hint("name the same column in both"));
        }
        Ok(EffectQuestion {
            on: self.on.clone(),
            target: self.target.clone(),
            from: self.from.clone(),
            to: self.to.clone(),
            grid: grid.map_or(Vec::new(), |grid| grid.values),
        })
    }
}

/// What a discovery with the default method says about the graph; `None` if it was stopped.
fn learn(sample: &Sample, options: &DiscoverOptions, watcher: &mut Watcher) -> Result<Option<GraphDoubt>> {
    let found =
        discover(sample, options, watcher, &mut ForgetfulCheckpoint).inspect_err(|_| watcher.finish())?;
    if found.interrupted {
        return Ok(None);
    }
    GraphDoubt::from_json(&found.to_json()?).map(Some)
}
