//! The file formats, by extension and by their first bytes.

use std::path::Path;

use oslow_core::{Error, Result};

/// How a table is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Tabs,
    Npy,
    Parquet,
}

/// The extensions that are read.
const EXTENSIONS: [(&str, Format); 5] = [
    ("csv", Format::Text),
    ("tsv", Format::Tabs),
    ("txt", Format::Text),
    ("npy", Format::Npy),
    ("parquet", Format::Parquet),
];

impl Format {
    /// The format that the path's extension promises.
    pub(crate) fn of(path: &Path) -> Result<Self> {
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

/// What a file is that begins like this, and what to do, where that is known not to be text.
pub(crate) fn foreign(start: &[u8]) -> Option<(&'static str, &'static str)> {
    let kinds: [(&[u8], _, _); 6] = [
        (b"PAR1", "a Parquet file", "give it the extension .parquet"),
        (b"\x93NUMPY", "a NumPy array", "give it the extension .npy"),
        (
            b"PK\x03\x04",
            "a zip archive or an Excel workbook",
            "save the sheet as .csv, or unpack the archive",
        ),
        (b"\x1f\x8b", "a gzip archive", "unpack it first"),
        (b"\xff\xfe", "UTF-16 text", "save the file as UTF-8"),
        (b"\xfe\xff", "UTF-16 text", "save the file as UTF-8"),
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
        assert!(!Format::is_table(Path::new("csv")) && !Format::is_table(Path::new("a.csv/b")));
    }
}
