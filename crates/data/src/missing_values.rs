//! Numbers and words that stand for a missing value in one table.

use crate::cell::Cell;

/// What the user says stands for nothing.
#[derive(Debug, Default)]
pub(crate) struct MissingValues {
    words: Vec<String>,
    numbers: Vec<f64>,
}

impl MissingValues {
    pub fn new(values: &[String], decimal: char) -> Self {
        let number = |value: &String| match Cell::parse(value, decimal) {
            Cell::Number(number, _) => Some(number),
            _ => value.parse().ok(),
        };
        Self { words: values.to_vec(), numbers: values.iter().filter_map(number).collect() }
    }

    /// The cell, or a missing one where it holds such a value.
    pub fn in_place_of<'a>(&self, cell: Cell<'a>) -> Cell<'a> {
        match cell {
            Cell::Number(number, text) if self.numbers.contains(&number) => {
                Cell::Missing(if text.is_empty() { "NaN" } else { text })
            }
            Cell::Number(_, text) | Cell::Text(text) if self.words.iter().any(|word| word == text) => {
                Cell::Missing(text)
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_known_however_they_are_written() {
        let values = MissingValues::new(&["-999".into(), "unknown".into()], '.');
        for text in ["-999", "-999.0", "-9.99e2", "unknown"] {
            assert_eq!(values.in_place_of(Cell::parse(text, '.')), Cell::Missing(text));
        }
        for text in ["999", "Unknown", "1"] {
            assert_eq!(values.in_place_of(Cell::parse(text, '.')), Cell::parse(text, '.'));
        }
        assert_eq!(values.in_place_of(Cell::from(-999.0)), Cell::Missing("NaN"));
    }
}
