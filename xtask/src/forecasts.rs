//! `cargo xtask forecasts`: what `exact` is forecast to take on tables of many kinds, and what it takes.

use crate::shell::{Program, cargo};
use crate::{Command, number};

pub const COMMAND: Command = Command {
    name: "forecasts",
    summary: "what `exact` is forecast to take on thirteen kinds of tables, and the processor time that it takes ([SEED [TABLE…]])",
    run,
};

fn run(arguments: &[String]) -> Result<(), String> {
    let seed = number(arguments, 0, 21)?.to_string();
    let example = ["run", "--release", "--package", "oslow", "--example", "forecasts", "--", &seed];
    let tables = arguments.iter().skip(1).map(String::as_str);
    Program::new(cargo(), &example.into_iter().chain(tables).collect::<Vec<_>>()).run()
}
