//! The density of a node's noise, once it is known.

use oslow_math::{HALF_LN_TAU, Real};

use crate::Noise;
use crate::mixture::Mixture;

/// A density; a mixture is fitted to residuals, the others have location 0 and scale 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Density {
    /// exp(−z²/2) / √(2π).
    Gaussian,
    /// exp(−|z|) / 2.
    Laplace,
    /// Of any shape.
    Mixture(Mixture),
}

/// Residuals below this share of the scale weigh no more than it: the Laplace density has a kink at 0.
const KINK: f64 = 1e-2;

impl Density {
    /// The density of noise of a kind, given residuals divided by their scale.
    pub fn of(noise: Noise, z: &[f64]) -> Self {
        match noise {
            Noise::Gaussian => Self::Gaussian,
            Noise::Laplace => Self::Laplace,
            Noise::Mixture => Self::Mixture(Mixture::fit(z)),
        }
    }

    /// Once location and scale are fitted, a mixture looks at the residuals for the last time.
    pub fn finish(&mut self, z: impl FnOnce() -> Vec<f64>) {
        if let Self::Mixture(mixture) = self {
            mixture.finish(&z());
        }
    }

    /// −ln p(residual) at a scale given by its logarithm, where the location itself has a variance.
    #[inline(always)]
    pub fn predictive_nll(&self, residual: f64, log_scale: f64, location_variance: f64) -> f64 {
        match self {
            Self::Gaussian => wider(residual, log_scale, location_variance, |z| 0.5 * z * z + HALF_LN_TAU),
            // The variance of the density with scale 1 is 2.
            Self::Laplace => {
                wider(residual, log_scale, 0.5 * location_variance, |z| z.abs() + std::f64::consts::LN_2)
            }
            Self::Mixture(mixture) => {
                let inverse = Real::exp(-log_scale);
                let blurred = mixture.blurred(location_variance * inverse * inverse);
                log_scale + blurred.nll(residual * inverse)
            }
        }
    }

    /// The scale under which residuals are most likely; `None` where the density itself is fitted.
    pub fn best_log_scale(&self, residuals: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
        let n = residuals.len() as f64;
        let scale = match self {
            Self::Gaussian => (residuals.map(|r| r * r).sum::<f64>() / n).sqrt(),
            Self::Laplace => residuals.map(f64::abs).sum::<f64>() / n,
            Self::Mixture(_) => return None,
        };
        Some(scale.max(1e-6).ln())
    }

    /// −ln p of all z together.
    pub fn loss(&self, z: &[f64]) -> f64 {
        match self {
            Self::Gaussian => z.iter().map(|z| 0.5 * z * z + HALF_LN_TAU).sum(),
            Self::Laplace => z.iter().map(|z| z.abs() + std::f64::consts::LN_2).sum(),
            Self::Mixture(mixture) => mixture.loss(z),
        }
    }

    /// Writes the slope ψ of −ln p at each z.
    pub fn slopes(&self, z: &[f64], slopes: &mut [f64]) {
        match self {
            Self::Gaussian => slopes.copy_from_slice(z),
            Self::Laplace => each(z, slopes, |z| z / z.abs().max(KINK)),
            Self::Mixture(mixture) => mixture.slopes(z, slopes),
        }
    }

    /// Writes the roots of a positive curvature of −ln p at each z: the expected one, or, for a Laplace density, that of the quadratic which
    /// touches |z|.
    pub fn curvature_roots(&self, z: &[f64], roots: &mut [f64]) {
        match self {
            Self::Gaussian => roots.fill(1.0),
            Self::Laplace => each(z, roots, |z| (1.0 / z.abs().max(KINK)).sqrt()),
            Self::Mixture(mixture) => roots.fill(mixture.location_information.sqrt()),
        }
    }

    /// What a row tells about the location, in units of one over the square of its scale.
    pub fn location_information(&self) -> f64 {
        match self {
            Self::Gaussian | Self::Laplace => 1.0,
            Self::Mixture(mixture) => mixture.location_information,
        }
    }

    /// Expected curvature of −ln p in the logarithm of the scale.
    pub fn scale_information(&self) -> f64 {
        match self {
            Self::Gaussian => 2.0,
            Self::Laplace => 1.0,
            Self::Mixture(mixture) => mixture.scale_information,
        }
    }
}

/// −ln p(residual) of a density whose square of the scale is raised.
#[inline(always)]
fn wider(residual: f64, log_scale: f64, raise: f64, nll: impl Fn(f64) -> f64) -> f64 {
    let log_scale = 0.5 * (Real::exp(2.0 * log_scale) + raise).ln();
    log_scale + nll(residual * Real::exp(-log_scale))
}

#[inline(always)]
fn each(z: &[f64], out: &mut [f64], of: impl Fn(f64) -> f64) {
    for (out, z) in out.iter_mut().zip(z) {
        *out = of(*z);
    }
}
