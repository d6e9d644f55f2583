//! A discovery whose answer goes into a folder.

use std::path::{Path, PathBuf};

use oslow_core::{Error, Observer, Result, Sample};

use crate::patient_checkpoint::PatientCheckpoint;
use crate::{
    DiscoverOptions, Discovery, FolderCheckpoint, Identity, OutFolder, ReadConfig, RunConfig, RunFiles,
    RunRecord, TableEvidence, discover,
};

/// A folder that is locked and ready for a run.
pub struct FolderRun {
    folder: PathBuf,
    place: OutFolder,
    checkpoint: PatientCheckpoint,
}

/// What a run came to.
#[derive(Debug)]
pub struct FolderAnswer {
    /// The answer.
    pub found: Discovery,
    /// Whether it stands in the folder.
    pub saved: Result<()>,
    /// Why an interrupted run cannot be resumed, if so.
    pub lost: Option<Error>,
}

impl FolderRun {
    /// Makes and locks the folder. Takes up the state that an interrupted run left there, or removes it.
    pub fn open(folder: &Path, sample: &Sample, options: &DiscoverOptions, resume: bool) -> Result<Self> {
        let place = OutFolder::tried(folder)?;
        let checkpoint = open_checkpoint(folder, sample, options, resume).inspect_err(|_| place.give_up())?;
        Ok(Self { folder: folder.into(), place, checkpoint: PatientCheckpoint::new(checkpoint) })
    }

    /// Whether there is a state to go on from.
    pub fn has_state(&self) -> bool {
        self.checkpoint.folder.has_state()
    }

    /// Discovers, and writes every file of the run into the folder. `words` is the answer as the user is shown it.
    pub fn discover(
        mut self,
        sample: &Sample,
        options: &DiscoverOptions,
        read: &ReadConfig,
        observer: &mut dyn Observer,
        words: impl Fn(&Discovery) -> String,
    ) -> Result<FolderAnswer> {
        let found = discover(sample, options, observer, &mut self.checkpoint)
            .inspect_err(|_| self.place.give_up())?;
        let mut saved = save(&self.folder, &found, sample, options, read, words(&found));
        if saved.is_ok() && !found.interrupted {
            saved = self.checkpoint.folder.remove();
        }
        let lost = self.checkpoint.failed().filter(|_| found.interrupted);
        Ok(FolderAnswer { found, saved, lost })
    }
}

fn open_checkpoint(
    folder: &Path,
    sample: &Sample,
    options: &DiscoverOptions,
    resume: bool,
) -> Result<FolderCheckpoint> {
    let identity = Identity::new(sample, options)?;
    if resume {
        return FolderCheckpoint::resume(folder, identity);
    }
    let mut checkpoint = FolderCheckpoint::fresh(folder, identity);
    // What is overwritten must not be taken for a state of this run.
    checkpoint.remove()?;
    Ok(checkpoint)
}

fn save(
    folder: &Path,
    found: &Discovery,
    sample: &Sample,
    options: &DiscoverOptions,
    read: &ReadConfig,
    words: String,
) -> Result<()> {
    let record = RunRecord::new(sample, options, words)?;
    let files = RunFiles::new(found, &RunConfig::resolved(found, options, read)?)?;
    let evidence = TableEvidence::new(sample, found, options)?;
    files.with_evidence(&evidence)?.with_record(&record)?.with_report()?.write(folder)
}
