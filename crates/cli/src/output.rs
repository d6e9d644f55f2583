//! Writing data to stdout.

use std::io::{ErrorKind, Write};
use std::path::Path;

use oslow::{Error, Result, Sample, write_whole};
use serde_json::Value;

/// Writes text to stdout. A reader that has seen enough (`oslow … | head`) is no error.
pub fn print(text: impl AsRef<[u8]>) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_ref()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Error::io("write", "stdout", e)),
        _ => Ok(()),
    }
}

/// Writes one JSON value to stdout.
pub fn print_json(value: &Value) -> Result<()> {
    print(format!("{value:#}\n"))
}

/// A table of numbers as CSV, to a file or to stdout.
pub fn write_table(names: &[String], values: &[f64], to: Option<&Path>) -> Result<()> {
    let mut text = Vec::new();
    oslow::data::write_csv(names, values, &mut text).map_err(|e| Error::io("write", "the table", e))?;
    match to {
        Some(path) => write_whole(path, &text),
        None => print(text),
    }
}

/// A table, categories by their words, as a CSV file.
pub fn write_sample(sample: &Sample, to: &Path) -> Result<()> {
    let mut text = Vec::new();
    oslow::data::write_sample(sample, &mut text).map_err(|e| Error::io("write", "the table", e))?;
    write_whole(to, &text)
}

/// Records as CSV text.
pub fn csv_text<R: AsRef<[u8]>>(records: impl IntoIterator<Item = Vec<R>>) -> Result<Vec<u8>> {
    let failed = |e: &dyn std::fmt::Display| Error::input(format!("the table cannot be written: {e}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.write_record(record).map_err(|e| failed(&e))?;
    }
    writer.into_inner().map_err(|e| failed(&e))
}

/// A table of numbers as JSON: the names, and the values row by row.
pub fn table_json(names: &[String], values: &[f64]) -> Value {
    let rows: Vec<&[f64]> = values.chunks(names.len().max(1)).collect();
    serde_json::json!({ "columns": names, "rows": rows })
}
