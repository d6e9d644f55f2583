//! `cargo xtask golden`: what small runs of every method give now, written to `fixtures/golden/runs.json`.

use crate::shell::{Program, cargo};
use crate::{Command, expect_only};

pub const COMMAND: Command = Command {
    name: "golden",
    summary: "write fixtures/golden/runs.json again, where results are meant to change",
    run,
};

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&[], arguments)?;
    Program::new(cargo(), &["test", "--package", "oslow", "--test", "golden"])
        .with_variables(&[("OSLOW_WRITE_GOLDEN", "1".into())])
        .run()?;
    Program::new("git", &["diff", "--stat", "--", "fixtures/golden"]).run()
}
