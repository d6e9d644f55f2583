//! Opening what the user names: a built-in data set or a file.

use std::path::Path;

use oslow_core::{Error, Result, nearest};

use crate::rows::{Observations, Rows};
use crate::table::{STANDARD_INPUT, read_file, read_standard_input};
use crate::{Dataset, GraphFile, ReadOptions, Table, datasets, read_graph};

/// The built-in data set of this name, or the table in the file at this path.
///
/// A built-in name comes first; `./sachs` is always a path, and `-` is standard input. Of the options, built-in data sets heed `index`,
/// `columns`, `condition` and `filters`.
pub fn open(name_or_path: &str, options: &ReadOptions) -> Result<Table> {
    open_as(name_or_path, options, Table::from_rows)
}

/// [`open`] for rows that a fitted model is asked about: a single row will do.
pub fn open_observations(name_or_path: &str, options: &ReadOptions) -> Result<Observations> {
    open_as(name_or_path, options, Observations::from_rows)
}

/// The graph that is held to be true of the built-in data set of this name, or the graph in the file at this path.
pub fn open_graph(name_or_path: &str) -> Result<GraphFile> {
    built_in(name_or_path).and_then(Dataset::graph).unwrap_or_else(|| read_graph(Path::new(name_or_path)))
}

fn built_in(name: &str) -> Option<&'static Dataset> {
    datasets().iter().find(|set| set.name == name)
}

fn open_as<T>(name_or_path: &str, options: &ReadOptions, finish: impl Fn(Rows) -> Result<T>) -> Result<T> {
    if let Some(set) = built_in(name_or_path) {
        return set.read_as(options, finish);
    }
    if name_or_path == STANDARD_INPUT {
        return read_standard_input(options, finish);
    }
    let path = Path::new(name_or_path);
    let bare_word = path.extension().is_none() && path.components().count() <= 1 && !path.exists();
    if !bare_word || name_or_path.starts_with('.') {
        return read_file(path, options, finish);
    }
    let names = || datasets().iter().map(|set| set.name);
    let error = Error::input(format!("`{name_or_path}` is neither a file nor a built-in data set"));
    if let Some(near) = nearest(name_or_path, names()) {
        return Err(error.with_hint(format!("did you mean `{near}`?")));
    }
    // `data` for `data.csv` is a likely slip.
    let files = crate::table::neighbours(Path::new("."));
    let same_stem = files.iter().find(|file| {
        Path::new(file).file_stem().is_some_and(|stem| stem == name_or_path)
            && crate::format::Format::is_table(Path::new(file))
    });
    Err(error.with_hint(match same_stem {
        Some(file) => format!("did you mean `{file}`?"),
        None => {
            format!("built-in are: {}; a file needs its extension", names().collect::<Vec<_>>().join(", "))
        }
    }))
}
