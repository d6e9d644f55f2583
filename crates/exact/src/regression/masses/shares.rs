//! Shares of levels.

/// Rows that each level is given before any is seen.
const PRIOR_ROWS: f64 = 0.3;

/// The share of each level, none of them 0.
pub(super) fn shares(levels: usize, y: &[usize]) -> Vec<f64> {
    let mut rows = vec![PRIOR_ROWS; levels];
    y.iter().for_each(|&level| rows[level] += 1.0);
    let total: f64 = rows.iter().sum();
    rows.iter().map(|rows| rows / total).collect()
}
