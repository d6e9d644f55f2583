//! Unfinished work kept in a run folder.

use std::path::{Path, PathBuf};

use oslow_core::{Checkpoint, Error, Result};

use crate::Identity;
use crate::whole_file::write_whole;

/// The state of the learner.
pub(crate) const STATE: &str = "checkpoint.safetensors";
/// Which run it belongs to.
pub(crate) const IDENTITY: &str = "checkpoint.json";

/// Keeps the state of a run in `checkpoint.safetensors`, and in `checkpoint.json` to which run it belongs. The
/// folder is made when there is something to keep.
#[derive(Debug)]
pub struct FolderCheckpoint {
    folder: PathBuf,
    identity: Identity,
    state: Option<Vec<u8>>,
    /// Whether the folder already says that it belongs to this run.
    marked: bool,
}

impl FolderCheckpoint {
    /// For a run that starts anew; what an earlier one left is replaced by the first save.
    pub fn fresh(folder: &Path, identity: Identity) -> Self {
        Self { folder: folder.into(), identity, state: None, marked: false }
    }

    /// Takes up what an interrupted run of the same identity left, if there is any; refuses that of another.
    pub fn resume(folder: &Path, identity: Identity) -> Result<Self> {
        if !Self::is_there(folder) {
            return Ok(Self::fresh(folder, identity));
        }
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).map_err(|e| Error::io("read", path, e))
        };
        let path = folder.join(IDENTITY);
        let before: Identity = serde_json::from_slice(&read(IDENTITY)?).map_err(|e| {
            Error::input(format!("not the mark of an interrupted run: {e}"))
                .with_hint("start over with `--force` in place of `--resume`")
                .at(path.display())
        })?;
        before.check(&identity).map_err(|e| e.at(folder.display()))?;
        Ok(Self { folder: folder.into(), identity, state: Some(read(STATE)?), marked: true })
    }

    /// Whether a folder holds the state of an interrupted run.
    pub fn is_there(folder: &Path) -> bool {
        folder.join(IDENTITY).is_file() && folder.join(STATE).is_file()
    }

    /// Whether there is a state to go on from.
    pub fn has_state(&self) -> bool {
        self.state.is_some()
    }

    /// Removes the state: the run is finished.
    pub fn remove(&mut self) -> Result<()> {
        self.state = None;
        self.marked = false;
        remove(&self.folder.join(STATE))?;
        remove(&self.folder.join(IDENTITY))
    }

    /// Makes the folder this run's. A state of before goes first, lest it be taken for one of this run.
    fn mark(&mut self) -> Result<()> {
        std::fs::create_dir_all(&self.folder).map_err(|e| Error::io("create", &self.folder, e))?;
        remove(&self.folder.join(STATE))?;
        let text = serde_json::to_vec_pretty(&self.identity)
            .map_err(|e| Error::input(format!("the checkpoint cannot be written: {e}")))?;
        write_whole(&self.folder.join(IDENTITY), &text)?;
        self.marked = true;
        Ok(())
    }
}

impl Checkpoint for FolderCheckpoint {
    fn load(&mut self) -> Option<Vec<u8>> {
        self.state.clone()
    }

    fn save(&mut self, state: &[u8]) -> Result<()> {
        if !self.marked {
            self.mark()?;
        }
        write_whole(&self.folder.join(STATE), state)?;
        self.state = Some(state.to_vec());
        Ok(())
    }
}

/// Removes a file that may not be there.
pub(crate) fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io("remove", path, e)),
        _ => Ok(()),
    }
}
