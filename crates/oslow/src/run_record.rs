//! What a run folder remembers of its run, so that it can be shown again and not be taken for another.

use std::path::Path;

use oslow_core::{Choice, Error, Remedy, Result, Sample, read_utf8};
use serde::{Deserialize, Serialize};

use crate::DiscoverOptions;
use crate::identity::WholeIdentity;
use crate::run_folder::{HeldRun, RUN, held_run};

/// The file of the record.
pub(crate) const RECORD: &str = "record.json";

/// What a run was of, and its answer in words.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunRecord {
    identity: WholeIdentity,
    words: String,
}

/// A run that needs no more work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedRun {
    /// The answer as it was shown to the user.
    pub words: String,
    /// The answer as JSON.
    pub json: String,
}

impl RunRecord {
    /// The record of a run of these options on this table, with its answer in words.
    pub fn new(sample: &Sample, options: &DiscoverOptions, words: String) -> Result<Self> {
        Ok(Self { identity: WholeIdentity::new(sample, options)?, words })
    }

    pub(crate) fn to_json(&self) -> Result<Vec<u8>> {
        serde_json::to_vec_pretty(self)
            .map_err(|e| Error::internal(format!("the record of the run cannot be written: {e}")))
    }

    /// The hash of the table's names and values.
    pub(crate) fn data(&self) -> &str {
        self.identity.learning.data()
    }

    pub(crate) fn read(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(RECORD);
        let bytes = match std::fs::read(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            other => other.map_err(|e| Error::io("read", &path, e))?,
        };
        let record = serde_json::from_slice(&bytes).map_err(|e| {
            Error::input(format!("not the record of a run: {e}")).with_hint(overwrite()).at(path.display())
        })?;
        Ok(Some(record))
    }
}

fn overwrite() -> Remedy {
    Remedy::from("overwrite the run with ")
        .and(Choice::Force)
        .and(" in place of ")
        .and(Choice::Resume)
        .and(", or name another folder with ")
        .and(Choice::Out)
}

/// The finished run in a folder, `None` if there is work left to do. Refuses a run of another table or of other options.
pub fn finished_run(
    folder: &Path,
    sample: &Sample,
    options: &DiscoverOptions,
) -> Result<Option<FinishedRun>> {
    let Some(held) = held_run(folder) else { return Ok(None) };
    let now = WholeIdentity::new(sample, options)?;
    let at_folder = |e: Error| e.at(folder.display());
    match (held, RunRecord::read(folder)?) {
        // Its state, where there is one, has its own mark.
        (HeldRun::Interrupted { state: true }, _) | (HeldRun::Interrupted { .. }, None) => Ok(None),
        (HeldRun::Interrupted { .. }, Some(record)) => {
            record.identity.learning.check(&now.learning).map_err(at_folder)?;
            Ok(None)
        }
        (HeldRun::Finished, None) => Err(at_folder(
            Error::input("the finished run does not say which data and options it had")
                .with_hint(overwrite()),
        )),
        (HeldRun::Finished, Some(record)) => {
            record.identity.check(&now).map_err(at_folder)?;
            Ok(Some(FinishedRun { words: record.words, json: read_utf8(&folder.join(RUN))? }))
        }
    }
}
