//! `cargo xtask fuzz`: the release program on damaged files.
//!
//! Small valid files of each kind are changed at random and read by the fast command that takes them. Each call must end by itself, with one of the promised exit
//! codes, without a panic, and what it prints as JSON must be JSON. The same seed damages the same files in the same way.

mod damage;
mod packing;
mod target;
mod verdict;

use std::path::Path;
use std::time::{Duration, Instant};

use crate::Command;
use crate::shell::{Program, cargo, target};
use damage::Damage;
use target::{TARGETS, Target};
use verdict::verdict;

pub const COMMAND: Command =
    Command { name: "fuzz", summary: "the release program on damaged files (--seconds N, --seed S)", run };

/// How long it goes on where nobody says.
const SECONDS: u64 = 20;

fn run(arguments: &[String]) -> Result<(), String> {
    let (mut seconds, mut seed) = (SECONDS, 0);
    for pair in arguments.chunks(2) {
        let number = pair.get(1).and_then(|text| text.parse().ok());
        match (pair[0].as_str(), number) {
            ("--seconds", Some(number)) => seconds = number,
            ("--seed", Some(number)) => seed = number,
            _ => return Err("takes --seconds N and --seed S".into()),
        }
    }
    fuzz(Duration::from_secs(seconds), seed)
}

/// Damages files for a while; fails with what went wrong, and leaves the files that did it.
pub fn fuzz(time: Duration, seed: u64) -> Result<(), String> {
    Program::new(cargo(), &["build", "--release", "-p", "oslow-cli"]).run()?;
    let program = target().join("release").join("oslow");
    let home = target().join("fuzz");
    prepare(&program, &home)?;
    let (start, mut tried, mut findings) = (Instant::now(), 0u64, Vec::new());
    while start.elapsed() < time {
        let target = &TARGETS[tried as usize % TARGETS.len()];
        if let Some(finding) = attempt(target, &program, &home, &mut Damage::new(seed, tried))? {
            keep(target, &home, tried)?;
            findings.push(format!("{} ({} {tried}): {finding}", target.file, seed));
        }
        tried += 1;
    }
    eprintln!("{tried} damaged files, {} findings", findings.len());
    if findings.is_empty() { Ok(()) } else { Err(format!("{}\nsee {}", findings.join("\n"), home.display())) }
}

/// Makes the valid files, by the program itself.
fn prepare(program: &Path, home: &Path) -> Result<(), String> {
    // What is not there need not be removed.
    let _ = std::fs::remove_dir_all(home);
    std::fs::create_dir_all(home).map_err(|e| format!("cannot create `{}`: {e}", home.display()))?;
    std::fs::write(home.join("known.toml"), target::KNOWN).map_err(|e| e.to_string())?;
    std::fs::write(home.join("values.npy"), target::array()).map_err(|e| e.to_string())?;
    for line in target::PREPARE {
        let words: Vec<&str> = line.split_whitespace().collect();
        Program::new(program, &words).within(home).output()?;
    }
    packing::prepare(home)
}

fn attempt(
    target: &Target,
    program: &Path,
    home: &Path,
    damage: &mut Damage,
) -> Result<Option<String>, String> {
    let valid = std::fs::read(home.join(target.file)).map_err(|e| format!("{}: {e}", target.file))?;
    let damaged = home.join(target.damaged());
    if let Some(parent) = damaged.parent() {
        std::fs::create_dir_all(parent).map_err(|e| e.to_string())?;
    }
    let bytes = packing::packed(target.packed, damage.of(&valid), home)?;
    std::fs::write(&damaged, bytes).map_err(|e| e.to_string())?;
    verdict(program, home, target.line)
}

/// Keeps the file of a finding.
fn keep(target: &Target, home: &Path, number: u64) -> Result<(), String> {
    let found = home.join(format!("finding-{number}-{}", target.file.replace('/', "-")));
    std::fs::copy(home.join(target.damaged()), found).map(|_| ()).map_err(|e| e.to_string())
}
