//! `oslow report`.

use std::path::PathBuf;

use clap::Args;
use oslow::{Error, Result, RunFiles, report_page, write_whole};
use serde_json::json;

use crate::arguments::Common;
use crate::{files, output};

/// The page of a run, in its folder.
const PAGE: &str = "report.html";

/// Which run to show, and where.
#[derive(Args)]
#[command(after_help = "\
Examples:
  oslow report run
  oslow report run --out page.html

`oslow discover DATA --out run` writes run/report.html by itself.")]
pub struct ReportArguments {
    /// The folder of a run
    run: PathBuf,
    /// Write the page into this file [default: report.html in the run folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the --out file
    #[arg(long, requires = "out")]
    force: bool,
}

pub fn run(arguments: &ReportArguments, common: &Common) -> Result<()> {
    let place = arguments.out.clone().unwrap_or_else(|| arguments.run.join(PAGE));
    let found = RunFiles::read(&arguments.run)?;
    files::check_out_file(&place)?;
    if arguments.out.as_ref().is_some_and(|out| out.exists()) && !arguments.force {
        return Err(Error::input(format!("the file `{}` already exists", place.display()))
            .with_hint("overwrite it with `--force`, or name another file with `--out`"));
    }
    if found.get("evidence.json").is_none() {
        common.warn("the run folder holds no evidence.json; the page has no histograms and no points");
    }
    let page = report_page(&found).map_err(|e| e.at(arguments.run.display()))?;
    write_whole(&place, page.as_bytes())?;
    if common.json {
        return output::print_json(&json!({ "report": place.display().to_string(), "bytes": page.len() }));
    }
    common.note(format_args!("saved in `{}`", place.display()));
    Ok(())
}
