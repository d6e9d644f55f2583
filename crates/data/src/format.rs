//! The file formats, by extension and by their first bytes.

use std::path::Path;

use oslow_core::{Error, Result};

/// How a table is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Tabs,
    Workbook,
    Npy,
    Parquet,
}

/// The extensions that are read.
const EXTENSIONS: [(&str, Format); 7] = [
    ("csv", Format::Text),
    ("tsv", Format::Tabs),
    ("txt", Format::Text),
    ("xlsx", Format::Workbook),
    ("xlsm", Format::Workbook),
    ("npy", Format::Npy),
    ("parquet", Format::Parquet),
];

impl Format {
    /// The format that the path's extension promises; text may be packed, as in `.csv.gz`.
    pub(crate) fn of(path: &Path) -> Result<Self> {
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz")) {
            return match Self::of(Path::new(path.file_stem().unwrap_or_default())) {
                Ok(text @ (Self::Text | Self::Tabs)) => Ok(text),
                _ => Err(Error::input("only text tables are read from a `.gz` file")
                    .with_hint("name it .csv.gz or .tsv.gz if it holds text; if not, unpack it first")),
            };
        }
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        let known = EXTENSIONS.iter().find(|(e, _)| Some(*e) == extension.as_deref());
        known.map(|(_, format)| *format).ok_or_else(|| {
            let message = match &extension {
                Some(extension) => format!("tables in the format `.{extension}` cannot be read"),
                None => "the name has no extension, so its format is unknown".to_string(),
            };
            let list = EXTENSIONS.map(|(e, _)| format!(".{e}")).join(", ");
            Error::input(message).with_hint(format!("save it as one of {list}"))
        })
    }

    /// Whether a path ends like a table.
    pub(crate) fn is_table(path: &Path) -> bool {
        Self::of(path).is_ok()
    }
}

/// Refuses the name of a file that does not end like that of a table.
pub fn check_name(path: &Path) -> Result<()> {
    Format::of(path).map(drop)
}

const PARQUET: &[u8] = b"PAR1";
const NUMPY: &[u8] = b"\x93NUMPY";
const ZIP: &[u8] = b"PK\x03\x04";

/// The format of what begins like this, where no name tells it.
pub(crate) fn of_bytes(start: &[u8]) -> Format {
    match start {
        _ if start.starts_with(PARQUET) => Format::Parquet,
        _ if start.starts_with(NUMPY) => Format::Npy,
        _ if start.starts_with(ZIP) => Format::Workbook,
        _ => Format::Text,
    }
}

/// What a file is that begins like this, and what to do, where that is known not to be text.
pub(crate) fn foreign(start: &[u8]) -> Option<(&'static str, &'static str)> {
    let kinds: [(&[u8], _, _); 5] = [
        (PARQUET, "a Parquet file", "give it the extension .parquet"),
        (NUMPY, "a NumPy array", "give it the extension .npy"),
        (
            ZIP,
            "a zip archive or an Excel workbook",
            "give it the extension .xlsx if it is a workbook, or unpack the archive",
        ),
        (b"\x1f\x8b", "a gzip archive", "give it the extension .csv.gz"),
        (b"\xd0\xcf\x11\xe0", "an old Excel or Word file", "save the sheet as .xlsx or .csv"),
    ];
    kinds.iter().find(|(magic, ..)| start.starts_with(magic)).map(|&(_, what, remedy)| (what, remedy))
}

/// The names of columns that have none: X0, X1, …
pub(crate) fn default_names(columns: usize) -> Vec<String> {
    (0..columns).map(|j| format!("X{j}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_go_by_extension_in_any_case() {
        assert_eq!(Format::of(Path::new("a/b.CSV")).unwrap(), Format::Text);
        assert_eq!(Format::of(Path::new("b.x.parquet")).unwrap(), Format::Parquet);
        assert_eq!(Format::of(Path::new("a.TSV.gz")).unwrap(), Format::Tabs);
        assert!(Format::of(Path::new("a.gz")).is_err() && Format::of(Path::new("a.npy.gz")).is_err());
        assert!(!Format::is_table(Path::new("csv")) && !Format::is_table(Path::new("a.csv/b")));
    }
}
