//! A few fixed functions of each column.

use std::f64::consts::PI;
use std::ops::Range;

use oslow_math::mean_ranks;

use crate::columns::{Columns, normal_quantile};
use crate::drawn_rows::thinned;

/// Most features of a column with levels: those of its first levels.
const MOST_LEVELS: usize = 6;
/// Cosines of the ranks with so many half-waves, besides the normal score and the value.
const HALF_WAVES: [f64; 4] = [2.0, 3.0, 4.0, 5.0];
/// Values further out than this are drawn in.
const FAR: f64 = 4.0;
/// Most numbers: in larger tables every so many rows are left out.
const MOST_NUMBERS: usize = 1 << 25;
/// What varies by less than this, as a share of its size, is constant but for rounding.
const CONSTANT: f64 = 1e-10;

/// The features of all columns, one after the other; each has mean 0 within each condition and length 1.
pub(super) struct Features {
    pub values: Vec<f64>,
    /// The numbers of a feature.
    pub rows: usize,
    /// Which belong to each column. The first speak for the column when it is the one to be explained.
    pub of_column: Vec<Range<usize>>,
    /// How many of these speak for it: one, or as many as a column has levels.
    pub spoken: Vec<usize>,
    conditions: Option<Vec<usize>>,
}

impl Features {
    pub fn new(columns: &Columns) -> Self {
        let all: Vec<usize> = (0..columns.rows()).collect();
        let most = MOST_NUMBERS / (columns.values.len() * (HALF_WAVES.len() + 2));
        let rows = thinned(&all, most);
        let of_row = columns.regimes.as_ref().map(|regimes| &regimes.of_row);
        let conditions: Option<Vec<usize>> =
            of_row.map(|of_row| rows.iter().map(|&row| of_row[row]).collect());
        let mut features = Self {
            values: Vec::new(),
            rows: rows.len(),
            of_column: Vec::new(),
            spoken: Vec::new(),
            conditions,
        };
        for j in 0..columns.values.len() {
            let start = features.len();
            for feature in functions(columns, j) {
                let some = rows.iter().map(|&row| feature[row]).collect();
                features.values.extend(features.standard(some).unwrap_or_default());
            }
            features.of_column.push(start..features.len());
            let levels = columns.discrete[j].as_ref().map_or(1, |discrete| discrete.variables.len());
            features.spoken.push(levels.min(features.len() - start));
        }
        features
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.values.len() / self.rows
    }

    pub fn of(&self, feature: usize) -> &[f64] {
        &self.values[feature * self.rows..][..self.rows]
    }

    /// With mean 0 within each condition and length 1; `None` if it is constant there.
    pub fn standard(&self, mut values: Vec<f64>) -> Option<Vec<f64>> {
        let before: f64 = values.iter().map(|value| value * value).sum();
        match &self.conditions {
            None => {
                let mean = values.iter().sum::<f64>() / self.rows as f64;
                values.iter_mut().for_each(|value| *value -= mean);
            }
            Some(of_row) => {
                let mut sums = vec![(0.0, 0.0); of_row.iter().max().map_or(0, |last| last + 1)];
                for (value, &condition) in values.iter().zip(of_row) {
                    sums[condition] = (sums[condition].0 + value, sums[condition].1 + 1.0);
                }
                for (value, &condition) in values.iter_mut().zip(of_row) {
                    *value -= sums[condition].0 / sums[condition].1;
                }
            }
        }
        let square: f64 = values.iter().map(|value| value * value).sum();
        if square <= CONSTANT * before {
            return None;
        }
        values.iter_mut().for_each(|value| *value /= square.sqrt());
        Some(values)
    }
}

/// The functions of one column, those first that say most.
fn functions(columns: &Columns, j: usize) -> Vec<Vec<f64>> {
    if let Some(discrete) = &columns.discrete[j]
        && discrete.variables.len() > 1
    {
        return discrete.variables.iter().take(MOST_LEVELS).cloned().collect();
    }
    let values = &columns.values[j];
    let shares: Vec<f64> = mean_ranks(values).into_iter().map(|rank| rank / values.len() as f64).collect();
    let score = shares.iter().map(|&share| normal_quantile(share)).collect();
    let wave = |&waves: &f64| shares.iter().map(|share| (waves * PI * share).cos()).collect();
    let near = values.iter().map(|value| value.clamp(-FAR, FAR)).collect();
    [score].into_iter().chain(HALF_WAVES.iter().map(wave)).chain([near]).collect()
}
