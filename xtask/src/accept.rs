//! `cargo xtask accept`: how right the orders are, on simulated and reference data; takes some ten minutes.

use crate::shell::{Program, cargo};
use crate::{Command, expect_only};

pub const COMMAND: Command = Command {
    name: "accept",
    summary: "measure accuracy on data that no setting was chosen on; minutes",
    run,
};

const TESTS: [&str; 9] = [
    "test",
    "--release",
    "--package=oslow-order",
    "--test=accuracy",
    "--",
    "--ignored",
    "--nocapture",
    "--test-threads=1",
    "--quiet",
];

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&[], arguments)?;
    Program::new(cargo(), &TESTS).run()
}
