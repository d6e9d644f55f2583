//! A run folder as one file, so that a browser can save it.

use std::fs::{DirEntry, read, read_dir};
use std::io::{Cursor, Write};
use std::path::Path;

use oslow::{Error, Result};
use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipWriter};

/// The files of a folder as a ZIP archive, in a folder `name`. The same files give the same bytes.
pub fn archive(folder: &Path, name: &str) -> Result<Vec<u8>> {
    let not_read = |e| Error::io("read", folder, e);
    let mut files: Vec<DirEntry> =
        read_dir(folder).map_err(not_read)?.collect::<std::io::Result<_>>().map_err(not_read)?;
    files.sort_by_key(DirEntry::file_name);
    let options = SimpleFileOptions::default().last_modified_time(DateTime::DEFAULT);
    let not_packed = |e: std::io::Error| Error::io("pack", folder, e);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        // A run has plain files only. A link could lead elsewhere.
        if !file.file_type().map_err(not_read)?.is_file() {
            continue;
        }
        let content = read(file.path()).map_err(|e| Error::io("read", file.path(), e))?;
        let inner = format!("{name}/{}", file.file_name().to_string_lossy());
        zip.start_file(inner, options).map_err(|e| not_packed(e.into()))?;
        zip.write_all(&content).map_err(not_packed)?;
    }
    Ok(zip.finish().map_err(|e| not_packed(e.into()))?.into_inner())
}
