//! `oslow completions`.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use oslow::Result;

use crate::arguments::Arguments;
use crate::output;

/// Which shell.
#[derive(Args)]
#[command(after_help = "\
Examples:
  oslow completions bash > ~/.local/share/bash-completion/completions/oslow")]
pub struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

pub fn run(arguments: &CompletionsArguments) -> Result<()> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "oslow", &mut text);
    output::print(text)
}
