//! Tables of programs, column by column.

use oslow_core::{Error, Result};

use crate::cell::Cell;
use crate::rows::Rows;
use crate::{ReadOptions, Table};

/// The cells of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Numbers; NaN where there is none.
    Numbers(Vec<f64>),
    /// Words; `None` where there is none.
    Words(Vec<Option<String>>),
}

impl Cells {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Words(words) => words.len(),
        }
    }

    fn at(&self, row: usize) -> Cell<'_> {
        match self {
            Self::Numbers(numbers) => Cell::from(numbers[row]),
            Self::Words(words) => words[row].as_deref().map_or(Cell::Missing(""), Cell::Text),
        }
    }
}

/// A table of columns that a program holds, read as a file of them would be.
pub fn table_of_columns(names: Vec<String>, columns: &[Cells], options: &ReadOptions) -> Result<Table> {
    options.check()?;
    let rows = columns.first().map_or(0, Cells::len);
    if names.len() != columns.len() || columns.iter().any(|column| column.len() != rows) {
        return Err(Error::input("columns of different lengths, or not one name for each, are no table"));
    }
    let mut read = Rows::new(names, "row", options);
    for row in 0..rows {
        read.push(row as u64 + 1, columns.iter().map(|column| column.at(row)))?;
    }
    Table::from_rows(read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Missing;
    use oslow_core::ColumnType;

    #[test]
    fn words_and_gaps_are_read_as_from_a_file() {
        let words = (0..30).map(|k| (k != 4).then(|| ["f", "m", "d"][k % 3].to_string())).collect();
        let numbers = (0..30).map(|k| if k == 7 { f64::NAN } else { f64::from(k).sin() }).collect();
        let columns = [Cells::Words(words), Cells::Numbers(numbers)];
        let names = || ["sex", "x"].map(String::from).to_vec();
        let refused = table_of_columns(names(), &columns, &ReadOptions::default()).unwrap_err();
        assert_eq!(refused.to_string(), "row 5, column `sex`: the value is missing");
        let options = ReadOptions { missing: Missing::Impute, ..ReadOptions::default() };
        let sample = table_of_columns(names(), &columns, &options).unwrap().sample;
        assert_eq!(sample.type_of(0), ColumnType::Categorical);
        assert_eq!(sample.labels(0), ["d", "f", "m"]);
        assert!(sample.is_gap(4, 0) && sample.is_gap(7, 1) && !sample.is_gap(7, 0));
        assert!(table_of_columns(names(), &columns[..1], &options).is_err());
    }
}
