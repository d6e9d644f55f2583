//! `cargo xtask quick`: the tests of what was changed.

use std::collections::BTreeSet;

use crate::shell::{Program, cargo, root};
use crate::{Command, expect_only};

pub const COMMAND: Command = Command {
    name: "quick",
    summary: "tests of the crates changed since HEAD; if none was, unit tests of all",
    run,
};

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&[], arguments)?;
    let packages = changed_folders()?.iter().map(|folder| package(folder)).collect::<Result<Vec<_>, _>>()?;
    if packages.is_empty() {
        // Integration and documentation tests fit real models: they are the slow ones.
        eprintln!("no crate differs from HEAD: unit tests of all crates");
        return Program::new(cargo(), &["test", "--workspace", "--lib", "--bins"]).run();
    }
    let mut arguments = vec!["test"];
    arguments.extend(packages.iter().flat_map(|name| ["--package", name.as_str()]));
    Program::new(cargo(), &arguments).run()
}

/// The folders of crates with files that differ from HEAD or are new.
fn changed_folders() -> Result<BTreeSet<String>, String> {
    let changed = Program::new("git", &["diff", "--name-only", "HEAD"]).output()?;
    let new = Program::new("git", &["ls-files", "--others", "--exclude-standard"]).output()?;
    let folders = changed.lines().chain(new.lines()).filter_map(crate_folder);
    Ok(folders.filter(|folder| root().join(folder).join("Cargo.toml").is_file()).collect())
}

/// The crate that a file belongs to.
fn crate_folder(file: &str) -> Option<String> {
    let mut parts = file.split('/');
    match (parts.next()?, parts.next()?, parts.next()) {
        ("crates", name, Some(_)) => Some(format!("crates/{name}")),
        ("xtask", ..) => Some("xtask".into()),
        _ => None,
    }
}

/// The name of the package in a folder.
fn package(folder: &str) -> Result<String, String> {
    let path = root().join(folder).join("Cargo.toml");
    let text =
        std::fs::read_to_string(&path).map_err(|e| format!("cannot read `{}`: {e}", path.display()))?;
    let name = text.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    name.map(String::from).ok_or_else(|| format!("`{}` has no line `name = \"…\"`", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_its_crate() {
        assert_eq!(crate_folder("crates/flow/src/mask.rs").as_deref(), Some("crates/flow"));
        assert_eq!(crate_folder("xtask/src/main.rs").as_deref(), Some("xtask"));
        assert_eq!(crate_folder("README.md"), None);
        assert_eq!(crate_folder("crates/README.md"), None);
        assert_eq!(package("crates/flow").unwrap(), "oslow-flow");
    }
}
