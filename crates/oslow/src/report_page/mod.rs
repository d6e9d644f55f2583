//! The folder of a run as one page.

mod effects;
mod graph;
mod written;

use oslow_core::{Error, Result};
use oslow_report::Page;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::run_folder::{EVIDENCE, RUN};
use crate::{ReadConfig, RunConfig, RunFiles, TableEvidence};
use effects::DoCurve;
use written::WrittenRun;

/// What the page is told besides its words and its picture.
#[derive(Serialize)]
struct PageData<'a> {
    /// `run.json` as it is.
    run: &'a RawValue,
    evidence: Option<TableEvidence>,
    effects: Vec<DoCurve>,
    config: Option<&'a str>,
    /// How the table was read.
    read: Option<ReadConfig>,
    edges_csv: &'a str,
    /// How many of the edges the picture shows.
    drawn: usize,
}

/// A run as one HTML page that needs no network, made of the files of its folder. Those that are not there are left out, and the page says
/// so; only `run.json` must be.
///
/// ```
/// use oslow::prelude::*;
/// use oslow::{ReadConfig, RunConfig, RunFiles, report_page};
///
/// let table = oslow::data::load("sachs")?;
/// let options = DiscoverOptions { method: "r2-sort".into(), prune: "none".into(), ..DiscoverOptions::default() };
/// let found = discover(&table.sample, &options, &mut Silent, &mut ForgetfulCheckpoint)?;
/// let files = RunFiles::new(&found, &RunConfig::resolved(&found, &options, &ReadConfig::default())?)?;
/// assert!(report_page(&files)?.starts_with("<!doctype html>"));
/// # Ok::<(), Error>(())
/// ```
pub fn report_page(files: &RunFiles) -> Result<String> {
    let text = |name: &str| files.get(name).and_then(|bytes| std::str::from_utf8(bytes).ok());
    let json = text(RUN).ok_or_else(|| Error::internal(format!("there is no {RUN} to report")))?;
    let run: WrittenRun = serde_json::from_str(json).map_err(|e| unreadable(RUN, &e))?;
    let evidence =
        files.get(EVIDENCE).map(TableEvidence::from_json).transpose().map_err(|e| e.at(EVIDENCE))?;
    let evidence = evidence.filter(|evidence| run.is_shown_by(evidence));
    let strongest = run.strongest(evidence.as_ref());
    let (picture, drawn) = graph::picture(&run, &strongest)?;
    let config = text("config.toml");
    let data = PageData {
        run: serde_json::from_str(json).map_err(|e| unreadable(RUN, &e))?,
        effects: effects::effects(&run, &strongest, files.get("model.safetensors"))?,
        config,
        read: config.and_then(|text| RunConfig::from_toml(text).ok()).map(|config| config.read),
        edges_csv: text("edges.csv").unwrap_or_default(),
        evidence,
        drawn,
    };
    let data = serde_json::to_string(&data)
        .map_err(|e| Error::internal(format!("the data of the page cannot be written: {e}")))?;
    let page = Page { title: run.title(), summary: run.summary(), warnings: run.warnings(), picture, data };
    Ok(page.to_html())
}

fn unreadable(file: &str, error: &serde_json::Error) -> Error {
    Error::input(format!("{file}: not a run of oslow: {error}"))
        .with_hint("was the file changed by hand? run it again")
}
