//! Text from files, which must be UTF-8.

use std::path::Path;

use crate::{Error, Result};

/// The text of a file; refuses what is not UTF-8 with the file and the line.
pub fn read_utf8(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).map_err(|e| Error::io("read", path, e))?;
    Ok(decode_utf8(&bytes).map_err(|e| e.at(path.display()))?.into())
}

/// The bytes as text; refuses what is not UTF-8 with the line.
pub fn decode_utf8(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|e| {
        let line = bytes[..e.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        Error::input(format!("line {line}: the text is not UTF-8")).with_hint("save the file as UTF-8")
    })
}
