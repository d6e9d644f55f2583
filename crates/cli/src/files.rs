//! Files that a call names besides its table.

use std::path::{Path, PathBuf};

use oslow::{Error, FittedFlow, Knowledge, Result, Settings, read_utf8, try_file};

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String> {
    read_utf8(path).map_err(|e| match e {
        Error::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            Error::input(format!("there is no file `{}`", path.display()))
                .with_hint("check the spelling; paths count from the folder where oslow was started")
        }
        other => other,
    })
}

/// Knowledge as the file has it, checked against the columns.
pub fn read_knowledge(path: &Path, columns: &[String]) -> Result<Settings> {
    let text = read_text(path)?;
    Knowledge::from_toml(&text, columns).map_err(|e| e.at(path.display()))?;
    text.parse().map_err(|e| Error::input(format!("{}: {e}", path.display())))
}

/// A failure to save after the work. The place was good when the run began, so the arguments are not at fault.
pub fn not_saved(folder: &Path, error: Error) -> Error {
    match error {
        Error::Input { message, .. } => Error::io("write", folder, std::io::Error::other(message)),
        other => other,
    }
}

/// What to do about a folder that is in use, where there is nothing to resume.
pub const OVERWRITE: &str = "overwrite it with `--force`, or name another folder with `--out`";

/// Refuses, before work starts, a file that could not be written afterwards.
pub fn check_out_file(path: &Path) -> Result<()> {
    if path.is_dir() {
        return Err(
            Error::input(format!("`{}` is a folder", path.display())).with_hint("name a file with `--out`")
        );
    }
    let folder: PathBuf = path.parent().map(Into::into).unwrap_or_default();
    if !folder.as_os_str().is_empty() && !folder.is_dir() {
        return Err(Error::input(format!("there is no folder `{}`", folder.display()))
            .with_hint("make it first, or name another file with `--out`"));
    }
    try_file(path)
}

/// A model from its file, or from the folder of a run that has one.
pub fn load_model(path: &Path) -> Result<FittedFlow> {
    if !path.is_dir() {
        return FittedFlow::load(path);
    }
    let file = path.join("model.safetensors");
    if !file.exists() {
        return Err(Error::input(format!("the folder `{}` holds no model", path.display()))
            .with_hint("`oslow discover DATA --fit --out DIR` leaves one"));
    }
    FittedFlow::load(&file)
}
