//! Files that are there whole or not at all.

use std::path::{Path, PathBuf};

use oslow_core::{Error, Result};

/// How names end of files that are being written.
pub(crate) const UNFINISHED: &str = ".unfinished";

/// Writes a file whole or not at all: beside its place first, then moved.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let unfinished = beside(path);
    let written = std::fs::write(&unfinished, bytes).and_then(|()| std::fs::rename(&unfinished, path));
    written.map_err(|e| {
        // Whatever was written of it is of no use; that it may not exist does not matter.
        let _ = std::fs::remove_file(&unfinished);
        Error::io("write", path, e)
    })
}

/// Tries to write where a file will be written, and leaves nothing.
pub fn try_file(path: &Path) -> Result<()> {
    let unfinished = beside(path);
    // An empty file may still find room on a disk that is full.
    let written = std::fs::write(&unfinished, b"oslow");
    let removed = std::fs::remove_file(&unfinished);
    written.and(removed).map_err(|e| Error::io("write", path, e))
}

/// A hidden name in the same folder, and so on the same file system.
pub(crate) fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!(".{name}{UNFINISHED}"))
}
