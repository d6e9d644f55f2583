//! `cargo xtask fmt`: rustfmt over every source file.
//!
//! `cargo fmt` finds files by following `mod` declarations and does not look into macros, so it would miss every
//! module that a registry declares. The list of files comes from git instead.

use crate::shell::{Program, root};
use crate::{Command, expect_only};

pub const COMMAND: Command =
    Command { name: "fmt", summary: "format every source file (--check: only look)", run };

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&["--check"], arguments)?;
    format(!arguments.is_empty())
}

/// Formats all source files, or fails if one is not formatted.
pub fn format(check: bool) -> Result<(), String> {
    let mut arguments = vec!["--edition", "2024"];
    arguments.extend(check.then_some("--check"));
    Program::new("rustfmt", &arguments).with_files(&sources()?, "$(git ls-files '*.rs')").run()
}

/// Every `.rs` file that git tracks or would track, as far as it exists.
pub fn sources() -> Result<Vec<String>, String> {
    let listed = ["ls-files", "--cached", "--others", "--exclude-standard", "--", "*.rs"];
    let mut files: Vec<String> = Program::new("git", &listed).output()?.lines().map(String::from).collect();
    files.sort();
    files.dedup();
    files.retain(|file| root().join(file).is_file());
    Ok(files)
}
