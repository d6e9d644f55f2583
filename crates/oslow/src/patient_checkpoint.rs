//! A checkpoint that does not end the run when it cannot be written.

use oslow_core::{Checkpoint, Error, Result};

use crate::FolderCheckpoint;

/// Saves where it can, and remembers whether the last time failed: the answer is worth more than the way to it.
pub(crate) struct PatientCheckpoint {
    pub folder: FolderCheckpoint,
    failed: Option<Error>,
}

impl PatientCheckpoint {
    pub fn new(folder: FolderCheckpoint) -> Self {
        Self { folder, failed: None }
    }

    /// Why the last state could not be saved, if so.
    pub fn failed(self) -> Option<Error> {
        self.failed
    }
}

impl Checkpoint for PatientCheckpoint {
    fn load(&mut self) -> Option<Vec<u8>> {
        self.folder.load()
    }

    fn save(&mut self, state: &[u8]) -> Result<()> {
        self.failed = self.folder.save(state).err();
        Ok(())
    }
}
