//! What a report shows of a column.

use oslow_core::{ColumnType, Prepared, Sample, Transform};
use serde::{Deserialize, Serialize};

use super::short::Decimals;

/// Bars of a histogram.
const BARS: usize = 24;
/// Columns with at most so many values have a bar for each.
const VALUES: usize = 24;

/// One column of a table, in the units of the data, without the rows that were left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnEvidence {
    /// What kind of values it holds.
    pub kind: ColumnType,
    /// What its values 0, 1, 2… stand for; empty where they are numbers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Rows without an observed value.
    pub missing: usize,
    /// How many values differ from each other.
    pub distinct: usize,
    /// Least value, the quartiles, greatest value.
    pub quantiles: [f64; 5],
    /// How often which values occur.
    pub histogram: Histogram,
    /// The values in the rows that are shown as points, the same rows in all columns.
    pub shown: Vec<f64>,
}

/// How often values occur.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "of")]
pub enum Histogram {
    /// In bars of one width, from the least value to the greatest.
    Range {
        /// Whether the bars are of one width in logarithms.
        #[serde(default)]
        logarithmic: bool,
        /// The rows in each bar.
        counts: Vec<usize>,
    },
    /// Each value.
    Values {
        /// The values, ascending.
        values: Vec<f64>,
        /// The rows with each.
        counts: Vec<usize>,
    },
}

impl ColumnEvidence {
    pub(super) fn new(
        (sample, prepared): (&Sample, &Prepared),
        (j, transform): (usize, Transform),
        shown: &[usize],
    ) -> Self {
        let raw = prepared.raw(j);
        let mut sorted = raw.to_vec();
        sorted.sort_by(f64::total_cmp);
        let quantile = |quarter: usize| sorted[(sorted.len() - 1) * quarter / 4];
        let decimals = Decimals::of(sorted[0], sorted[sorted.len() - 1]);
        let distinct = 1 + sorted.windows(2).filter(|two| two[0] != two[1]).count();
        Self {
            kind: prepared.type_of(j),
            labels: sample.labels(j).to_vec(),
            missing: prepared.gaps(j).len(),
            distinct,
            quantiles: [0, 1, 2, 3, 4].map(|quarter| decimals.round(quantile(quarter))),
            histogram: Histogram::of(&sorted, distinct, transform == Transform::Log && sorted[0] > 0.0),
            shown: decimals.all(shown.iter().map(|&row| raw[row])),
        }
    }

    /// The digits of its values that can be seen.
    pub(super) fn decimals(&self) -> Decimals {
        Decimals::of(self.quantiles[0], self.quantiles[4])
    }
}

impl Histogram {
    fn of(sorted: &[f64], distinct: usize, logarithmic: bool) -> Self {
        if distinct <= VALUES {
            let alike: Vec<&[f64]> = sorted.chunk_by(|a, b| a == b).collect();
            let values = alike.iter().map(|alike| alike[0]).collect();
            return Self::Values { values, counts: alike.iter().map(|alike| alike.len()).collect() };
        }
        let place = |value: f64| if logarithmic { value.ln() } else { 0.5 * value };
        let (least, greatest) = (place(sorted[0]), place(sorted[sorted.len() - 1]));
        let mut counts = vec![0; BARS];
        for &value in sorted {
            // Halves, so that the range of the largest numbers does not overflow.
            let share = (place(value) - least) / (greatest - least);
            counts[((share * BARS as f64) as usize).min(BARS - 1)] += 1;
        }
        Self::Range { logarithmic, counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_one_bar() {
        let sorted: Vec<f64> = (0..100).map(|k| f64::from(k) / 10.0).collect();
        let Histogram::Range { counts, .. } = Histogram::of(&sorted, 100, false) else {
            panic!("many values")
        };
        assert_eq!((counts.len(), counts.iter().sum::<usize>()), (BARS, 100));
        assert!(counts.iter().all(|&count| (4..=5).contains(&count)), "{counts:?}");
        let powers: Vec<f64> = sorted.iter().map(|value| value.exp()).collect();
        assert_eq!(Histogram::of(&powers, 100, true), Histogram::Range { logarithmic: true, counts });
        let few = Histogram::of(&[1.0, 1.0, 2.0, 7.0], 3, false);
        assert_eq!(few, Histogram::Values { values: vec![1.0, 2.0, 7.0], counts: vec![2, 1, 1] });
    }
}
