//! The folder of a run.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use oslow_core::{Choice, Error, Remedy, Result};

use crate::checkpoint::{STATE, remove};
use crate::run_record::RECORD;
use crate::training_plot::training_plot;
use crate::whole_file::{UNFINISHED, beside};
use crate::{
    Confidence, DiscoveredEdge, Discovery, FolderCheckpoint, RunConfig, RunRecord, TableEvidence,
    listed_name, read_run, report_page,
};

/// The file by which a folder is known to hold a run.
pub(crate) const RUN: &str = "run.json";
/// What a report shows of the table.
pub(crate) const EVIDENCE: &str = "evidence.json";
/// The run as a page.
pub(crate) const REPORT: &str = "report.html";
/// Every file that a run may leave, besides the checkpoint. [`RUN`] comes last: it says that the rest is there.
const FILES: [&str; 15] = [
    "config.toml",
    "order.txt",
    "edges.csv",
    "graph.dot",
    "graph.graphml",
    "graph.svg",
    "edge_frequencies.csv",
    "order_pairs.csv",
    "model.safetensors",
    "history.csv",
    "history.svg",
    EVIDENCE,
    REPORT,
    RECORD,
    RUN,
];

/// Refuses a folder with other things in it than a run.
pub fn check_folder(folder: &Path) -> Result<()> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(e) if e.kind() == std::io::ErrorKind::NotADirectory => {
            return Err(Error::input(format!("`{}` is a file, not a folder", folder.display()))
                .with_hint(Remedy::from("name a folder with ").and(Choice::Out)));
        }
        Err(e) => return Err(Error::io("read", folder, e)),
    };
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    // What a run that was killed while writing left behind.
    names.retain(|name| !(name.starts_with('.') && name.ends_with(UNFINISHED)));
    let ours = names.is_empty() || names.iter().any(|name| [RUN, STATE].contains(&name.as_str()));
    if ours {
        return Ok(());
    }
    Err(Error::input(format!("the folder `{}` is not empty and holds no run", folder.display())).with_hint(
        Remedy::from("name another folder with ").and(Choice::Out).and("; nothing in this one was touched"),
    ))
}

/// A run that a folder holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldRun {
    /// It came to its end.
    Finished,
    /// It was stopped.
    Interrupted {
        /// Whether there is a state to continue from.
        state: bool,
    },
}

impl HeldRun {
    /// Refuses to write over it.
    pub fn refuse(self, folder: &Path) -> Error {
        let (which, remedy) = match self {
            Self::Finished => ("a finished", "show it again"),
            Self::Interrupted { .. } => ("an interrupted", "continue it"),
        };
        Error::input(format!("the folder `{}` holds {which} run", folder.display())).with_hint(
            Remedy::from(format!("{remedy} with "))
                .and(Choice::Resume)
                .and(", overwrite it with ")
                .and(Choice::Force)
                .and(", or name another folder with ")
                .and(Choice::Out),
        )
    }
}

/// The run in a folder, if there is one. A state is newer than a result beside it.
pub fn held_run(folder: &Path) -> Option<HeldRun> {
    #[derive(serde::Deserialize)]
    struct Written {
        interrupted: bool,
    }
    if FolderCheckpoint::is_there(folder) {
        return Some(HeldRun::Interrupted { state: true });
    }
    let path = folder.join(RUN);
    let written = std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    match written {
        Some(Written { interrupted: true }) => Some(HeldRun::Interrupted { state: false }),
        _ => path.exists().then_some(HeldRun::Finished),
    }
}

