//! SoftSort: sorting made smooth, and its derivative.

use oslow_core::Ordering;

/// A column stochastic matrix near the permutation matrix that sorts scores, the largest first.
///
/// Column p says which variable stands at position p: with s₍ₚ₎ the p-th largest score,
/// entry (i, p) is exp(−|sᵢ − s₍ₚ₎|/τ), divided by the sum over all i.
///
/// Prillo, Eisenschlos: SoftSort: a continuous relaxation for the argsort operator. ICML 2020.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftSort {
    /// Temperature τ; the smaller, the nearer to a permutation.
    pub temperature: f64,
}

impl SoftSort {
    /// The smooth matrix, variable by position.
    pub fn apply(&self, scores: &[f64]) -> Vec<f64> {
        let d = scores.len();
        let mut matrix = vec![0.0; d * d];
        for (p, &at_p) in descending(scores).nodes().iter().enumerate() {
            // The largest exponent is that of the variable itself, 0.
            let weight = |i: usize| (-(scores[i] - scores[at_p]).abs() / self.temperature).exp();
            let sum: f64 = (0..d).map(weight).sum();
            (0..d).for_each(|i| matrix[i * d + p] = weight(i) / sum);
        }
        matrix
    }

    /// The gradient with respect to the scores, given the one with respect to the matrix.
    pub fn pull_back(&self, scores: &[f64], d_output: &[f64]) -> Vec<f64> {
        let d = scores.len();
        let matrix = self.apply(scores);
        let mut gradient = vec![0.0; d];
        for (p, &at_p) in descending(scores).nodes().iter().enumerate() {
            let mean: f64 = (0..d).map(|i| matrix[i * d + p] * d_output[i * d + p]).sum();
            for i in 0..d {
                let d_exponent = matrix[i * d + p] * (d_output[i * d + p] - mean) / self.temperature;
                let change = d_exponent * sign(scores[i] - scores[at_p]);
                gradient[i] -= change;
                gradient[at_p] += change;
            }
        }
        gradient
    }
}

/// The order by descending score: the permutation that [`SoftSort`] is near to.
pub fn descending(scores: &[f64]) -> Ordering {
    Ordering::by_priority(&scores.iter().map(|score| -score).collect::<Vec<f64>>())
}

/// The slope of |x|, 0 at 0.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permutation_matrix;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_nears_the_sorting_and_its_gradient_is_right(
            noise in prop::collection::vec(0.0..0.8f64, 4), cotangent in prop::collection::vec(-1.0..1.0f64, 16),
        ) {
            // At least 0.2 apart: where scores are equal, the matrix has no derivative.
            let scores: Vec<f64> = [2.0, 0.0, 3.0, 1.0].iter().zip(&noise).map(|(s, e)| s + e).collect();
            let sharp = SoftSort { temperature: 0.01 }.apply(&scores);
            let sorting = permutation_matrix(&descending(&scores));
            prop_assert!(sharp.iter().zip(&sorting).all(|(a, b)| (a - b).abs() < 1e-8));
            let smooth = SoftSort { temperature: 1.0 };
            let gradient = smooth.pull_back(&scores, &cotangent);
            for k in 0..4 {
                let at = |step: f64| {
                    let mut moved = scores.clone();
                    moved[k] += step;
                    smooth.apply(&moved).iter().zip(&cotangent).map(|(s, c)| s * c).sum::<f64>()
                };
                prop_assert!(((at(1e-6) - at(-1e-6)) / 2e-6 - gradient[k]).abs() < 1e-8);
            }
        }
    }
}
