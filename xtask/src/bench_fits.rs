//! `cargo xtask bench-fits`: the share of the machine's peak that the loops of a fit reach, and sets of causes scored per second.

use crate::shell::{Program, cargo};
use crate::{Command, expect_only};

pub const COMMAND: Command = Command {
    name: "bench-fits",
    summary: "the share of the machine's peak that the loops of a fit reach, and sets of causes scored per second",
    run,
};

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&[], arguments)?;
    Program::new(cargo(), &["bench", "--package", "oslow-exact", "--bench", "fits"])
        .with_variables(&[("RAYON_NUM_THREADS", "1".into())])
        .run()
}
