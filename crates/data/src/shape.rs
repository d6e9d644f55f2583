//! Columns of a text table that hold nothing or name the rows, and rows that are longer than the header.

use std::collections::HashSet;

use csv::StringRecord;
use oslow_core::Result;

use crate::Note;
use crate::above::Above;

/// With fewer rows, numbers may be in a row by chance.
const FEWEST_ROWS: usize = 10;

/// Which fields of a row are columns.
pub(crate) struct Shape {
    width: usize,
    /// Columns that have no name, and are left out.
    unnamed: Vec<bool>,
    row_names: bool,
}

impl Shape {
    /// The shape of a table with these names; row names without a name of their own get an empty one.
    pub fn of(above: &Above<'_>, names: &mut Vec<String>, header: bool) -> Result<Self> {
        let blank = |j: usize| above.start().all(|(_, record)| record.get(j).is_none_or(str::is_empty));
        let irregular = names.iter().any(String::is_empty)
            || above.start().any(|(_, record)| record.len() != names.len())
            || !header && (0..names.len()).any(blank);
        if !irregular {
            return Ok(Self { width: names.len(), unnamed: vec![false; names.len()], row_names: false });
        }
        let seen = Seen::of(above, names.len(), header)?;
        let named = seen.longer && seen.filled[names.len()] && seen.first_names_rows();
        if named && header && !above.has_wider_header(names.len()) {
            names.insert(0, String::new());
        }
        let empty = |j: usize| !seen.filled[j] && (names[j].is_empty() || !header);
        let row_names = names[0].is_empty() && seen.filled[0] && seen.first_names_rows();
        let unnamed = (0..names.len()).map(|j| empty(j) || j == 0 && row_names).collect();
        Ok(Self { width: names.len(), unnamed, row_names })
    }

    /// Whether a column may be taken.
    pub fn is_usable(&self, j: usize) -> bool {
        !self.unnamed[j]
    }

    /// Whether a row has a field for each column, and none beyond.
    pub fn fits(&self, record: &StringRecord) -> bool {
        record.len() == self.width
            || record.iter().skip(self.width).all(str::is_empty)
                && (record.len()..self.width).all(|j| self.unnamed[j])
    }

    /// What was left out.
    pub fn notes(&self) -> Vec<Note> {
        let mut notes: Vec<Note> = Vec::new();
        if self.row_names {
            notes.push("left out the first column: it has no name and names the rows".to_string().into());
        }
        let empty = self.unnamed.iter().filter(|unnamed| **unnamed).count() - usize::from(self.row_names);
        if empty > 0 {
            let columns = if empty == 1 { "1 column".into() } else { format!("{empty} columns") };
            notes.push(format!("left out {columns} without names and values").into());
        }
        notes
    }
}

/// What all rows have in common.
struct Seen {
    /// Which columns hold something; one more than there are names.
    filled: Vec<bool>,
    /// Whether every row has one field more than there are names.
    longer: bool,
    rows: usize,
    /// Whether the first fields differ from each other, …
    different: bool,
    /// … whether some of them is no number, and whether they count.
    words: bool,
    counts: bool,
}

impl Seen {
    fn of(above: &Above<'_>, names: usize, header: bool) -> Result<Self> {
        let mut seen = Self {
            filled: vec![false; names + 1],
            longer: true,
            rows: 0,
            different: true,
            words: false,
            counts: true,
        };
        let (mut lines, mut record, mut firsts) = (above.lines(), StringRecord::new(), HashSet::new());
        let mut last: Option<i64> = None;
        if header {
            lines.next(&mut record)?;
        }
        while lines.next(&mut record)?.is_some() {
            seen.rows += 1;
            seen.longer &= record.len() == names + 1;
            for (filled, field) in seen.filled.iter_mut().zip(&record) {
                *filled |= !field.is_empty();
            }
            let first = record.get(0).unwrap_or_default();
            seen.different = seen.different && firsts.insert(first.to_string());
            let number = first.parse::<i64>().ok();
            seen.words |= first.parse::<f64>().is_err();
            seen.counts &= number.is_some() && last.is_none_or(|last| number == last.checked_add(1));
            last = number;
        }
        Ok(seen)
    }

    fn first_names_rows(&self) -> bool {
        self.different && (self.words || self.counts && self.rows >= FEWEST_ROWS)
    }
}