/// The files of a run, by name.
#[derive(Clone, Debug)]
pub struct RunFiles(Vec<(&'static str, Vec<u8>)>);

/// Writes what was found into a folder, as [`RunFiles::write`] does.
pub fn write_run(folder: &Path, found: &Discovery, config: &RunConfig) -> Result<()> {
    RunFiles::new(found, config)?.write(folder)
}

impl RunFiles {
    /// The files of what was found.
    pub fn new(found: &Discovery, config: &RunConfig) -> Result<Self> {
        let (dag, known) = (found.dag()?, found.edge_attributes());
        let columns = &found.columns;
        let mut files = vec![("config.toml", config.to_toml()?.into_bytes())];
        if let Some(order) = &found.order {
            let lines: String = order.names(columns).iter().map(|name| listed_name(name) + "\n").collect();
            files.push(("order.txt", lines.into_bytes()));
        }
        files.push(("edges.csv", edge_table(found)?));
        files.push(("graph.dot", oslow_report::dot(&dag, columns, &known).into_bytes()));
        files.push(("graph.graphml", oslow_report::graphml(&dag, columns, &known).into_bytes()));
        files.push(("graph.svg", found.to_svg()?.into_bytes()));
        if let Some(confidence) = &found.confidence {
            files.push(("edge_frequencies.csv", edge_frequencies(found, confidence)?));
            if let Some(pairs) = &confidence.order_pairs {
                let rows = pairs.all().map(|pair| {
                    vec![columns[pair.first].clone(), columns[pair.second].clone(), pair.share.to_string()]
                });
                files.push(("order_pairs.csv", csv_text(&["first", "second", "share"], rows)?));
            }
        }
        if let Some(model) = &found.model {
            files.push(("model.safetensors", model.clone()));
        }
        if let Some(history) = &found.history {
            let values: Vec<f64> = history.rows.concat();
            let mut text = Vec::new();
            oslow_data::write_csv(&history.columns, &values, &mut text)
                .map_err(|e| Error::io("write", "history.csv", e))?;
            files.push(("history.csv", text));
            files.push(("history.svg", training_plot(history).to_svg().into_bytes()));
        }
        files.push((RUN, found.to_json()?.into_bytes()));
        Ok(Self(files))
    }

    /// The same with a record, by which the run can be shown again.
    pub fn with_record(mut self, record: &RunRecord) -> Result<Self> {
        self.0.push((RECORD, record.to_json()?));
        Ok(self)
    }

    /// The same with what a report shows of the table.
    pub fn with_evidence(mut self, evidence: &TableEvidence) -> Result<Self> {
        self.0.push((EVIDENCE, evidence.to_json()?));
        Ok(self)
    }

    /// The same with the run as a page, made of all the other files.
    pub fn with_report(mut self) -> Result<Self> {
        self.0.retain(|(name, _)| *name != REPORT);
        let page = report_page(&self)?;
        self.0.push((REPORT, page.into_bytes()));
        Ok(self)
    }

    /// The files of the run in a folder.
    pub fn read(folder: &Path) -> Result<Self> {
        read_run(folder)?;
        let mut files = Vec::new();
        for name in FILES {
            let path = folder.join(name);
            match std::fs::read(&path) {
                Ok(bytes) => files.push((name, bytes)),
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                Err(e) => return Err(Error::io("read", path, e)),
            }
        }
        Ok(Self(files))
    }

    /// The content of a file, if it is there.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.iter().find(|(other, _)| *other == name).map(|(_, bytes)| bytes)
    }

    /// The files that were once had by [`Self::iter`]; refuses names that no run has.
    pub fn from_parts(parts: Vec<(String, Vec<u8>)>) -> Result<Self> {
        let known = |(name, bytes): (String, Vec<u8>)| match FILES.iter().find(|file| **file == name) {
            Some(file) => Ok((*file, bytes)),
            None => Err(Error::input(format!("`{name}` is no file of a run"))),
        };
        Ok(Self(parts.into_iter().map(known).collect::<Result<_>>()?))
    }

    /// Names and contents.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        self.0.iter().map(|(name, bytes)| (*name, bytes.as_slice()))
    }

    /// Writes them into a folder, so that nothing half-written is ever there: everything goes to a folder beside it first
    /// and is then moved. Files of an earlier run are replaced, other files are left alone.
    pub fn write(&self, folder: &Path) -> Result<()> {
        check_folder(folder)?;
        let folder: PathBuf = folder.components().collect();
        std::fs::create_dir_all(&folder).map_err(|e| Error::io("create", &folder, e))?;
        // `.` and `..` have no name to put a folder beside.
        let place = std::fs::canonicalize(&folder).map_err(|e| Error::io("read", &folder, e))?;
        let unfinished = beside(&place);
        let written = self.stage(&unfinished).and_then(|()| self.move_into(&unfinished, &place));
        // Whether it worked or not, nothing stays beside the folder; that it may not exist does not matter.
        let _ = std::fs::remove_dir_all(&unfinished);
        written
    }

    fn stage(&self, unfinished: &Path) -> Result<()> {
        std::fs::create_dir_all(unfinished).map_err(|e| Error::io("create", unfinished, e))?;
        for (name, bytes) in self.iter() {
            let path = unfinished.join(name);
            std::fs::write(&path, bytes).map_err(|e| Error::io("write", path, e))?;
        }
        Ok(())
    }

    fn move_into(&self, unfinished: &Path, folder: &Path) -> Result<()> {
        let is_here = |file: &&&str| self.0.iter().any(|(name, _)| name == *file);
        // A model or a history of an earlier run would be taken for this one's.
        for name in FILES.iter().filter(|file| !is_here(file)) {
            remove(&folder.join(name))?;
        }
        for name in FILES.iter().filter(is_here) {
            let place = folder.join(name);
            std::fs::rename(unfinished.join(name), &place).map_err(|e| Error::io("write", place, e))?;
        }
        Ok(())
    }
}

