//! Collecting rows: every cell is a finite number, or the row is refused or dropped.

use oslow_core::{Choice, Error, Remedy, Result, Sample};

use crate::{Missing, Note, ReadOptions, cell::Cell};

/// The chosen columns of the rows read so far.
#[derive(Debug)]
pub(crate) struct Rows {
    names: Vec<String>,
    values: Vec<f64>,
    /// What a row is called in messages: `line` of a text file, `row` of an array.
    unit: &'static str,
    decimal: char,
    missing: Missing,
    dropped: usize,
    /// What the user should know about the reading.
    pub(crate) notes: Vec<Note>,
}

impl Rows {
    pub(crate) fn new(names: Vec<String>, unit: &'static str, options: &ReadOptions) -> Self {
        let (decimal, missing) = (options.decimal, options.missing);
        Self { names, values: Vec::new(), unit, decimal, missing, dropped: 0, notes: Vec::new() }
    }

    /// Adds a row; `number` is its line or row number, counted from 1.
    pub(crate) fn push<'a>(&mut self, number: u64, cells: impl Iterator<Item = Cell<'a>>) -> Result<()> {
        let start = self.values.len();
        let mut drop = false;
        for (j, cell) in cells.enumerate() {
            let place = || format!("{} {number}, column `{}`", self.unit, self.names[j]);
            let trouble = match cell {
                Cell::Number(x) if x.is_finite() => {
                    self.values.push(x);
                    continue;
                }
                Cell::Text(text) => return Err(self.text_error(text, &self.names[j]).at(place())),
                Cell::Number(x) => format!("{x} is not a finite number"),
                Cell::Missing("") => "the value is missing".to_string(),
                Cell::Missing(word) => format!("the value is missing (`{word}`)"),
            };
            if self.missing == Missing::Refuse {
                return Err(Error::input(trouble).at(place()).with_hint(Remedy::drop_rows()));
            }
            drop = true;
        }
        if drop {
            self.values.truncate(start);
            self.dropped += 1;
        }
        Ok(())
    }

    fn text_error(&self, text: &str, column: &str) -> Error {
        let hint = if self.decimal == '.' && matches!(Cell::parse(text, ','), Cell::Number(_)) {
            Remedy::from("if that is a decimal comma, pass ").and(Choice::Decimal.set(","))
        } else if self.decimal == ',' && matches!(Cell::parse(text, '.'), Cell::Number(_)) {
            Remedy::from("with ")
                .and(Choice::Decimal.set(","))
                .and(" numbers are written like 1,5 and without separators of thousands")
        } else {
            Remedy::from("leave the column out with ")
                .and(Choice::Index.set(column))
                .and(", or choose the numeric ones with ")
                .and(Choice::Columns)
        };
        Error::input(format!("`{}` is not a number", shortened(text))).with_hint(hint)
    }

    /// The sample, and how many rows were dropped.
    pub(crate) fn finish(self) -> Result<(Sample, usize, Vec<Note>)> {
        let Self { names, values, dropped, mut notes, .. } = self;
        let kept = values.len() / names.len().max(1);
        if dropped > 0 {
            let read = kept + dropped;
            notes.push(format!("dropped {dropped} of {read} rows: values are missing or infinite").into());
        }
        let too_few = kept < 2;
        let sample = Sample::new(names, values).map_err(|e| match (too_few, dropped) {
            (true, 0) => e.with_hint("pass a table with more rows"),
            (true, _) => e.with_hint(
                Remedy::from(format!("{dropped} rows with missing values were dropped: "))
                    .and("leave the columns with gaps out with ")
                    .and(Choice::Columns),
            ),
            _ => e,
        })?;
        Ok((sample, dropped, notes))
    }
}

/// Rows to ask a model about: unlike a sample they may be few, and their columns may be constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Observations {
    /// The columns' names.
    pub names: Vec<String>,
    /// The values, row by row.
    pub values: Vec<f64>,
    /// What the user should know: rows that were dropped.
    pub notes: Vec<Note>,
}

impl Observations {
    pub(crate) fn from_rows(rows: Rows) -> Result<Self> {
        let Rows { names, values, dropped, mut notes, .. } = rows;
        if dropped > 0 {
            notes.push(format!("dropped {dropped} rows: values are missing or infinite").into());
        }
        if values.is_empty() {
            return Err(Error::input("no row is left").with_hint("pass a table with at least one whole row"));
        }
        Ok(Self { names, values, notes })
    }
}

/// The text, cut to what fits into a message.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(missing: Missing) -> Rows {
        let names = vec!["a".to_string(), "b".to_string()];
        Rows::new(names, "row", &ReadOptions { missing, ..ReadOptions::default() })
    }

    #[test]
    fn dropped_rows_are_counted_and_told() {
        let mut rows = rows(Missing::DropRows);
        for (number, row) in
            [[1.0, 2.0], [f64::NAN, 1.0], [0.0, f64::INFINITY], [3.0, 4.0]].iter().enumerate()
        {
            rows.push(number as u64 + 1, row.iter().map(|&x| x.into())).unwrap();
        }
        let (sample, dropped, notes) = rows.finish().unwrap();
        assert_eq!((sample.values(), dropped), (&[1.0, 2.0, 3.0, 4.0][..], 2));
        assert_eq!(notes, ["dropped 2 of 4 rows: values are missing or infinite".to_string().into()]);
    }

    #[test]
    fn text_in_a_row_to_be_dropped_is_still_refused() {
        let mut rows = rows(Missing::DropRows);
        let error = rows.push(7, [Cell::Missing(""), Cell::Text("x")].into_iter()).unwrap_err();
        assert_eq!(error.to_string(), "row 7, column `b`: `x` is not a number");
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        assert_eq!(shortened(&"é".repeat(50)), format!("{}…", "é".repeat(40)));
    }
}
