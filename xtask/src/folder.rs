//! What a folder holds.

use std::path::{Path, PathBuf};

/// Its files and folders, by name.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |e: std::io::Error| format!("cannot read `{}`: {e}", folder.display());
    let found = std::fs::read_dir(folder).map_err(failed)?;
    let mut paths: Vec<PathBuf> =
        found.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(failed)?;
    paths.sort();
    Ok(paths)
}

/// Its files, by name.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    Ok(entries(folder)?.into_iter().filter(|path| path.is_file()).collect())
}

/// The one file that ends so.
pub fn only_file(folder: &Path, ending: &str) -> Result<PathBuf, String> {
    let mut found = files(folder)?;
    found.retain(|path| path.to_string_lossy().ends_with(ending));
    match (found.pop(), found.is_empty()) {
        (Some(file), true) => Ok(file),
        _ => Err(format!("`{}` must hold one file *{ending}", folder.display())),
    }
}
