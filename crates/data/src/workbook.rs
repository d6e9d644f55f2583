//! Excel workbooks (`.xlsx`): one sheet becomes text, and is read as text tables are.
//!
//! Cells are taken one by one, and never as the rectangle that the sheet says it has: a damaged or malicious one claims any size.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use calamine::{DataRef, Reader, Xlsx, XlsxError};
use oslow_core::{Choice, Error, Remedy, Result, suggestion};
use zip::ZipArchive;

use crate::bytes_of::{most_unpacked, too_much};
use crate::decoder::{damaged, guarded};
use crate::rows::Rows;
use crate::{Note, ReadOptions, csv};

const FORMAT: &str = "Excel";
/// No cell holds it, so that nothing needs quotes.
const DELIMITER: u8 = 0x1f;

/// Reads the bytes of a workbook.
pub(crate) fn read(bytes: Vec<u8>, options: &ReadOptions) -> Result<Rows> {
    let (text, note) = guarded(FORMAT, || {
        let most = most_unpacked(bytes.len() as u64);
        check_size(&bytes, most)?;
        let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).map_err(unreadable)?;
        let (sheet, note) = chosen_sheet(&book.sheet_names(), options.sheet.as_deref())?;
        let decimal = options.decimal.unwrap_or('.');
        let text = text_of(&mut book, &sheet, decimal, most).map_err(|e| e.at(format!("sheet `{sheet}`")))?;
        Ok((text, note))
    })?;
    let options = ReadOptions { delimiter: Some(DELIMITER), ..options.clone() };
    let mut rows = csv::parse_in(&text, "row", &options)?;
    rows.notes.splice(0..0, note);
    Ok(rows)
}

/// Refuses an archive that unpacks to too much. What it says of its sizes need not be true, so it is tried.
fn check_size(bytes: &[u8], most: u64) -> Result<()> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|e| damaged(FORMAT, e))?;
    let mut left = most;
    for file in 0..archive.len() {
        let file = archive.by_index(file).map_err(|e| damaged(FORMAT, e))?;
        let unpacked = std::io::copy(&mut file.take(left + 1), &mut std::io::sink());
        left = match left.checked_sub(unpacked.map_err(|e| damaged(FORMAT, e))?) {
            Some(left) => left,
            None => return Err(too_much(most)),
        };
    }
    Ok(())
}

/// The sheet that was asked for, or the first.
fn chosen_sheet(sheets: &[String], asked: Option<&str>) -> Result<(String, Option<Note>)> {
    let Some(first) = sheets.first() else { return Err(damaged(FORMAT, "it has no sheets")) };
    let Some(asked) = asked else {
        let note = (sheets.len() > 1).then(|| Note {
            text: format!("read the first of {} sheets, `{first}`", sheets.len()),
            remedy: Some(Remedy::from("choose another with ").and(Choice::Sheet.set(sheets[1].clone()))),
        });
        return Ok((first.clone(), note));
    };
    if sheets.iter().any(|sheet| sheet == asked) {
        return Ok((asked.to_string(), None));
    }
    Err(Error::input(format!("there is no sheet `{asked}`"))
        .with_hint(suggestion(asked, sheets.iter().map(String::as_str))))
}

/// The cells of a sheet as text, a line for each row, so that lines count as rows do.
fn text_of(book: &mut Xlsx<Cursor<Vec<u8>>>, sheet: &str, decimal: char, most: u64) -> Result<String> {
    let mut cells = book.worksheet_cells_reader(sheet).map_err(unreadable)?;
    let mut rows: BTreeMap<u32, Vec<(u32, String)>> = BTreeMap::new();
    let mut size = 0;
    while let Some(cell) = cells.next_cell().map_err(unreadable)? {
        let (row, column) = cell.get_position();
        let text = written(cell.get_value(), decimal);
        if !text.is_empty() {
            size += text.len() as u64 + 1;
            if size > most {
                return Err(too_much(most));
            }
            rows.entry(row).or_default().push((column, text));
        }
    }
    joined(rows, most)
}

