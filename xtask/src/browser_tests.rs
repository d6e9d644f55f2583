//! `cargo xtask browser-tests`: the report page and the local page in Chromium.

use std::path::PathBuf;

use crate::shell::{Program, cargo, root, target};
use crate::{Command, expect_only};

pub const COMMAND: Command = Command {
    name: "browser-tests",
    summary: "the report page and `oslow app` in Chromium: links, sliders, runs, hostile names, accessibility; needs Node 20",
    run,
};

/// What is to be installed, and what is to be run.
const FOLDER: &str = "tests/browser";
const TESTS: [&str; 2] = ["tests/browser/report.test.js", "tests/browser/app.test.js"];
/// Names that Chromium has.
const CHROMIUM: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&[], arguments)?;
    browser_tests()
}

/// Fails if a test does, or, on a build server, if there is no browser.
pub fn browser_tests() -> Result<(), String> {
    let Some(chromium) = browser()? else {
        return skipped("Chromium, Node or npm is missing and cannot be installed");
    };
    let packages = packages()?;
    Program::new(cargo(), &["build", "--release", "--package", "oslow-cli"]).run()?;
    let program = target().join("release").join(format!("oslow{}", std::env::consts::EXE_SUFFIX));
    let variables = [
        ("OSLOW_PROGRAM", program.to_string_lossy().into_owned()),
        ("OSLOW_CHROMIUM", chromium.to_string_lossy().into_owned()),
    ];
    let tests = TESTS.map(|file| root().join(file).to_string_lossy().into_owned());
    let mut arguments = vec!["--test"];
    arguments.extend(tests.iter().map(String::as_str));
    Program::new("node", &arguments).with_variables(&variables).within(&packages).run()
}

/// A developer without a browser may go on; a build server may not.
fn skipped(why: &str) -> Result<(), String> {
    match std::env::var("CI").is_ok_and(|set| set == "true") {
        true => Err(why.into()),
        false => {
            eprintln!("{why}: the browser tests are skipped");
            Ok(())
        }
    }
}

/// Chromium, where it and Node are there or can be installed.
fn browser() -> Result<Option<PathBuf>, String> {
    let there = || {
        let chromium = CHROMIUM.iter().find_map(|name| found(name));
        chromium.filter(|_| found("node").is_some() && found("npm").is_some())
    };
    if let Some(chromium) = there() {
        return Ok(Some(chromium));
    }
    if found("apt-get").is_none() || !is_root() {
        return Ok(None);
    }
    Program::new("apt-get", &["update", "--quiet"]).run()?;
    let mut wanted = vec!["install", "--quiet", "--yes", "--no-install-recommends", "chromium"];
    wanted.extend(found("npm").is_none().then_some(["nodejs", "npm"]).into_iter().flatten());
    Program::new("apt-get", &wanted).run()?;
    Ok(there())
}

/// The folder with the packages of the tests. They are installed again only when the list of them changes.
fn packages() -> Result<PathBuf, String> {
    let folder = target().join("browser-tests");
    std::fs::create_dir_all(&folder).map_err(|e| format!("cannot create `{}`: {e}", folder.display()))?;
    let mut changed = !folder.join("node_modules").exists();
    for name in ["package.json", "package-lock.json"] {
        let (from, to) = (root().join(FOLDER).join(name), folder.join(name));
        let wanted = std::fs::read(&from).map_err(|e| format!("cannot read `{}`: {e}", from.display()))?;
        if std::fs::read(&to).ok().as_ref() != Some(&wanted) {
            std::fs::write(&to, wanted).map_err(|e| format!("cannot write `{}`: {e}", to.display()))?;
            changed = true;
        }
    }
    if changed {
        Program::new("npm", &["ci", "--silent", "--no-audit", "--no-fund"]).within(&folder).run()?;
    }
    Ok(folder)
}

/// Where the system finds a program.
fn found(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

#[cfg(unix)]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    // Only root's own processes belong to user 0.
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
