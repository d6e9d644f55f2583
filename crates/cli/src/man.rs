//! `oslow man`.

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory};
use clap_mangen::Man;
use oslow::{Error, Result, VERSION, write_whole};
use serde_json::json;

use crate::arguments::{Arguments, Common};
use crate::output;

/// Where to write them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  oslow man --out man1

Read one with `man man1/oslow-discover.1`. Pages that are there already are written again.")]
pub struct ManArguments {
    /// Folder to write the pages into
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub fn run(arguments: &ManArguments, common: &Common) -> Result<()> {
    let folder = &arguments.out;
    if folder.is_file() {
        return Err(Error::input(format!("`{}` is a file, not a folder", folder.display()))
            .with_hint("name a folder with `--out`"));
    }
    std::fs::create_dir_all(folder).map_err(|e| Error::io("create", folder, e))?;
    // Pages are those of a version, not of the machine that writes them.
    let mut program = Arguments::command().version(VERSION);
    program.build();
    let mut pages = vec![write_page(program.clone(), folder)?];
    for command in program.get_subcommands().filter(|command| command.get_name() != "help") {
        // Its own version would be the program's once more.
        pages.push(write_page(command.clone().disable_version_flag(true), folder)?);
    }
    if common.json {
        return output::print_json(&json!({ "pages": pages }));
    }
    common.note(format_args!("saved {} pages in `{}`", pages.len(), folder.display()));
    Ok(())
}

/// Writes the page of a command; the name of its file.
fn write_page(command: clap::Command, folder: &Path) -> Result<String> {
    let page = Man::new(command).source(format!("oslow {VERSION}"));
    let name = page.get_filename();
    let mut text = Vec::new();
    page.render(&mut text).map_err(|e| Error::internal(format!("{name} cannot be written: {e}")))?;
    write_whole(&folder.join(&name), &text)?;
    Ok(name)
}