/// The rows as text. Columns in which nothing stands are no columns; above the first row and between rows there may be empty ones.
fn joined(rows: BTreeMap<u32, Vec<(u32, String)>>, most: u64) -> Result<String> {
    let mut columns: Vec<u32> = rows.values().flatten().map(|(column, _)| *column).collect();
    columns.sort_unstable();
    columns.dedup();
    let lines = rows.last_key_value().map_or(0, |(last, _)| u64::from(*last) + 1);
    if rows.len() as u64 * columns.len() as u64 + lines > most {
        return Err(too_much(most));
    }
    let mut text = String::new();
    let mut line = 0;
    for (row, cells) in rows {
        (line..row).for_each(|_| text.push('\n'));
        line = row + 1;
        let mut of_row = vec![""; columns.len()];
        for (column, cell) in &cells {
            if let Ok(at) = columns.binary_search(column) {
                of_row[at] = cell;
            }
        }
        text += &of_row.join(&char::from(DELIMITER).to_string());
        text.push('\n');
    }
    Ok(text)
}

/// A cell as a text table with this decimal sign would have it.
fn written(value: &DataRef<'_>, decimal: char) -> String {
    match value {
        DataRef::Empty => String::new(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string().replace('.', &decimal.to_string()),
        DataRef::Bool(truth) => if *truth { "TRUE" } else { "FALSE" }.into(),
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => in_one_line(text),
        DataRef::SharedString(text) => in_one_line(text),
        DataRef::Error(error) => error.to_string(),
        DataRef::DateTime(moment) if moment.is_duration() => moment.as_f64().to_string(),
        DataRef::DateTime(moment) => {
            let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
            let date = format!("{year:04}-{month:02}-{day:02}");
            if moment.as_f64().fract() == 0.0 {
                date
            } else {
                format!("{date} {hour:02}:{minute:02}:{second:02}")
            }
        }
    }
}

/// A text without what would begin a field, a line or a quotation.
fn in_one_line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let text: String = text.trim().chars().map(plain).collect();
    if text.starts_with('"') { text.replace('"', "'") } else { text }
}

fn unreadable(error: XlsxError) -> Error {
    damaged(FORMAT, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_far_cell_takes_no_rectangle() {
        let cell = |column: u32, text: &str| (column, text.to_string());
        let rows = BTreeMap::from([
            (2, vec![cell(1, "a"), cell(16_383, "b")]),
            (3, vec![cell(1, "1")]),
            (5, vec![cell(16_383, "2")]),
        ]);
        assert_eq!(joined(rows.clone(), 1000).unwrap(), "\n\na\u{1f}b\n1\u{1f}\n\n\u{1f}2\n");
        assert!(joined(rows, 10).unwrap_err().to_string().starts_with("the file unpacks to more than"));
        // A diagonal of cells has few cells and a huge rectangle.
        let diagonal = (0..16_000).map(|k| (k, vec![cell(k, "1")])).collect();
        assert!(joined(diagonal, 64 << 20).is_err());
    }

    #[test]
    fn an_unknown_sheet_is_refused_with_the_sheets_there_are() {
        let sheets = ["Data", "Notes"].map(String::from);
        assert_eq!(chosen_sheet(&sheets, Some("Notes")).unwrap(), ("Notes".into(), None));
        let note = chosen_sheet(&sheets, None).unwrap().1.unwrap();
        assert_eq!(note.text, "read the first of 2 sheets, `Data`");
        let refused = chosen_sheet(&sheets, Some("data")).unwrap_err();
        assert_eq!(refused.hint().unwrap(), "did you mean `Data`?");
        assert_eq!(chosen_sheet(&sheets, Some("x")).unwrap_err().hint().unwrap(), "there are: Data, Notes");
    }
}