/// `from,to`, and the evidence that some edge has.
fn edge_table(found: &Discovery) -> Result<Vec<u8>> {
    type Value = fn(&DiscoveredEdge) -> Option<String>;
    let evidence: [(&str, Value); 7] = [
        ("p_value", |edge| edge.p_value.map(|p| p.to_string())),
        ("confidence", |edge| edge.confidence.map(|known| known.to_string())),
        ("direction", |edge| edge.direction.map(|known| known.to_string())),
        ("direction_confidence", |edge| edge.direction_confidence.map(|known| known.to_string())),
        ("gain", |edge| edge.strength.map(|known| known.gain.to_string())),
        ("gain_se", |edge| edge.strength.map(|known| known.gain_error.to_string())),
        ("effect", |edge| edge.strength.map(|known| known.effect.to_string())),
    ];
    let there: Vec<&(&str, Value)> =
        evidence.iter().filter(|(_, value)| found.edges.iter().any(|edge| value(edge).is_some())).collect();
    let header: Vec<&str> = ["from", "to"].into_iter().chain(there.iter().map(|(name, _)| *name)).collect();
    let rows = found.edges.iter().map(|edge| {
        let ends = [edge.from, edge.to].map(|node| found.columns[node].clone());
        ends.into_iter().chain(there.iter().map(|(_, value)| value(edge).unwrap_or_default())).collect()
    });
    csv_text(&header, rows)
}

/// `from,to,confidence,in_answer`: every edge that a resample has, the most frequent first, and the edges of the
/// answer that none has.
fn edge_frequencies(found: &Discovery, confidence: &Confidence) -> Result<Vec<u8>> {
    let answer: HashSet<_> = found.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let mut edges: Vec<_> = confidence.edges.iter().map(|edge| (edge.from, edge.to, edge.share)).collect();
    edges.sort_by(|a, b| b.2.total_cmp(&a.2));
    let never = found.edges.iter().filter(|edge| edge.confidence == Some(0.0));
    edges.extend(never.map(|edge| (edge.from, edge.to, 0.0)));
    let rows = edges.into_iter().map(|(from, to, share)| {
        let names = [found.columns[from].clone(), found.columns[to].clone()];
        names.into_iter().chain([share.to_string(), answer.contains(&(from, to)).to_string()]).collect()
    });
    csv_text(&["from", "to", "confidence", "in_answer"], rows)
}

fn csv_text<H: AsRef<[u8]>>(header: &[H], rows: impl Iterator<Item = Vec<String>>) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed = |e: &dyn std::fmt::Display| Error::internal(format!("a table cannot be written: {e}"));
    writer.write_record(header).map_err(|e| failed(&e))?;
    for row in rows {
        writer.write_record(row).map_err(|e| failed(&e))?;
    }
    writer.into_inner().map_err(|e| failed(&e))
}
