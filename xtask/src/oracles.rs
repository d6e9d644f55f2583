//! `cargo xtask oracles`: the program against other people's programs, by way of its command line.

use crate::shell::{Program, cargo, target};
use crate::{Command, expect_only, python};

pub const COMMAND: Command = Command {
    name: "oracles",
    summary: "compare the program with gadjid on 500 pairs of graphs; needs Python 3.10",
    run,
};

/// What is to be installed, and the scripts that take the path of the program.
pub const REQUIREMENTS: &str = "tests/oracles/requirements.txt";
const SCRIPTS: [&str; 1] = ["tests/oracles/evaluate.py"];

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&[], arguments)?;
    oracles()
}

/// Runs every comparison; the first that differs is an error.
pub fn oracles() -> Result<(), String> {
    let python = python::environment("oracles-python", REQUIREMENTS)?;
    Program::new(cargo(), &["build", "--release", "--package", "oslow-cli"]).run()?;
    let program = target().join("release").join(format!("oslow{}", std::env::consts::EXE_SUFFIX));
    for script in SCRIPTS {
        Program::new(&python, &[script, &program.to_string_lossy()]).run()?;
    }
    Ok(())
}
