//! `cargo xtask bench-python`: the same work from the command line and from Python, taking turns.

use crate::python_tests::install;
use crate::shell::{Program, cargo, target};
use crate::{Command, expect_only};

pub const COMMAND: Command = Command {
    name: "bench-python",
    summary: "time the same discoveries from the command line and from Python, and print the ratios",
    run,
};

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&[], arguments)?;
    Program::new(cargo(), &["build", "--release"]).run()?;
    let python = install()?;
    let (program, folder) = (target().join("release/oslow"), target());
    Program::new(
        &python,
        &["benches/python/overhead.py", &program.to_string_lossy(), &folder.to_string_lossy()],
    )
    .run()
}
