//! Folders for a moment.

use std::path::PathBuf;

/// A folder that is removed when it is no longer needed.
pub struct Temporary {
    pub path: PathBuf,
}

impl Temporary {
    /// An empty folder of the system's temporary folder.
    pub fn new(name: &str) -> Result<Self, String> {
        let path = std::env::temp_dir().join(format!("oslow-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|e| format!("cannot create `{}`: {e}", path.display()))?;
        Ok(Self { path })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // A folder that stays behind in the system's temporary folder harms nobody.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
