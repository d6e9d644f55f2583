//! Post-nonlinear outputs: a node is a function of its location-scale value.

use serde::{Deserialize, Serialize};

/// g in X = g(t + s·U). Each is strictly increasing and maps ℝ onto an interval, so it can be undone.
///
/// Rejected: exp and tanh. Before standardisation a node can take values in the thousands, where exp
/// overflows and tanh gives 1 for everything. [`Output::Hinge`] and [`Output::Asinh`] bend the same ways and
/// keep different values different.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Output {
    /// y: a location-scale model.
    #[default]
    Identity,
    /// y³: stretches both tails and is flat at 0. Its inverse is ∛x.
    Cube,
    /// asinh y: linear near 0, a logarithm in both tails. Its inverse is sinh x.
    Asinh,
    /// y + √(1 + y²) = exp(asinh y): positive and skewed, 1/(2|y|) far below 0 and 2y far above. Its inverse
    /// is (x − 1/x)/2.
    Hinge,
}

impl Output {
    pub(crate) fn at(self, y: f64) -> f64 {
        match self {
            Self::Identity => y,
            Self::Cube => y.powi(3),
            Self::Asinh => y.asinh(),
            // The sum would cancel far below 0.
            Self::Hinge => y.asinh().exp(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Inverse = fn(f64) -> f64;

    const ALL: [(Output, Inverse); 4] = [
        (Output::Identity, |x| x),
        (Output::Cube, f64::cbrt),
        (Output::Asinh, f64::sinh),
        (Output::Hinge, |x| (x - x.recip()) / 2.0),
    ];

    /// From −10⁴ to 10⁴, finer near 0.
    fn points() -> impl Iterator<Item = f64> {
        (-400..=400).map(|k| (f64::from(k) / 40.0).sinh())
    }

    #[test]
    fn each_is_strictly_increasing() {
        for (output, _) in ALL {
            let values: Vec<f64> = points().map(|y| output.at(y)).collect();
            assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{output:?}");
        }
    }

    #[test]
    fn each_is_undone_by_its_inverse() {
        for (output, inverse) in ALL {
            for y in points() {
                let back = inverse(output.at(y));
                assert!((back - y).abs() <= 1e-9 * (1.0 + y.abs()), "{output:?}: {back} is not {y}");
            }
        }
    }

    #[test]
    fn the_hinge_is_the_sum_of_its_formula() {
        for y in [-2.0_f64, -0.3, 0.0, 1.0, 50.0] {
            assert!((Output::Hinge.at(y) - (y + (1.0 + y * y).sqrt())).abs() < 1e-13 * (1.0 + y.abs()));
        }
    }
}
