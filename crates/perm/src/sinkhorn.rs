//! The Sinkhorn operator: a doubly stochastic matrix near the matching, and its derivative.

/// Row and column normalisation of exp(X/τ), repeated; rows first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sinkhorn {
    /// Temperature τ; the smaller, the nearer to a permutation.
    pub temperature: f64,
    /// Pairs of normalisations.
    pub iterations: usize,
}

impl Default for Sinkhorn {
    /// τ = 0.1 and 20 iterations, as in the paper's ablation.
    fn default() -> Self {
        Self { temperature: 0.1, iterations: 20 }
    }
}

impl Sinkhorn {
    /// S(X/τ) for a d × d matrix.
    pub fn apply(&self, d: usize, x: &[f64]) -> Vec<f64> {
        let mut log: Vec<f64> = x.iter().map(|v| v / self.temperature).collect();
        for _ in 0..self.iterations {
            normalize(d, &mut log, Axis::Rows);
            normalize(d, &mut log, Axis::Columns);
        }
        log.into_iter().map(f64::exp).collect()
    }

    /// The gradient with respect to X, given the one with respect to S(X/τ).
    pub fn pull_back(&self, d: usize, x: &[f64], d_output: &[f64]) -> Vec<f64> {
        let mut log: Vec<f64> = x.iter().map(|v| v / self.temperature).collect();
        let mut trace = Vec::with_capacity(2 * self.iterations);
        for _ in 0..self.iterations {
            for axis in [Axis::Rows, Axis::Columns] {
                normalize(d, &mut log, axis);
                trace.push((axis, log.clone()));
            }
        }
        let mut gradient: Vec<f64> = d_output.iter().zip(&log).map(|(g, l)| g * l.exp()).collect();
        for (axis, normalized) in trace.iter().rev() {
            // y = x − logsumexp(x) along the axis, so dx = dy − softmax·Σdy, and softmax = exp(y).
            for line in 0..d {
                let sum: f64 = axis.line(d, line).map(|k| gradient[k]).sum();
                axis.line(d, line).for_each(|k| gradient[k] -= normalized[k].exp() * sum);
            }
        }
        gradient.iter_mut().for_each(|g| *g /= self.temperature);
        gradient
    }
}

#[derive(Clone, Copy, Debug)]
enum Axis {
    Rows,
    Columns,
}

impl Axis {
    /// The indices of one row or column.
    fn line(self, d: usize, line: usize) -> impl Iterator<Item = usize> {
        (0..d).map(move |k| match self {
            Self::Rows => line * d + k,
            Self::Columns => k * d + line,
        })
    }
}

/// Subtracts the logarithm of the sum of exponentials along an axis.
fn normalize(d: usize, log: &mut [f64], axis: Axis) {
    for line in 0..d {
        let largest = axis.line(d, line).map(|k| log[k]).fold(f64::NEG_INFINITY, f64::max);
        let sum = axis.line(d, line).map(|k| (log[k] - largest).exp()).sum::<f64>().ln() + largest;
        axis.line(d, line).for_each(|k| log[k] -= sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_result_is_doubly_stochastic_and_its_gradient_right(
            x in prop::collection::vec(-1.0..1.0f64, 9), cotangent in prop::collection::vec(-1.0..1.0f64, 9),
        ) {
            let sinkhorn = Sinkhorn { temperature: 0.5, iterations: 20 };
            let s = sinkhorn.apply(3, &x);
            for line in 0..3 {
                prop_assert!((Axis::Columns.line(3, line).map(|k| s[k]).sum::<f64>() - 1.0).abs() < 1e-12);
                prop_assert!((Axis::Rows.line(3, line).map(|k| s[k]).sum::<f64>() - 1.0).abs() < 1e-2);
            }
            let gradient = sinkhorn.pull_back(3, &x, &cotangent);
            for k in 0..9 {
                let at = |step: f64| {
                    let mut y = x.clone();
                    y[k] += step;
                    sinkhorn.apply(3, &y).iter().zip(&cotangent).map(|(s, c)| s * c).sum::<f64>()
                };
                prop_assert!(((at(1e-6) - at(-1e-6)) / 2e-6 - gradient[k]).abs() < 1e-7);
            }
        }
    }
}
