//! Words to the user on stderr.

use std::fmt::Display;
use std::io::Write;

use crate::visible::visible;

/// Writes a line to stderr. That nobody can read it is no reason to lose an answer, so errors are ignored; `eprintln!`
/// would panic.
pub fn say(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{}", visible(&text.to_string()));
}
