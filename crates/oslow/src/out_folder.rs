//! A folder for results, tried and locked before the work begins.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use oslow_core::{Choice, Error, Remedy, Result};

use crate::whole_file::try_file;

/// A folder that can be written to, and that no other run writes to meanwhile.
#[derive(Debug)]
pub struct OutFolder {
    path: PathBuf,
    /// Whether it was not there before.
    made: bool,
    /// The folder itself, locked while this is open: nothing is left behind, not even by a run that is killed. Systems that cannot
    /// open a folder do not lock it.
    _lock: Option<File>,
}

impl OutFolder {
    /// Makes the folder if need be, locks it, and tries to write a file there.
    pub fn tried(path: &Path) -> Result<Self> {
        let made = !path.exists();
        std::fs::create_dir_all(path).map_err(|e| Error::io("create", path, e))?;
        let folder = Self { path: path.into(), made, _lock: locked(path)? };
        try_file(&path.join("probe")).inspect_err(|_| folder.give_up())?;
        Ok(folder)
    }

    /// Takes the folder away again, if it was made and nothing is in it.
    pub fn give_up(&self) {
        if self.made {
            // A folder that meanwhile holds something stays.
            let _ = std::fs::remove_dir(&self.path);
        }
    }
}

/// The folder, locked; refuses one that another process has locked.
fn locked(path: &Path) -> Result<Option<File>> {
    let Ok(folder) = File::open(path) else { return Ok(None) };
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(TryLockError::WouldBlock) => {
            let message = format!("another run is writing to `{}`", path.display());
            let remedy = Remedy::from("wait for it, or write elsewhere with ").and(Choice::Out);
            Err(Error::input(message).with_hint(remedy))
        }
        // Some file systems have no locks.
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_run_at_a_time() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("run");
        let first = OutFolder::tried(&path).unwrap();
        let refusal = OutFolder::tried(&path).unwrap_err();
        assert!(refusal.is_input() && refusal.to_string().starts_with("another run is writing to `"));
        drop(first);
        OutFolder::tried(&path).unwrap();
        assert_eq!(std::fs::read_dir(&path).unwrap().count(), 0, "nothing is left behind");
    }
}
