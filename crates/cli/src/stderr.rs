//! Words to the user on stderr.

use std::fmt::Display;
use std::io::Write;

/// Writes a line to stderr. That nobody can read it is no reason to lose an answer, so errors are ignored; `eprintln!`
/// would panic.
pub fn say(text: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
