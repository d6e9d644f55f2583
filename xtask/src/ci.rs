//! `cargo xtask ci`: everything that must hold before a change goes in, in the order of what fails soonest.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::shell::{Program, cargo};
use crate::temporary::Temporary;
use crate::{
    Command, browser_tests, classes, dist, docs, expect_only, fmt, fuzz, oldest_rust, oracles, python_tests,
    reference, unsafe_code,
};

pub const COMMAND: Command = Command {
    name: "ci",
    summary: "everything: format, clippy, tests, a run of the program, outside oracles, the reference page, the Python package, archive and wheel, the pages in a browser, the commands of the documents",
    run,
};

/// How long files are damaged.
const FUZZING: Duration = Duration::from_secs(20);

type Step = (&'static str, fn() -> Result<(), String>);

const STEPS: &[Step] = &[
    ("every file is formatted", || fmt::format(true)),
    ("unsafe code stands where it may", unsafe_code::unsafe_code),
    ("clippy has nothing to say", clippy),
    ("the stated Rust is new enough", oldest_rust::oldest_rust),
    ("dependencies are what they may be", dependencies),
    ("all tests pass", || Program::new(cargo(), &["test", "--workspace"]).run()),
    ("narrower vectors give the same answers", narrower_vectors),
    ("the program runs", smoke),
    ("damaged files are refused in words", || fuzz::fuzz(FUZZING, 0)),
    ("distances between graphs are those of gadjid", oracles::oracles),
    ("the reference page is up to date", || reference::reference(true)),
    ("the Python classes are up to date", || classes::classes(true)),
    ("the Python package works", python_tests::python_tests),
    ("archive and wheel work where there is no Rust", dist::packages),
    ("the pages work in a browser", browser_tests::browser_tests),
    ("what the documents say works", || docs::docs(Some(&python_tests::environment()?))),
];

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&[], arguments)?;
    for (number, (what, step)) in STEPS.iter().enumerate() {
        eprintln!("\n[{}/{}] {what}", number + 1, STEPS.len());
        step()?;
    }
    eprintln!("\nall {} steps passed", STEPS.len());
    Ok(())
}

fn clippy() -> Result<(), String> {
    Program::new(cargo(), &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]).run()
}

/// The golden runs and the flow against its reference, with the loops of processors that have less; see `oslow_math::simd`.
fn narrower_vectors() -> Result<(), String> {
    let narrower: &[&str] = if cfg!(target_arch = "x86_64") { &["avx2", "scalar"] } else { &["scalar"] };
    narrower.iter().try_for_each(|simd| {
        let tests =
            Program::new(cargo(), &["test", "--workspace", "--test", "golden", "--test", "reference"]);
        tests.with_variables(&[("OSLOW_SIMD", (*simd).to_string())]).run()
    })
}

/// Licences, versions and origins of dependencies, where cargo-deny is there to look at them.
fn dependencies() -> Result<(), String> {
    if Program::new(cargo(), &["deny", "--version"]).output().is_err() {
        eprintln!("cargo-deny is not installed: not checked");
        return Ok(());
    }
    Program::new(cargo(), &["deny", "check", "licenses", "bans", "sources"]).run()
}

/// The README's first command, with a folder to write to.
fn smoke() -> Result<(), String> {
    let folder = Temporary::new("ci")?;
    let out = folder.path.join("run");
    let shown = out.to_string_lossy();
    // Without `--json` the answer is text for people: it is not looked at, the folder is.
    Program::new(cargo(), &["run", "--release", "--", "discover", "--quiet", "--out", &shown]).run()?;
    check_run(&out.join("run.json"))
}

/// Whether the run left an order of all its columns.
pub fn check_run(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("the run left no run.json: {e}"))?;
    let found: Value = serde_json::from_str(&text).map_err(|e| format!("run.json is not JSON: {e}"))?;
    let length = |key: &str| found[key].as_array().map(Vec::len);
    match (length("columns"), length("order")) {
        (Some(columns), Some(order)) if columns == order => Ok(()),
        _ => Err("run.json has no order of all columns".into()),
    }
}
