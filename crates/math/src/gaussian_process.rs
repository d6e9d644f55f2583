//! Regression by a Gaussian process.

use oslow_core::check_stop;

use crate::blocked_cholesky::{blocked_cholesky, solve_lower};
use crate::column_steps::{add_squares, subtract_columns};
use crate::exponentials::exponentials;
use crate::products::dot;
use crate::{HALF_LN_TAU, NotPositiveDefinite};

/// How smooth a function is, and how large: its covariance is ρσ²·exp(−‖x − x'‖²/2ℓ²), where σ² is the variance of noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smoothness {
    /// ln ℓ.
    pub log_length: f64,
    /// ln ρ.
    pub log_ratio: f64,
}

/// A search ends where no step gains more, in nats per row.
const LEAST_GAIN: f64 = 1e-4;
/// Beyond ln ℓ and ln ρ of this size a function is as good as linear, noise, or known.
const FARTHEST: f64 = 7.0;

impl Smoothness {
    /// Where a loss is least, and how much it is there. Each of the steps is taken along one axis after the other, twice as far in
    /// ln ρ, until neither gains.
    pub fn search(self, steps: &[f64], loss: impl Fn(Self) -> f64) -> (Self, f64) {
        let mut best = (self, loss(self));
        for &step in steps {
            let mut axes_without_gain = 0;
            for along_length in [true, false].into_iter().cycle() {
                let gained = [step, -step].into_iter().any(|step| {
                    let before = best.1;
                    while let Some(next) = best.0.moved(along_length, step) {
                        let value = loss(next);
                        if value.is_nan() || value > best.1 - LEAST_GAIN {
                            break;
                        }
                        best = (next, value);
                    }
                    best.1 < before
                });
                axes_without_gain = if gained { 0 } else { axes_without_gain + 1 };
                if axes_without_gain == 2 {
                    break;
                }
            }
        }
        best
    }

    /// −ln of the evidence of a function this smooth, per row, as [`GaussianProcess::new`] takes it; ∞ where covariances are singular.
    pub fn nll(self, distances: Vec<f64>, relative_variances: &[f64], y: &[f64]) -> f64 {
        check_stop();
        let process = GaussianProcess::new(distances, relative_variances, y, self);
        process.map_or(f64::INFINITY, |process| process.nll)
    }

    fn moved(self, along_length: bool, step: f64) -> Option<Self> {
        let Self { log_length, log_ratio } = self;
        let next = if along_length {
            Self { log_length: log_length + step, log_ratio }
        } else {
            Self { log_length, log_ratio: log_ratio + 2.0 * step }
        };
        (next.log_length.abs().max(next.log_ratio.abs()) <= FARTHEST).then_some(next)
    }

    /// Replaces squared distances by ρ·exp(−d/2ℓ²).
    fn covariances(self, distances: &mut [f64]) {
        let (factor, ratio) = (0.5 * (-2.0 * self.log_length).exp(), self.log_ratio.exp());
        distances.iter_mut().for_each(|d| *d *= factor);
        exponentials(distances);
        distances.iter_mut().for_each(|value| *value *= ratio);
    }
}

/// What is known of a function after some rows.
///
/// # Model
///
/// yᵢ = f(xᵢ) + noise of variance σ²vᵢ, where f is a draw of the Gaussian process of some [`Smoothness`] and mean 0. The relative variances v are
/// given; σ² is the one with the greatest evidence, ‖L⁻¹y‖²/n for the Cholesky factor L of the covariances of y in units of σ².
///
/// # Cost
///
/// n³/6 multiplications for n rows, and n²/2 for each prediction.
///
/// # Reference
///
/// Rasmussen, Williams: Gaussian Processes for Machine Learning. MIT Press, 2006, algorithm 2.1.
pub struct GaussianProcess {
    smoothness: Smoothness,
    factor: Vec<f64>,
    /// L⁻¹y.
    whitened: Vec<f64>,
    /// σ².
    pub variance: f64,
    /// −ln of the evidence, per row.
    pub nll: f64,
}

impl GaussianProcess {
    /// Conditions on rows, whose squared distances are given (n × n; the lower triangle is read).
    ///
    /// # Errors
    ///
    /// Where covariances are numerically singular or not finite.
    ///
    /// # Panics
    ///
    /// If the numbers of rows differ.
    pub fn new(
        mut distances: Vec<f64>,
        relative_variances: &[f64],
        y: &[f64],
        smoothness: Smoothness,
    ) -> Result<Self, NotPositiveDefinite> {
        let n = y.len();
        assert!(distances.len() == n * n && relative_variances.len() == n, "one row for each value");
        for (i, row) in distances.chunks_exact_mut(n.max(1)).enumerate() {
            smoothness.covariances(&mut row[..=i]);
            row[i] += relative_variances[i];
        }
        let mut factor = distances;
        blocked_cholesky(&mut factor, n)?;
        let mut whitened = y.to_vec();
        solve_lower(&factor, n, &mut whitened);
        let variance = dot(&whitened, &whitened) / n as f64;
        let log_determinant: f64 = (0..n).map(|i| factor[i * n + i].ln()).sum();
        let nll = HALF_LN_TAU + 0.5 + 0.5 * variance.ln() + log_determinant / n as f64;
        Ok(Self { smoothness, factor, whitened, variance, nll })
    }

