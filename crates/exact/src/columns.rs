//! The columns of a table as the engine sees them.

use oslow_core::{Prepared, Seed, SeenColumn, Transform};
use oslow_math::HALF_LN_TAU;
use statrs::function::erf::erfc_inv;

use crate::determined::determined_pairs;
use crate::grid;

/// Columns with mean 0 and variance 1, and the way back: −ln p of a value here plus its offset is −ln p of the table's.
#[derive(Clone)]
pub(crate) struct Columns {
    pub values: Vec<Vec<f64>>,
    pub offsets: Vec<Vec<f64>>,
    /// What was done to each.
    pub seen: Vec<SeenColumn>,
    /// Pairs that determine each other.
    pub determined: Vec<(usize, usize)>,
    /// Which rows are copies of one another.
    pub groups: Option<Vec<usize>>,
    /// How many rows equal an earlier one, as they were given.
    pub repeated: usize,
}

impl Columns {
    /// The columns as they are, values on a grid spread over their cells if they are to be.
    pub fn new(sample: &Prepared, spread_grids: bool, seed: Seed) -> Self {
        let mut values: Vec<Vec<f64>> = (0..sample.columns()).map(|j| sample.standard(j).to_vec()).collect();
        let mut seen = vec![SeenColumn::default(); values.len()];
        for (j, column) in values.iter_mut().enumerate().filter(|_| spread_grids) {
            if let Some(step) = grid::step(column) {
                grid::spread(column, step, &mut seed.indexed("exact/grid", j as u64));
                seen[j].grid = Some(step * sample.deviation(j));
            }
        }
        let offset = |j: usize| vec![sample.deviation(j).ln(); sample.rows()];
        let offsets = (0..sample.columns()).map(offset).collect();
        let scores: Vec<Vec<f64>> = values.iter().map(|column| normal_scores(column)).collect();
        let groups = sample.groups().map(<[usize]>::to_vec);
        let repeated = repeated_rows(sample);
        Self { values, offsets, seen, determined: determined_pairs(&scores), groups, repeated }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.values[0].len()
    }

    /// Whether a node and one of its parents determine each other.
    pub fn determines(&self, node: usize, parents: &[usize]) -> bool {
        let with = |other: usize| self.determined.contains(&(node.min(other), node.max(other)));
        parents.iter().any(|&parent| with(parent))
    }

    /// The same columns as normal scores: normal quantiles at the ranks. The density of a column itself, −ln of which is given row by row, takes the place of the
    /// normal one that the scores have.
    pub fn normal_scores(&self, nll: &[Vec<f64>]) -> Self {
        let values: Vec<Vec<f64>> = self.values.iter().map(|column| normal_scores(column)).collect();
        let offset = |(score, nll): (&f64, &f64)| nll - (0.5 * score * score + HALF_LN_TAU);
        let offsets = values
            .iter()
            .zip(nll)
            .map(|(scores, nll)| scores.iter().zip(nll).map(offset).collect())
            .collect();
        let seen = self.seen.iter().map(|seen| SeenColumn { transform: Transform::NormalScores, ..*seen });
        Self { values, offsets, seen: seen.collect(), ..self.clone() }
    }
}

/// Φ⁻¹((rank + ½)/n), equal values having the mean of their ranks.
fn normal_scores(column: &[f64]) -> Vec<f64> {
    let n = column.len();
    let mut rows: Vec<usize> = (0..n).collect();
    rows.sort_by(|&a, &b| column[a].total_cmp(&column[b]));
    let mut scores = vec![0.0; n];
    let mut before = 0;
    for alike in rows.chunk_by(|&a, &b| column[a] == column[b]) {
        let rank = before as f64 + 0.5 * alike.len() as f64;
        let score = -std::f64::consts::SQRT_2 * erfc_inv(2.0 * rank / n as f64);
        alike.iter().for_each(|&row| scores[row] = score);
        before += alike.len();
    }
    scores
}

/// How many rows equal an earlier one.
fn repeated_rows(sample: &Prepared) -> usize {
    let row = |row: usize| (0..sample.columns()).map(|j| sample.raw(j)[row].to_bits()).collect();
    let mut sorted: Vec<Vec<u64>> = (0..sample.rows()).map(row).collect();
    sorted.sort_unstable();
    sorted.windows(2).filter(|two| two[0] == two[1]).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_scores_are_those_of_scipy() {
        // scipy.stats.norm.ppf((rankdata(x) − 0.5) / 5) of x = [3, 1, 4, 1, 5].
        let scores = normal_scores(&[3.0, 1.0, 4.0, 1.0, 5.0]);
        let expected =
            [0.0, -0.841_621_233_572_914, 0.524_400_512_708_041, -0.841_621_233_572_914, 1.281_551_565_544_6];
        assert!(scores.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-8), "{scores:?}");
    }
}
