//! Files that are written from what the program says of itself.

use crate::shell::root;

/// Writes a file of the repository, or fails if it differs from what would be written; `command` is the xtask that writes it.
pub fn generated(file: &str, text: &str, command: &str, check: bool) -> Result<(), String> {
    let path = root().join(file);
    if !check {
        std::fs::write(&path, text).map_err(|e| format!("cannot write `{file}`: {e}"))?;
        eprintln!("wrote {file}");
        return Ok(());
    }
    match std::fs::read_to_string(&path) {
        Ok(written) if written == text => Ok(()),
        Ok(_) => Err(format!("{file} is stale; run `cargo xtask {command}` and commit it")),
        Err(e) => Err(format!("cannot read {file}: {e}; run `cargo xtask {command}` and commit it")),
    }
}

/// A text that begins with a capital letter.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
