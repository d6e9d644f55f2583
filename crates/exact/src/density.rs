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

    /// p(residual) = factor·exp(exponent) at a scale given by its logarithm, where the location itself has a variance: exponent and factor, which has no extreme size.
    #[inline(always)]
    pub fn predictive(&self, residual: f64, log_scale: f64, location_variance: f64) -> (f64, f64) {
        match self {
            Self::Gaussian => (-wider(residual, log_scale, location_variance, gaussian_nll), 1.0),
            // The variance of the density with scale 1 is 2.
            Self::Laplace => (-wider(residual, log_scale, 0.5 * location_variance, laplace_nll), 1.0),
            Self::Mixture(mixture) => {
                let inverse = Real::exp(-log_scale);
                let blurred = mixture.blurred(location_variance * inverse * inverse);
                let (exponent, factor) = blurred.density(residual * inverse);
                (exponent - log_scale, factor)
            }
        }
    }

    /// −ln of that.
    pub fn predictive_nll(&self, residual: f64, log_scale: f64, location_variance: f64) -> f64 {
        let (exponent, factor) = self.predictive(residual, log_scale, location_variance);
        -exponent - factor.ln()
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
            Self::Gaussian => z.iter().copied().map(gaussian_nll).sum(),
            Self::Laplace => z.iter().copied().map(laplace_nll).sum(),
            Self::Mixture(mixture) => mixture.loss(z),
        }
    }

    /// Improves what is fitted to residuals in some rounds; −ln p of all z together after them.
    pub fn follow(&mut self, z: &[f64], rounds: usize) -> f64 {
        match self {
            Self::Gaussian | Self::Laplace => self.loss(z),
            Self::Mixture(mixture) => mixture.refit(z, rounds),
        }
    }

    /// Writes the slope ψ of −ln p at each z; −ln p of all z together.
    pub fn slopes(&self, z: &[f64], slopes: &mut [f64]) -> f64 {
        match self {
            Self::Gaussian => slopes.copy_from_slice(z),
            Self::Laplace => each(z, slopes, |z| z / z.abs().max(KINK)),
            Self::Mixture(mixture) => return mixture.slopes(z, slopes),
        }
        self.loss(z)
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

#[inline(always)]
fn gaussian_nll(z: f64) -> f64 {
    0.5 * z * z + HALF_LN_TAU
}

#[inline(always)]
fn laplace_nll(z: f64) -> f64 {
    z.abs() + std::f64::consts::LN_2
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

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each kind; the mixture is that of skewed residuals.
    fn all() -> [Density; 3] {
        let skewed: Vec<f64> =
            (0..300).map(|k| (f64::from(k) * 0.618_034).fract().powi(3) * 4.0 - 1.0).collect();
        [Noise::Gaussian, Noise::Laplace, Noise::Mixture].map(|noise| Density::of(noise, &skewed))
    }

    #[test]
    fn densities_integrate_to_one() {
        for density in all() {
            for variance in [0.0, 0.7] {
                let sum: f64 = (-400_000..400_000)
                    .map(|k| (-density.predictive_nll(f64::from(k) * 1e-4, -0.4, variance)).exp() * 1e-4)
                    .sum();
                assert!((sum - 1.0).abs() < 1e-6, "{density:?}: {sum}");
            }
        }
    }

    #[test]
    fn slopes_are_those_of_finite_differences() {
        for density in all() {
            for z in [0.4, -1.7, 2.5] {
                let (h, mut slope) = (1e-6, [0.0]);
                density.slopes(&[z], &mut slope);
                let location = (density.loss(&[z + h]) - density.loss(&[z - h])) / (2.0 * h);
                assert!((slope[0] - location).abs() < 1e-5, "{density:?} at {z}");
                // In the logarithm of the scale, −ln p has the slope 1 − z·ψ(z).
                let nll = |s: f64| density.predictive_nll(z, s, 0.0);
                let scale = (nll(h) - nll(-h)) / (2.0 * h);
                assert!((1.0 - z * slope[0] - scale).abs() < 1e-5, "{density:?} at {z}");
            }
        }
    }

    #[test]
    fn the_best_scale_has_no_slope() {
        let residuals = [0.3, -1.2, 0.8, 2.0, -0.1];
        for density in [Density::Gaussian, Density::Laplace] {
            let scale = density.best_log_scale(residuals.iter().copied()).unwrap().exp();
            let (z, mut slopes) = (residuals.map(|r| r / scale), [0.0; 5]);
            density.slopes(&z, &mut slopes);
            let slope: f64 = z.iter().zip(slopes).map(|(z, slope)| 1.0 - z * slope).sum();
            assert!(slope.abs() < 1e-12);
        }
    }
}
