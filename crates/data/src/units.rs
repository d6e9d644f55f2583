//! A row of units below the header.

use csv::StringRecord;

use crate::Note;
use crate::cell::Cell;

/// Rows below that must show that columns hold numbers.
const FEWEST: usize = 2;

/// Whether the second line holds units: words only, and numbers below each of them.
pub(crate) fn is_row_of_units<'a>(
    start: impl Iterator<Item = (u64, &'a StringRecord)> + Clone,
    decimal: char,
) -> bool {
    let mut rows = start.skip(1).map(|(_, record)| record);
    let Some(units) = rows.next() else { return false };
    let cell = |record: &'a StringRecord, j: usize| Cell::parse(record.get(j).unwrap_or_default(), decimal);
    let words: Vec<usize> = (0..units.len()).filter(|&j| matches!(cell(units, j), Cell::Text(_))).collect();
    if words.is_empty() || (0..units.len()).any(|j| matches!(cell(units, j), Cell::Number(..))) {
        return false;
    }
    words.iter().all(|&j| {
        let below = || rows.clone().map(move |record| cell(record, j));
        let numbers = below().filter(|cell| matches!(cell, Cell::Number(..))).count();
        numbers >= FEWEST && !below().any(|cell| matches!(cell, Cell::Text(_)))
    })
}

/// What is said of it.
pub(crate) fn note(unit: &str, number: u64, record: &StringRecord) -> Note {
    let words: Vec<&str> = record.iter().filter(|field| !field.is_empty()).take(3).collect();
    let more =
        if record.iter().filter(|field| !field.is_empty()).count() > words.len() { ", …" } else { "" };
    format!("passed over {unit} {number}, which holds units ({}{more})", words.join(", ")).into()
}
