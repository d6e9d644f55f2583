//! Reading a table from a file.

use std::path::Path;

use oslow_core::{Choice, Error, Remedy, Result, Sample, nearest};

use crate::{
    Note, ReadOptions, bytes_of, csv, datasets, diagnostics, format, format::Format, npy, rows::Rows,
    sentinels::sentinels,
};

/// What standard input is called in place of a file.
pub const STANDARD_INPUT: &str = "-";

/// A table that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The numbers.
    pub sample: Sample,
    /// What the user should know: rows that were dropped, columns that look doubtful.
    pub notes: Vec<Note>,
    /// How many rows were left out for missing or infinite values.
    pub dropped_rows: usize,
}

/// Reads a table; its extension says how it is stored. Refuses what no learner can use, naming file, line,
/// column and remedy.
pub fn read_table(path: &Path, options: &ReadOptions) -> Result<Table> {
    read_file(path, options, Table::from_rows)
}

/// Reads the rows of a file and makes something of them.
pub(crate) fn read_file<T>(
    path: &Path,
    options: &ReadOptions,
    finish: impl Fn(Rows) -> Result<T>,
) -> Result<T> {
    options.check()?;
    check_exists(path, "table")?;
    let read = || {
        let format = Format::of(path)?;
        check_sheet(format, options)?;
        let rows = match format {
            Format::Text | Format::Tabs => {
                csv::read(&bytes_of::of_file(path)?, format == Format::Tabs, options)
            }
            Format::Workbook => workbook(bytes_of::of_file(path)?, options),
            Format::Npy => npy::read(path, options),
            #[cfg(feature = "parquet")]
            Format::Parquet => crate::parquet::read(path, options),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => no_parquet(),
        };
        finish(rows?)
    };
    read().map_err(|e| e.at(path.display()))
}

/// Reads the rows that come in through standard input; their first bytes say how they are stored.
pub(crate) fn read_standard_input<T>(options: &ReadOptions, finish: impl Fn(Rows) -> Result<T>) -> Result<T> {
    options.check()?;
    let read = || {
        let bytes = bytes_of::of_standard_input()?;
        if bytes.is_empty() {
            return Err(Error::input("nothing came in").with_hint("pipe a table in, or name its file"));
        }
        let format = format::of_bytes(&bytes);
        check_sheet(format, options)?;
        let rows = match format {
            Format::Text | Format::Tabs => csv::read(&bytes, false, options),
            Format::Workbook => workbook(bytes, options),
            Format::Npy => npy::read_bytes(&bytes, options),
            #[cfg(feature = "parquet")]
            Format::Parquet => crate::parquet::read_bytes(bytes, options),
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => no_parquet(),
        };
        finish(rows?)
    };
    read().map_err(|e| e.at("standard input"))
}

#[cfg(not(feature = "parquet"))]
fn no_parquet() -> Result<Rows> {
    Err(Error::input("this build of oslow cannot read Parquet")
        .with_hint("build it with the feature `parquet`, or save the table as .csv"))
}

#[cfg(feature = "xlsx")]
fn workbook(bytes: Vec<u8>, options: &ReadOptions) -> Result<Rows> {
    crate::workbook::read(bytes, options)
}

#[cfg(not(feature = "xlsx"))]
fn workbook(_: Vec<u8>, _: &ReadOptions) -> Result<Rows> {
    Err(Error::input("this build of oslow cannot read Excel workbooks")
        .with_hint("build it with the feature `xlsx`, or save the sheet as .csv"))
}

fn check_sheet(format: Format, options: &ReadOptions) -> Result<()> {
    match &options.sheet {
        Some(sheet) if format != Format::Workbook => {
            Err(Error::input(format!("there is no sheet `{sheet}`: only .xlsx files have sheets"))
                .with_hint(Remedy::from("drop ").and(Choice::Sheet)))
        }
        _ => Ok(()),
    }
}

impl Table {
    /// The last checks, common to all formats.
    pub(crate) fn from_rows(rows: Rows) -> Result<Self> {
        let (sample, dropped_rows, mut notes) = rows.finish()?;
        let doubts = diagnostics::doubts(&sample)?;
        notes.extend(diagnostics::types(&sample).into_iter().chain(sentinels(&sample)).chain(doubts));
        Ok(Self { sample, notes, dropped_rows })
    }
}

/// Refuses a path that is no file; `what` it should hold, a table or a graph, goes into the words.
pub(crate) fn check_exists(path: &Path, what: &str) -> Result<()> {
    let shown = path.display();
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            let error = Error::input(format!("`{shown}` is a folder, not a {what}"));
            let tables = neighbours(path).into_iter().filter(|name| Format::is_table(Path::new(name)));
            Err(match tables.min() {
                Some(name) => {
                    error.with_hint(format!("name a file in it, such as `{}`", path.join(name).display()))
                }
                None => error.with_hint("name a file: .csv, .tsv, .xlsx, .npy or .parquet"),
            })
        }
        Ok(_) => Ok(()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Err(missing(path)),
        Err(e) => Err(Error::io("read", path, e)),
    }
}

/// There is no such file: says so, with the nearest name among its neighbours and the built-in data sets.
fn missing(path: &Path) -> Error {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Error::input(format!("there is no folder `{}`", folder.display()))
            .with_hint("paths count from the folder where oslow was started");
    }
    let error = Error::input(format!("there is no file `{}`", path.display()));
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut known = neighbours(folder.unwrap_or(Path::new(".")));
    known.retain(|name| Format::is_table(Path::new(name)));
    if let Some(near) = nearest_file(&name, &known) {
        let near = folder.map_or_else(|| near.into(), |folder| folder.join(near));
        return error.with_hint(format!("did you mean `{}`?", near.display()));
    }
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    error.with_hint(match nearest(&stem, datasets().iter().map(|set| set.name)) {
        Some(near) => format!("did you mean the built-in data set `{near}`?"),
        None => "check the spelling; paths count from the folder where oslow was started".into(),
    })
}

/// The file whose name without its extension is nearest: extensions are alike, whatever was meant.
fn nearest_file<'a>(name: &str, files: &'a [String]) -> Option<&'a str> {
    let stem = |name: &str| name.split_once('.').map_or(name, |(stem, _)| stem).to_string();
    let stems: Vec<String> = files.iter().map(|file| stem(file)).collect();
    let near = nearest(&stem(name), stems.iter().map(String::as_str))?;
    stems.iter().position(|other| other == near).map(|at| files[at].as_str())
}

/// The names in a folder; none where it cannot be read, as they only serve hints.
pub(crate) fn neighbours(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}
