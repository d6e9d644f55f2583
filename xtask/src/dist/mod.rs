//! `cargo xtask dist`: what a release consists of, each part installed into an empty place and tried there.

mod archive;
mod licences;
mod wheel;

use std::path::{Path, PathBuf};
use std::time::Instant;

use sha2::{Digest, Sha256};

use crate::folder::files;
use crate::metadata::{Metadata, host};
use crate::shell::{Program, cargo, root, target};
use crate::temporary::Temporary;
use crate::{Command, expect_only, python, python_tests};

pub const COMMAND: Command = Command {
    name: "dist",
    summary: "build archive, wheel and sdist into target/dist; install each into an empty place and try it",
    run,
};

/// All parts of the workspace have one version.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The oldest glibc that Rust supports: programs built for it run on every Linux of today.
const GLIBC: &str = "2.17";

/// A release that is being built.
struct Release {
    /// Where its files are gathered.
    folder: PathBuf,
    /// The folder of the tools' programs, where they can be had.
    tools: Option<PathBuf>,
    /// Whether programs are built for an old glibc, and not for that of this machine.
    old_glibc: bool,
    /// When the commit was made, in seconds: the time of every file.
    time: u64,
}

fn run(arguments: &[String]) -> Result<(), String> {
    expect_only(&[], arguments)?;
    // The program names its commit.
    if !Program::new("git", &["status", "--porcelain"]).output()?.trim().is_empty() {
        return Err("there are changes that are not committed; commit them first".into());
    }
    licences::check_copies()?;
    let release = Release::new()?;
    let began = Instant::now();
    let done = |what: &str| eprintln!("{what}: after {:.0} s", began.elapsed().as_secs_f64());

    let target = host()?;
    let metadata = Metadata::read(&target)?;
    let program = release.build_program(&target)?;
    refuse_paths(&program, &read_bytes(&program)?)?;
    let archive = archive::pack(&program, &target, &metadata, &release.folder, release.time)?;
    archive::try_out(&archive, &Temporary::new("archive")?.path)?;
    done("the archive works");

    if release.tools.is_some() {
        licences::write_for_python(&metadata)?;
        let wheel = wheel::build_wheel(&release)?;
        wheel::each_file(&wheel, refuse_paths)?;
        wheel::try_out(&wheel, &Temporary::new("wheel")?.path, true)?;
        done("the wheel works");
        let sdist = wheel::build_sdist(&release)?;
        let outside = Temporary::new("sdist")?;
        let wheel = wheel::wheel_of_sdist(&sdist, &outside.path)?;
        wheel::try_out(&wheel, &outside.path, false)?;
        done("the sdist works");
    }
    release.write_sums()
}

/// What is quick of it, for every change: the program and the wheel that are built already.
pub fn packages() -> Result<(), String> {
    licences::check_copies()?;
    let temporary = Temporary::new("packages")?;
    let (target, program) = (host()?, target().join(program_file()));
    let metadata = Metadata::read(&target)?;
    let archive = archive::pack(&program, &target, &metadata, &temporary.path, commit_time()?)?;
    archive::try_out(&archive, &temporary.path)?;
    wheel::try_out(&python_tests::wheel()?, &temporary.path, false)
}

impl Release {
    fn new() -> Result<Self, String> {
        let tools = python::environment("dist-tools", "xtask/src/dist/requirements.txt");
        let tools = tools.map(|python| python.parent().map(Path::to_path_buf).unwrap_or_default());
        if let Err(why) = &tools {
            eprintln!(
                "{why}\nwithout maturin and zig there is no wheel and no sdist, and the program needs a glibc as new as this machine's"
            );
        }
        let tools = tools.ok();
        let folder = target().join("dist");
        // What an earlier release left must not be taken for this one.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).map_err(|e| format!("cannot create `{}`: {e}", folder.display()))?;
        Ok(Self {
            folder,
            old_glibc: cfg!(target_os = "linux") && tools.is_some(),
            tools,
            time: commit_time()?,
        })
    }

    /// One of the tools.
    fn tool(&self, name: &str, arguments: &[&str]) -> Program {
        let folder = self.tools.clone().unwrap_or_default();
        self.reproducible(Program::new(folder.join(name), arguments))
    }

    /// With what makes a build the same on every machine. The tools find each other.
    fn reproducible(&self, program: Program) -> Program {
        let before = std::env::var_os("PATH").unwrap_or_default();
        let folders = self.tools.iter().cloned().chain(std::env::split_paths(&before));
        let path = std::env::join_paths(folders).unwrap_or_else(|_| before.clone());
        // Messages of panics name source files. They shall not name folders of this machine.
        let remapped = [(registry(), "/registry"), (root(), "/oslow")]
            .map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()));
        program.with_environment(&[
            ("PATH", path.to_string_lossy().into_owned()),
            ("CARGO_ENCODED_RUSTFLAGS", remapped.join("\u{1f}")),
            ("SOURCE_DATE_EPOCH", self.time.to_string()),
        ])
    }

    fn build_program(&self, target: &str) -> Result<PathBuf, String> {
        let old = format!("{target}.{GLIBC}");
        let mut arguments =
            vec!["build", "--release", "--locked", "--package", "oslow-cli", "--target", target];
        if self.old_glibc {
            (arguments[0], arguments[6]) = ("zigbuild", &old);
            self.tool("cargo-zigbuild", &arguments).run()?;
        } else {
            self.reproducible(Program::new(cargo(), &arguments)).run()?;
        }
        Ok(crate::shell::target().join(target).join(program_file()))
    }

    /// Writes and shows the sums of all files.
    fn write_sums(&self) -> Result<(), String> {
        let mut lines = Vec::new();
        for path in files(&self.folder)? {
            let bytes = read_bytes(&path)?;
            let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            eprintln!("{name}: {:.1} MB", bytes.len() as f64 / 1e6);
            lines.push(format!("{sum}  {name}\n"));
        }
        write(&self.folder.join("SHA256SUMS"), lines.concat())
    }
}

/// Fails if a file names a folder of this machine.
fn refuse_paths(file: &Path, bytes: &[u8]) -> Result<(), String> {
    for folder in [root(), registry()] {
        let text = folder.to_string_lossy().into_owned();
        if bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
            return Err(format!("`{}` names the folder `{text}` of this machine", file.display()));
        }
    }
    Ok(())
}

/// Where cargo keeps the sources of packages.
fn registry() -> PathBuf {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    home.unwrap_or_default().join("registry/src")
}

/// The program within cargo's folder for a target.
fn program_file() -> String {
    format!("release/oslow{}", std::env::consts::EXE_SUFFIX)
}

fn commit_time() -> Result<u64, String> {
    let text = Program::new("git", &["log", "-1", "--format=%ct"]).output()?;
    text.trim().parse().map_err(|_| format!("git says `{}` and no time", text.trim()))
}

fn read(path: &Path) -> Result<String, String> {
    // Old licences are written in other encodings.
    Ok(String::from_utf8_lossy(&read_bytes(path)?).into_owned())
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|e| format!("cannot read `{}`: {e}", path.display()))
}

fn write(path: &Path, text: String) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("cannot write `{}`: {e}", path.display()))
}
