//! Tells the program which commit it is built from, for `oslow --version`.
//!
//! It stands here and not in a library, so that a commit leaves the libraries as they are built.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // In somebody else's repository, or in none, these sources have no commit.
    let ours =
        git(&["ls-files", "--full-name", "build.rs"]).is_some_and(|name| name == "crates/cli/build.rs");
    let Some(commit) = git(&["rev-parse", "--short=7", "HEAD"]).filter(|_| ours) else { return };
    println!("cargo:rustc-env=OSLOW_COMMIT={commit}");
    // Every commit and checkout writes to one of these. A file that does not exist would mean a build each time.
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists()) {
            println!("cargo:rerun-if-changed={path}");
        }
    }
}

/// What git prints, if there is git and it has something to say.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_string();
    (output.status.success() && !text.is_empty()).then_some(text)
}
