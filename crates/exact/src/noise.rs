//! The densities that the noise of a node may have.

use oslow_math::{HALF_LN_TAU, Real};
use serde::{Deserialize, Serialize};

/// A density with location 0 and scale 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Noise {
    /// exp(−z²/2) / √(2π).
    Gaussian,
    /// exp(−|z|) / 2.
    Laplace,
}

/// Residuals below this share of the scale weigh no more than it: the Laplace density has a kink at 0.
const KINK: f64 = 1e-2;

impl Noise {
    /// −ln p(residual) at a scale given by its logarithm.
    #[inline(always)]
    pub(crate) fn nll(self, residual: f64, log_scale: f64) -> f64 {
        log_scale + self.standard_nll(residual * Real::exp(-log_scale))
    }

    /// −ln p(z) at scale 1.
    #[inline(always)]
    pub(crate) fn standard_nll(self, z: f64) -> f64 {
        match self {
            Self::Gaussian => 0.5 * z * z + HALF_LN_TAU,
            Self::Laplace => z.abs() + std::f64::consts::LN_2,
        }
    }

    /// −ln p(residual) where the location itself has a variance: that of the noise is raised by it.
    #[inline(always)]
    pub(crate) fn predictive_nll(self, residual: f64, log_scale: f64, location_variance: f64) -> f64 {
        let square = Real::exp(2.0 * log_scale) + location_variance / self.variance();
        self.nll(residual, 0.5 * square.ln())
    }

    /// Of the density with scale 1.
    fn variance(self) -> f64 {
        match self {
            Self::Gaussian => 1.0,
            Self::Laplace => 2.0,
        }
    }

    /// The scale under which residuals are most likely.
    pub(crate) fn best_log_scale(self, residuals: impl ExactSizeIterator<Item = f64>) -> f64 {
        let n = residuals.len() as f64;
        let scale = match self {
            Self::Gaussian => (residuals.map(|r| r * r).sum::<f64>() / n).sqrt(),
            Self::Laplace => residuals.map(f64::abs).sum::<f64>() / n,
        };
        scale.max(1e-6).ln()
    }

    /// Slope of −ln p in the location, and a positive curvature for it (Laplace: that of the quadratic which touches |r|),
    /// given one over the scale.
    #[inline(always)]
    pub(crate) fn location_slope(self, residual: f64, inverse: f64) -> (f64, f64) {
        let curvature = match self {
            Self::Gaussian => inverse * inverse,
            Self::Laplace => inverse * inverse / (residual * inverse).abs().max(KINK),
        };
        (-residual * curvature, curvature)
    }

    /// Slope of −ln p in the logarithm of the scale.
    #[inline(always)]
    pub(crate) fn scale_slope(self, residual: f64, log_scale: f64) -> f64 {
        let z = residual * Real::exp(-log_scale);
        match self {
            Self::Gaussian => 1.0 - z * z,
            Self::Laplace => 1.0 - z.abs(),
        }
    }

    /// Expected curvature of −ln p in the logarithm of the scale.
    pub(crate) fn scale_information(self) -> f64 {
        match self {
            Self::Gaussian => 2.0,
            Self::Laplace => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Noise; 2] = [Noise::Gaussian, Noise::Laplace];

    #[test]
    fn densities_integrate_to_one() {
        for noise in BOTH {
            for variance in [0.0, 0.7] {
                let sum: f64 = (-400_000..400_000)
                    .map(|k| (-noise.predictive_nll(f64::from(k) * 1e-4, -0.4, variance)).exp() * 1e-4)
                    .sum();
                assert!((sum - 1.0).abs() < 1e-6, "{noise:?}: {sum}");
            }
        }
    }

    #[test]
    fn slopes_are_those_of_finite_differences() {
        for noise in BOTH {
            for (r, s) in [(0.4, 0.3), (-1.7, -0.6), (2.5, 0.0)] {
                let h = 1e-6;
                let location = (noise.nll(r - h, s) - noise.nll(r + h, s)) / (2.0 * h);
                assert!((noise.location_slope(r, (-s).exp()).0 - location).abs() < 1e-6);
                let scale = (noise.nll(r, s + h) - noise.nll(r, s - h)) / (2.0 * h);
                assert!((noise.scale_slope(r, s) - scale).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn the_best_scale_has_no_slope() {
        let residuals = [0.3, -1.2, 0.8, 2.0, -0.1];
        for noise in BOTH {
            let s = noise.best_log_scale(residuals.iter().copied());
            let slope: f64 = residuals.iter().map(|&r| noise.scale_slope(r, s)).sum();
            assert!(slope.abs() < 1e-12);
        }
    }
}
