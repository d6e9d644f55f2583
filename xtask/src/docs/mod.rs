//! `cargo xtask docs`: runs what README, guide, the Python README and `--help` tell users to type.
//!
//! Each document gets a folder of its own under `target/docs`, with small tables under the names that documents use ([`scratch`]). Its commands run
//! there one after the other, as a reader would type them; what would take minutes is made smaller by rules ([`smaller`]). A command that fails is
//! reported with document, line and output, and so is one that succeeds although its comment begins with `fails`.

mod blocks;
mod commands;
mod flags;
mod reader;
mod scratch;
mod smaller;

use std::path::Path;

use crate::shell::{Program, cargo, root};
use crate::{Command, expect_only, python_tests};

use reader::{Reader, Told};
use scratch::Scratch;

pub const COMMAND: Command = Command {
    name: "docs",
    summary: "run the commands of README, guide, python/README.md and --help on small data (--shell: no Python)",
    run,
};

const FEW: &[&str] = &["age", "diet", "weight"];
const MORE: &[&str] = &["age", "diet", "exercise", "weight", "glucose"];

/// What users read, and the columns of its `data.csv`.
const DOCUMENTS: [(&str, &[&str]); 3] =
    [("README.md", FEW), ("docs/guide.md", MORE), ("python/README.md", FEW)];

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&["--shell"], arguments)?;
    let python = if arguments.is_empty() { Some(python_tests::install()?) } else { None };
    docs(python.as_deref())
}

/// Follows every document. Python blocks need a Python that has the package.
pub fn docs(python: Option<&Path>) -> Result<(), String> {
    Program::new(cargo(), &["build", "--release", "--package", "oslow-cli"]).run()?;
    let mut told = Told::new();
    let help = Scratch::new("help", FEW)?;
    let texts = help_texts(&help)?;
    let known = flags::of_help(texts.iter().map(|(_, text)| text.as_str()));
    for (document, columns) in DOCUMENTS {
        let text = std::fs::read_to_string(root().join(document))
            .map_err(|e| format!("cannot read {document}: {e}"))?;
        for (line, flag) in flags::unknown(&text, &known) {
            told.failures.push(format!("{document}:{line}: no command has the option `{flag}`"));
        }
        let scratch = Scratch::new(document, columns)?;
        Reader { document, scratch: &scratch, python }.follow(&text, &mut told)?;
    }
    for (document, text) in &texts {
        let examples = commands::examples(text);
        if examples.is_empty() {
            told.failures.push(format!("`{document}` has no examples"));
        }
        for typed in examples {
            Reader { document, scratch: &help, python }.enter(&typed, &mut told)?;
        }
    }
    told.sum_up()
}

/// The help of the program and of each of its commands, by what shows it.
fn help_texts(scratch: &Scratch) -> Result<Vec<(String, String)>, String> {
    let help = |command: String| -> Result<(String, String), String> {
        let done = scratch.shell(&command)?;
        if done.succeeded() { Ok((command, done.output)) } else { Err(format!("`{command}`: {done}")) }
    };
    let first = help("oslow --help".into())?;
    let others = commands::subcommands(&first.1);
    let others = others.iter().map(|name| help(format!("oslow {name} --help")));
    std::iter::once(Ok(first.clone())).chain(others).collect()
}