    /// The mean and the variance of f at other places, given their squared distances from the rows: all places from the first row, then all
    /// from the second.
    ///
    /// # Panics
    ///
    /// If the distances are not from all rows.
    pub fn predict(&self, mut distances: Vec<f64>) -> Vec<(f64, f64)> {
        let n = self.whitened.len();
        assert_eq!(distances.len() % n, 0, "as many distances from each row");
        let places = distances.len() / n;
        self.smoothness.covariances(&mut distances);
        solve_lower(&self.factor, n, &mut distances);
        let mut negative_mean = vec![0.0; places];
        subtract_columns(&mut negative_mean, &distances, &self.whitened);
        let mut explained = vec![0.0; places];
        for row in distances.chunks_exact(places.max(1)) {
            explained.iter_mut().zip(row).for_each(|(sum, value)| *sum += value * value);
        }
        let prior = self.smoothness.log_ratio.exp();
        let variance = |explained: f64| self.variance * (prior - explained).max(0.0);
        negative_mean.iter().zip(explained).map(|(mean, explained)| (-mean, variance(explained))).collect()
    }
}

/// Adds (aᵢ − bⱼ)² to the number in row i, column j.
///
/// # Panics
///
/// If there are not as many rows and columns as values.
pub fn add_squared_distances(distances: &mut [f64], a: &[f64], b: &[f64]) {
    assert_eq!(distances.len(), a.len() * b.len(), "a distance for each pair");
    for (row, &x) in distances.chunks_exact_mut(b.len().max(1)).zip(a) {
        add_squares(row, b, x);
    }
}

/// ‖a − b‖² of each row of some columns and each of others, row by row.
///
/// # Panics
///
/// If there is no column, or columns of one side differ in length.
pub fn squared_distances<A: AsRef<[f64]>, B: AsRef<[f64]>>(a: &[A], b: &[B]) -> Vec<f64> {
    let mut distances = vec![0.0; a[0].as_ref().len() * b[0].as_ref().len()];
    for (a, b) in a.iter().zip(b) {
        add_squared_distances(&mut distances, a.as_ref(), b.as_ref());
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Case {
        log_length: f64,
        log_ratio: f64,
        columns: Vec<Vec<f64>>,
        relative_variances: Vec<f64>,
        y: Vec<f64>,
        variance: f64,
        nll: f64,
        at: Vec<Vec<f64>>,
        mean: Vec<f64>,
        deviation: Vec<f64>,
    }

    #[test]
    fn evidence_and_predictions_are_those_of_scikit_learn() {
        let text = include_str!("../../../fixtures/gaussian_process/evidence.json");
        let cases: Vec<Case> = serde_json::from_str(text).unwrap();
        for case in cases {
            let smoothness = Smoothness { log_length: case.log_length, log_ratio: case.log_ratio };
            let rows = squared_distances(&case.columns, &case.columns);
            let process = GaussianProcess::new(rows, &case.relative_variances, &case.y, smoothness).unwrap();
            // A search finds the bottom of a bowl to half of the digits.
            assert!((process.variance / case.variance - 1.0).abs() < 1e-6);
            assert!((process.nll - case.nll).abs() < 1e-9, "{} {}", process.nll, case.nll);
            let predicted = process.predict(squared_distances(&case.columns, &case.at));
            for ((mean, variance), (m, s)) in predicted.into_iter().zip(case.mean.iter().zip(&case.deviation))
            {
                assert!((mean - m).abs() < 1e-8, "{mean} {m}");
                assert!((variance.sqrt() - s).abs() < 1e-6, "{} {s}", variance.sqrt());
            }
        }
    }

    #[test]
    fn a_search_finds_the_bottom_of_a_bowl_and_stays_in_range() {
        let start = Smoothness { log_length: 0.0, log_ratio: 0.0 };
        let bowl = |at: Smoothness| (at.log_length - 1.0).powi(2) + (at.log_ratio + at.log_length).powi(2);
        let (at, least) = start.search(&[0.5, 0.1], bowl);
        assert!((at.log_length - 1.0).abs() < 0.11 && (at.log_ratio + 1.0).abs() < 0.21, "{at:?}");
        assert_eq!(least, bowl(at));
        let (at, _) = start.search(&[0.5], |at| at.log_length - at.log_ratio);
        assert_eq!(at, Smoothness { log_length: -FARTHEST, log_ratio: FARTHEST });
        let (at, least) = start.search(&[0.5], |at| if at == start { 1.0 } else { f64::NAN });
        assert_eq!((at, least), (start, 1.0));
    }
}
