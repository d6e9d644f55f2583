//! Packed files: damage within them, and damage to them.

use std::io::{Cursor, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::target::Packed;
use crate::shell::root;

/// A workbook that Python wrote.
const WORKBOOK: &str = "fixtures/workbooks/clinic.xlsx";
/// Its first sheet.
const SHEET: &str = "xl/worksheets/sheet1.xml";

/// Makes the valid files: a workbook, its sheet, and a packed table.
pub fn prepare(home: &Path) -> Result<(), String> {
    let words = |e: std::io::Error| e.to_string();
    let workbook = std::fs::read(root().join(WORKBOOK)).map_err(words)?;
    let mut archive = ZipArchive::new(Cursor::new(&workbook)).map_err(|e| e.to_string())?;
    let mut sheet = Vec::new();
    archive.by_name(SHEET).map_err(|e| e.to_string())?.read_to_end(&mut sheet).map_err(words)?;
    std::fs::write(home.join("sheet1.xml"), sheet).map_err(words)?;
    std::fs::write(home.join("clinic.xlsx"), workbook).map_err(words)?;
    let table = std::fs::read(home.join("s/data.csv")).map_err(words)?;
    std::fs::write(home.join("data.csv.gz"), gzip(&table)?).map_err(words)
}

/// The bytes as a file of this kind.
pub fn packed(kind: Packed, bytes: Vec<u8>, home: &Path) -> Result<Vec<u8>, String> {
    match kind {
        Packed::Not => Ok(bytes),
        Packed::Gzip => gzip(&bytes),
        Packed::Workbook => {
            let workbook = std::fs::read(home.join("clinic.xlsx")).map_err(|e| e.to_string())?;
            with_sheet(&workbook, &bytes).map_err(|e| e.to_string())
        }
    }
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_err(|e| e.to_string())
}

/// The workbook with another first sheet.
fn with_sheet(workbook: &[u8], sheet: &[u8]) -> zip::result::ZipResult<Vec<u8>> {
    let mut old = ZipArchive::new(Cursor::new(workbook))?;
    let mut new = ZipWriter::new(Cursor::new(Vec::new()));
    for file in 0..old.len() {
        let file = old.by_index_raw(file)?;
        if file.name()? == SHEET {
            new.start_file(SHEET, SimpleFileOptions::default())?;
            new.write_all(sheet)?;
        } else {
            new.raw_copy_file(file)?;
        }
    }
    Ok(new.finish()?.into_inner())
}
