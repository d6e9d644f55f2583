//! A folder for results, tried before the work begins.

use std::path::{Path, PathBuf};

use oslow_core::{Error, Result};

use crate::whole_file::try_file;

/// A folder that can be written to.
#[derive(Debug)]
pub struct OutFolder {
    path: PathBuf,
    /// Whether it was not there before.
    made: bool,
}

impl OutFolder {
    /// Makes the folder if need be, and tries to write a file there.
    pub fn tried(path: &Path) -> Result<Self> {
        let made = !path.exists();
        std::fs::create_dir_all(path).map_err(|e| Error::io("create", path, e))?;
        let folder = Self { path: path.into(), made };
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
