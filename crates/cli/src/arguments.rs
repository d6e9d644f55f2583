//! The commands and what they have in common.

use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand};
use oslow::{Seed, most_threads};

#[cfg(feature = "app")]
use crate::app;
use crate::stderr::say;
use crate::{
    bench, check, completions, counterfactual, discover, effects, evaluate, fit, intervene, list, man, prune,
    report, sample, simulate, version,
};

/// Causal discovery: data in, causal order and graph out
#[derive(Parser)]
#[command(name = "oslow", version = version::version(), arg_required_else_help = true, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub common: Common,
}

const EXAMPLES: &str = "\
Examples:
  oslow discover                                  Learn from the built-in Sachs data
  oslow discover data.csv --out run               Write order, graph and settings into the folder run
  oslow discover data.csv --fit --out model       Fit a model to the graph as well
  oslow intervene model --do diet=2 --target weight
  oslow simulate --graph path --nodes 5 --rows 1000 --out simulated
  oslow discover simulated/data.csv --out found
  oslow evaluate --truth simulated/truth.csv --run found

`oslow COMMAND --help` shows more examples.
Exit codes: 0 success, 2 invalid input or arguments, 1 any other error.";

#[derive(Subcommand)]
pub enum Command {
    /// Learn the causal order and the graph of a table's columns
    Discover(Box<discover::DiscoverArguments>),
    /// Check whether the data speak against the assumptions of an answer
    Check(check::CheckArguments),
    /// Choose each variable's causes among those before it in a known order
    Prune(Box<prune::PruneArguments>),
    /// Write a run as one HTML page
    Report(report::ReportArguments),
    /// Compare an order, graph or run with the true graph
    Evaluate(evaluate::EvaluateArguments),
    /// List methods, pruners, metrics, data sets and what to simulate from
    List(list::ListArguments),
    /// Draw a causal model and a table from it
    Simulate(simulate::SimulateArguments),
    /// Fit a flow to a table whose causal order is known
    Fit(Box<fit::FitArguments>),
    /// Draw rows from a fitted flow
    Sample(sample::SampleArguments),
    /// Estimate the average effect of a column on another, with the doubt about the graph
    Effects(Box<effects::EffectsArguments>),
    /// Predict the means of other variables under an intervention
    Intervene(intervene::InterveneArguments),
    /// Predict each row's values if some variables had been different
    Counterfactual(counterfactual::CounterfactualArguments),
    /// Run an experiment: methods on many data sets, beside the published numbers
    Bench(bench::BenchArguments),
    /// Open a page on this computer on which a table becomes a graph
    #[cfg(feature = "app")]
    App(app::AppArguments),
    /// Print a completion script for your shell
    Completions(completions::CompletionsArguments),
    /// Write manual pages, one per command
    Man(man::ManArguments),
}

/// Seeds are whole numbers that TOML can hold.
pub fn seed_parser() -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(..=i64::MAX as u64)
}

/// What every command takes.
#[derive(Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// Seed of all randomness [default: 0]
    #[arg(long, global = true, value_name = "N", value_parser = seed_parser())]
    pub seed: Option<u64>,
    /// Threads to use, at most 4 per core; never changes a result [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub threads: Option<usize>,
    /// No progress, notes or warnings
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Print one JSON value
    #[arg(long, global = true)]
    pub json: bool,
}

impl Common {
    /// The seed, 0 where none was given.
    pub fn seed(&self) -> Seed {
        Seed(self.seed.unwrap_or(0))
    }

    /// Lowers the number of threads to the most that are used, and says so.
    pub fn limit_threads(&mut self) {
        let most = most_threads();
        if let Some(asked) = self.threads.filter(|threads| *threads > most) {
            self.note(format_args!("using {most} threads (4 per core), not {asked}"));
            self.threads = Some(most);
        }
    }

    /// Tells the user something on stderr.
    pub fn note(&self, text: impl std::fmt::Display) {
        if !self.quiet {
            say(text);
        }
    }

    /// Warns the user on stderr.
    pub fn warn(&self, text: impl std::fmt::Display) {
        self.note(format_args!("warning: {text}"));
    }
}
