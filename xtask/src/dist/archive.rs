//! `oslow-VERSION-TARGET.tar.gz`: the program with completions, manual pages and licences.

use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use tar::{Archive, Builder, Header};

use super::licences::{DATA, OURS, THIRD_PARTY, third_party};
use super::{VERSION, read, read_bytes};
use crate::ci::check_run;
use crate::folder;
use crate::metadata::Metadata;
use crate::shell::{Program, root};

/// A shell, and the file in which it looks for completions.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "oslow.bash"),
    ("elvish", "oslow.elv"),
    ("fish", "oslow.fish"),
    ("powershell", "_oslow.ps1"),
    ("zsh", "_oslow"),
];

/// A file of the archive.
struct File {
    name: String,
    bytes: Vec<u8>,
    /// Whether it is a program.
    runs: bool,
}

impl File {
    fn text(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: text.into(), runs: false }
    }
}

/// Packs the program for this target into a folder. The same program at the same time gives the same bytes.
pub fn pack(
    program: &Path,
    target: &str,
    metadata: &Metadata,
    folder: &Path,
    time: u64,
) -> Result<PathBuf, String> {
    let name = format!("oslow-{VERSION}-{target}");
    let path = folder.join(format!("{name}.tar.gz"));
    let failed = |e: std::io::Error| format!("cannot write `{}`: {e}", path.display());
    let out = std::fs::File::create(&path).map_err(failed)?;
    let mut tar = Builder::new(GzEncoder::new(out, Compression::best()));
    for file in files(program, metadata, folder)? {
        let mut header = Header::new_gnu();
        header.set_size(file.bytes.len() as u64);
        header.set_mode(if file.runs { 0o755 } else { 0o644 });
        header.set_mtime(time);
        tar.append_data(&mut header, format!("{name}/{}", file.name), file.bytes.as_slice())
            .map_err(failed)?;
    }
    tar.into_inner().and_then(GzEncoder::finish).map_err(failed)?;
    Ok(path)
}

fn files(program: &Path, metadata: &Metadata, scratch: &Path) -> Result<Vec<File>, String> {
    let name = format!("oslow{}", std::env::consts::EXE_SUFFIX);
    let mut files = vec![File { name, bytes: read_bytes(program)?, runs: true }];
    for (shell, name) in SHELLS {
        let script = Program::new(program, &["completions", shell]).output()?;
        files.push(File::text(format!("completions/{name}"), script));
    }
    let pages = scratch.join("man");
    Program::new(program, &["man", "--quiet", "--out", &pages.to_string_lossy()]).run()?;
    for page in folder::files(&pages)? {
        let name = page.file_name().unwrap_or_default().to_string_lossy();
        files.push(File::text(format!("man/man1/{name}"), read(&page)?));
    }
    std::fs::remove_dir_all(&pages).map_err(|e| format!("cannot remove `{}`: {e}", pages.display()))?;
    for (from, to) in
        OURS.map(|name| (name, name)).into_iter().chain([DATA, ("CHANGELOG.md", "CHANGELOG.md")])
    {
        files.push(File::text(to, read(&root().join(from))?));
    }
    files.push(File::text(THIRD_PARTY, third_party(metadata, "oslow-cli")?));
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// Unpacks the archive into an empty folder and uses the program there, with nothing else in reach.
pub fn try_out(archive: &Path, folder: &Path) -> Result<(), String> {
    let failed = |e: std::io::Error| format!("cannot unpack `{}`: {e}", archive.display());
    let packed = std::fs::File::open(archive).map_err(failed)?;
    Archive::new(GzDecoder::new(packed)).unpack(folder).map_err(failed)?;
    let name = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let inside = folder.join(name.trim_end_matches(".tar.gz"));
    let program = inside.join(format!("oslow{}", std::env::consts::EXE_SUFFIX));

    let alone = |arguments: &[&str]| Program::new(&program, arguments).alone("").within(&inside);
    let version = alone(&["--version"]).output()?;
    if !version.starts_with(&format!("oslow {VERSION} (")) {
        return Err(format!("`oslow --version` says `{}`", version.trim_end()));
    }
    eprint!("{version}");
    alone(&["discover", "--method", "r2-sort", "--prune", "none", "--quiet", "--out", "run"]).output()?;
    check_run(&inside.join("run/run.json"))?;

    let commands = commands(&alone(&["--help"]).output()?);
    if commands.len() < 10 {
        return Err("`oslow --help` lists no commands".into());
    }
    for (_, script) in SHELLS {
        let text = read(&inside.join("completions").join(script))?;
        must_name(&text, &commands, script)?;
    }
    for command in &commands {
        let page = format!("man/man1/oslow-{command}.1");
        must_name(&read(&inside.join(&page))?, std::slice::from_ref(command), &page)?;
    }
    must_name(&read(&inside.join("man/man1/oslow.1"))?, &commands, "oslow.1")?;
    must_name(&read(&inside.join(THIRD_PARTY))?, &["clap".into(), "zstd-sys".into()], THIRD_PARTY)?;
    for name in OURS.into_iter().chain([DATA.1, "CHANGELOG.md"]) {
        read(&inside.join(name))?;
    }
    Ok(())
}

/// The commands that `oslow --help` lists.
fn commands(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = listed.take_while(|line| line.starts_with("  ")).filter_map(|line| {
        // A summary that is too long goes on deeper in the next line.
        line.strip_prefix("  ").filter(|rest| !rest.starts_with(' '))?.split_whitespace().next()
    });
    names.filter(|name| *name != "help").map(String::from).collect()
}

fn must_name(text: &str, words: &[String], file: &str) -> Result<(), String> {
    match words.iter().find(|word| !text.contains(word.as_str())) {
        None => Ok(()),
        Some(word) => Err(format!("{file} does not name `{word}`")),
    }
}
