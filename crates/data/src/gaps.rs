//! Cells without a value.

use oslow_core::{Choice, Error, Remedy, Result};

use crate::Note;

/// A larger share of rows with gaps is not dropped.
const FEW: f64 = 0.05;
/// A column with a larger share of gaps says too little.
const MOST: f64 = 0.5;
/// A step through the observed values that comes to all of them.
const STRIDE: usize = 7919;

/// Which cells of some columns have no value.
pub(crate) struct Gaps {
    columns: Vec<Vec<bool>>,
}

impl Gaps {
    pub fn of(columns: &[Vec<f64>]) -> Self {
        let of = |column: &Vec<f64>| column.iter().map(|cell| cell.is_nan()).collect();
        Self { columns: columns.iter().map(of).collect() }
    }

    fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    fn has_gap(&self, row: usize) -> bool {
        self.columns.iter().any(|column| column[row])
    }

    /// Whether some rows have gaps, but so few that they can be dropped.
    pub fn few(&self) -> bool {
        let incomplete = (0..self.rows()).filter(|&row| self.has_gap(row)).count();
        incomplete > 0 && incomplete as f64 <= FEW * self.rows() as f64
    }

    /// Drops rows with gaps: which rows are left.
    pub fn drop_rows(&mut self, columns: &mut [Vec<f64>]) -> Vec<bool> {
        let whole: Vec<bool> = (0..self.rows()).map(|row| !self.has_gap(row)).collect();
        for column in columns.iter_mut() {
            let mut keep = whole.iter();
            column.retain(|_| keep.next().copied().unwrap_or_default());
        }
        *self = Self::of(columns);
        whole
    }

    /// Puts observed values of the column into its gaps, so that it keeps its mean and its spread, and says how many there are. Whoever uses the table knows
    /// that they were not observed.
    pub fn fill(&self, names: &[String], columns: &mut [Vec<f64>]) -> Result<Option<Note>> {
        let mut told = Vec::new();
        for ((name, gaps), column) in names.iter().zip(&self.columns).zip(columns) {
            let observed: Vec<f64> = column.iter().copied().filter(|cell| !cell.is_nan()).collect();
            let missing = column.len() - observed.len();
            if missing == 0 {
                continue;
            }
            let share = missing as f64 / column.len() as f64;
            if share > MOST {
                return Err(Error::input(format!(
                    "column `{name}` has no value in {:.0} % of the rows",
                    100.0 * share
                ))
                .with_hint(Remedy::from("leave it out with ").and(Choice::Index.set(name))));
            }
            let empty = column.iter_mut().zip(gaps).filter(|(_, gap)| **gap);
            for (k, (cell, _)) in empty.enumerate() {
                *cell = observed[k * STRIDE % observed.len()];
            }
            told.push(format!("`{name}` {:.0} %", (100.0 * share).max(1.0)));
        }
        Ok((!told.is_empty()).then(|| format!("values are missing: {}", told.join(", ")).into()))
    }

    /// Row by row; empty if there are none.
    pub fn cells(&self) -> Vec<bool> {
        if !(0..self.rows()).any(|row| self.has_gap(row)) {
            return Vec::new();
        }
        (0..self.rows()).flat_map(|row| self.columns.iter().map(move |column| column[row])).collect()
    }
}
