//! The program `oslow`: data goes to stdout, everything else to stderr.

#![forbid(unsafe_code)]
#![deny(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "they panic where nobody reads; see `stderr` and `output`"
)]

mod actions;
#[cfg(feature = "app")]
mod app;
mod arguments;
mod bench;
mod check;
mod completions;
mod counterfactual;
mod discover;
mod effects;
mod evaluate;
mod files;
mod fit;
mod forecast;
mod intervene;
mod list;
mod man;
mod names;
mod output;
mod preparing;
mod printed;
mod progress;
mod prune;
mod reading;
mod remedy;
mod report;
mod sample;
mod settings;
mod simulate;
mod stderr;
mod stop;
mod version;
mod visible;

use std::process::ExitCode;

use clap::Parser;
use oslow::Error;

use arguments::{Arguments, Command};
use stderr::say;

fn main() -> ExitCode {
    let Arguments { command, mut common } = Arguments::parse();
    if let Err(error) = oslow::simd_name() {
        return refuse(&error);
    }
    common.limit_threads();
    let done = match command {
        Command::Discover(arguments) => discover::run(*arguments, &common),
        Command::Prune(arguments) => prune::run(&arguments, &common),
        Command::Check(arguments) => check::run(&arguments, &common),
        Command::Bench(arguments) => bench::run(&arguments, &common),
        Command::List(arguments) => list::run(&arguments, &common),
        Command::Evaluate(arguments) => evaluate::run(&arguments, &common),
        Command::Simulate(arguments) => simulate::run(arguments, &common),
        Command::Report(arguments) => report::run(&arguments, &common),
        Command::Fit(arguments) => fit::run(*arguments, &common),
        Command::Sample(arguments) => sample::run(&arguments, &common),
        Command::Intervene(arguments) => intervene::run(&arguments, &common),
        Command::Effects(arguments) => effects::run(&arguments, &common),
        Command::Counterfactual(arguments) => counterfactual::run(&arguments, &common),
        #[cfg(feature = "app")]
        Command::App(arguments) => app::run(&arguments, &common),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments, &common),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => refuse(&error),
    }
}

/// Says what is wrong and what to do about it; 2 means that the user can mend it.
fn refuse(error: &Error) -> ExitCode {
    say(format_args!("error: {error}"));
    if let Some(remedy) = error.remedy() {
        say(format_args!("hint: {}", remedy::worded(&remedy)));
    }
    ExitCode::from(if error.is_input() { 2 } else { 1 })
}
