//! `cargo xtask python-tests`: the Python package, installed as a user would, and everything that is tested there.

use std::path::{Path, PathBuf};

use crate::folder::only_file;
use crate::shell::{Program, root, target};
use crate::{Command, expect_only, python};

pub const COMMAND: Command = Command {
    name: "python-tests",
    summary: "install the Python package into an environment of its own; tests, doctests, notebooks and mypy",
    run,
};

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&[], arguments)?;
    python_tests()
}

/// Fails if anything about the Python package does.
pub fn python_tests() -> Result<(), String> {
    let python = install()?;
    let program = target().join(if cfg!(windows) { "release/oslow.exe" } else { "release/oslow" });
    // The package that was installed is what is tested, not the folder that it was built from.
    let outside = |arguments: &[&str]| run_outside(&python, arguments);
    let tests = root().join("python/tests");
    outside(&["-m", "pytest", "-q", &tests.to_string_lossy(), "--program", &program.to_string_lossy()])?;
    outside(&["-m", "pytest", "-q", "--doctest-modules", "--pyargs", "oslow"])?;
    outside(&[
        "-m",
        "mypy",
        "--strict",
        "--config-file",
        &root().join("python/pyproject.toml").to_string_lossy(),
        "-p",
        "oslow",
    ])
}

/// The Python of the environment, whether or not the package is installed there.
pub fn environment() -> Result<PathBuf, String> {
    python::environment("python-tests", "python/tests/requirements.txt")
}

/// The package in an environment of its own; that environment's Python.
pub fn install() -> Result<PathBuf, String> {
    let python = environment()?;
    let wheels = wheels();
    // What was built before must not be taken for this one.
    let _ = std::fs::remove_dir_all(&wheels);
    let build =
        ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", &wheels.to_string_lossy(), "./python"];
    Program::new(&python, &build).run()?;
    let built = wheel()?;
    let install =
        ["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", &built.to_string_lossy()];
    Program::new(&python, &install).run()?;
    Ok(python)
}

/// The wheel that was installed last.
pub fn wheel() -> Result<PathBuf, String> {
    only_file(&wheels(), ".whl")
}

fn wheels() -> PathBuf {
    target().join("python-wheel")
}

/// Runs Python from cargo's folder, where no module of ours lies.
fn run_outside(python: &Path, arguments: &[&str]) -> Result<(), String> {
    Program::new(python, arguments).within(&target()).run()
}
