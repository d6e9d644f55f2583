//! The Python package: a wheel, and an sdist that makes one.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::licences::{DATA, OURS, THIRD_PARTY};
use super::{Release, VERSION};
use crate::folder::only_file;
use crate::shell::{Program, target};

/// What is tried in Python.
const TRIAL: &str = include_str!("try_wheel.py");

/// The wheel of a release.
pub fn build_wheel(release: &Release) -> Result<PathBuf, String> {
    let out = release.folder.to_string_lossy();
    let mut arguments =
        vec!["build", "--release", "--locked", "--manifest-path", "python/Cargo.toml", "--out", &out];
    if release.old_glibc {
        arguments.extend(["--zig", "--compatibility", "manylinux2014"]);
    }
    release.tool("maturin", &arguments).run()?;
    only_file(&release.folder, ".whl")
}

/// The sources from which pip makes a wheel.
pub fn build_sdist(release: &Release) -> Result<PathBuf, String> {
    let out = release.folder.to_string_lossy();
    release.tool("maturin", &["sdist", "--manifest-path", "python/Cargo.toml", "--out", &out]).run()?;
    only_file(&release.folder, &format!("oslow-{VERSION}.tar.gz"))
}

/// Looks at the name and the bytes of each file of a wheel.
pub fn each_file(wheel: &Path, look: impl Fn(&Path, &[u8]) -> Result<(), String>) -> Result<(), String> {
    let failed = |e: &dyn std::fmt::Display| format!("cannot read `{}`: {e}", wheel.display());
    let packed = std::fs::File::open(wheel).map_err(|e| failed(&e))?;
    let mut archive = zip::ZipArchive::new(packed).map_err(|e| failed(&e))?;
    for k in 0..archive.len() {
        let mut file = archive.by_index(k).map_err(|e| failed(&e))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|e| failed(&e))?;
        let name = file.name().map_err(|e| failed(&e))?.into_owned();
        look(Path::new(&name), &bytes)?;
    }
    Ok(())
}

/// The wheel that pip makes of an sdist, outside of the repository.
pub fn wheel_of_sdist(sdist: &Path, folder: &Path) -> Result<PathBuf, String> {
    let python = environment(&folder.join("build"))?;
    let (wheels, sdist) = (folder.join("wheel"), sdist.to_string_lossy());
    let arguments =
        ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", &wheels.to_string_lossy(), &sdist];
    // Packages from outside are built already.
    let built = [("CARGO_TARGET_DIR", target().to_string_lossy().into_owned())];
    Program::new(python, &arguments).with_environment(&built).run()?;
    only_file(&wheels, ".whl")
}

/// Installs a wheel into an empty environment and uses it where there is neither cargo nor rustc.
pub fn try_out(wheel: &Path, folder: &Path, with_third_party: bool) -> Result<(), String> {
    let python = environment(&folder.join("environment"))?;
    let shown = wheel.to_string_lossy();
    Program::new(&python, &["-m", "pip", "install", "--quiet", &shown]).run()?;
    let licences = OURS.into_iter().chain([DATA.1]).chain(with_third_party.then_some(THIRD_PARTY));
    let arguments: Vec<String> = ["-c", TRIAL].into_iter().chain(licences).map(String::from).collect();
    let programs = python.parent().unwrap_or(folder).to_string_lossy().into_owned();
    let trial = Program::new(&python, &["-I"]).with_files(&arguments, "-c \"$(cat try_wheel.py)\"");
    let said = trial.alone(&programs).output()?;
    eprint!("{said}");
    Ok(())
}

/// An empty Python environment.
fn environment(folder: &Path) -> Result<PathBuf, String> {
    Program::new("python3", &["-m", "venv", "--clear", &folder.to_string_lossy()]).run()?;
    Ok(folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" }))
}
