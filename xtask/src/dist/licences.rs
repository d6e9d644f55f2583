//! The licences of what is linked in: the files that the packages bring.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{read, write};
use crate::folder::{entries, files};
use crate::metadata::{Metadata, Package};
use crate::shell::root;

/// Our own, in the root of the repository and beside the Python package, whose build sees no other folder.
pub const OURS: [&str; 3] = ["LICENSE", "LICENSE-MIT", "LICENSE-APACHE"];
/// The terms of the built-in data, and what they are called in packages.
pub const DATA: (&str, &str) = ("crates/data/data/sachs.md", "LICENSE-DATA.md");
/// The file with the licences of others.
pub const THIRD_PARTY: &str = "LICENSE-THIRD-PARTY";

const HEAD: &str = "\
oslow is built from the packages below and from the standard library of Rust
(MIT OR Apache-2.0). First each package with its licence, then the texts. Where
a package offers a choice (OR), any of its licences may be chosen.
";
const LINE: &str = "\n--------------------------------------------------------------------------------\n";

/// The licences of all packages that are linked into one of ours.
pub fn third_party(metadata: &Metadata, package: &str) -> Result<String, String> {
    let packages = metadata.linked_into(package)?;
    let mut text = String::from(HEAD) + "\n";
    // A text that many packages share stands once. Line breaks and blanks may differ.
    let mut texts: BTreeMap<String, (String, Vec<String>)> = BTreeMap::new();
    for package in &packages {
        let name = format!("{} {}", package.name, package.version);
        text += &format!("{name}: {}\n", package.license);
        for licence in licences(package)? {
            let words = licence.split_whitespace().collect::<Vec<_>>().join(" ");
            let (_, names) = texts.entry(words).or_insert_with(|| (licence, Vec::new()));
            if names.last() != Some(&name) {
                names.push(name.clone());
            }
        }
    }
    let mut texts: Vec<_> = texts.into_values().collect();
    texts.sort_by(|(_, a), (_, b)| a.cmp(b));
    for (licence, names) in texts {
        text += &format!("{LINE}{}:\n\n{}\n", names.join(", "), licence.trim_matches('\n').trim_end());
    }
    Ok(text)
}

/// The texts that a package brings; it may have sources of others in folders.
fn licences(package: &Package) -> Result<Vec<String>, String> {
    let beginnings = ["LICENSE", "LICENCE", "UNLICENSE", "COPYRIGHT", "NOTICE"];
    let mut found = files_named(&package.folder, &beginnings)?;
    for folder in entries(&package.folder)?.into_iter().filter(|path| path.is_dir()) {
        found.extend(files_named(&folder, &beginnings)?);
    }
    if found.is_empty() {
        // Beside others this is a summary, or a licence that need not be chosen.
        found = files_named(&package.folder, &["COPYING"])?;
    }
    if found.is_empty() {
        return Ok(vec![standard_text(package)?]);
    }
    found.iter().map(|file| read(file)).collect()
}

fn files_named(folder: &Path, beginnings: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut found = files(folder)?;
    found.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        beginnings.iter().any(|beginning| name.starts_with(beginning))
    });
    Ok(found)
}

/// The text of a package that names its licence and brings no file.
fn standard_text(package: &Package) -> Result<String, String> {
    let Package { name, version, license, authors, .. } = package;
    if license != "MIT" {
        return Err(format!("{name} {version} ({license}) brings no licence file: its text must be added"));
    }
    let holders = if authors.is_empty() { format!("the authors of {name}") } else { authors.join(", ") };
    let ours = read(&root().join("LICENSE-MIT"))?;
    let with_holders = |line: &str| match line.starts_with("Copyright") {
        true => format!("Copyright (c) {holders}"),
        false => line.into(),
    };
    Ok(ours.lines().map(with_holders).collect::<Vec<String>>().join("\n"))
}

/// Fails if what lies beside the Python package differs from what lies in the root.
pub fn check_copies() -> Result<(), String> {
    for (from, to) in OURS.map(|name| (name, name)).into_iter().chain([DATA]) {
        if read(&root().join(from))? != read(&root().join("python").join(to))? {
            return Err(format!("python/{to} differs from {from}; copy it"));
        }
    }
    Ok(())
}

/// Writes the licences of others beside the Python package, from where they come into a wheel. Git ignores the file.
pub fn write_for_python(metadata: &Metadata) -> Result<(), String> {
    write(&root().join("python").join(THIRD_PARTY), third_party(metadata, "oslow-python")?)
}
