//! Base densities: what the exogenous noise is assumed to be.

use oslow_core::Rng;
use oslow_math::HALF_LN_TAU;
use rand_distr::Distribution;

use crate::Real;
use crate::config::Base;
use crate::kernel::mixture::{Column, Parts, add_nll, slopes};
use crate::layout::Layout;
use crate::mixture::{Mixture, PARAMETERS};

/// The densities of all variables' noise.
pub(crate) enum Densities {
    /// The same for all.
    Fixed(Fixed),
    /// One for each, whatever its place in an order.
    Learned(Vec<Mixture>),
}

/// A density without parameters that are learned.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fixed {
    Gaussian,
    Laplace,
    Logistic,
    StudentT {
        nu: f64,
        /// log of the normalising constant.
        constant: f64,
    },
}

impl Densities {
    /// The densities of a flow with these parameters.
    pub fn new<T: Real>(layout: &Layout, theta: &[T]) -> Self {
        match layout.config.base {
            Base::Gaussian => Self::Fixed(Fixed::Gaussian),
            Base::Laplace => Self::Fixed(Fixed::Laplace),
            Base::Logistic => Self::Fixed(Fixed::Logistic),
            Base::StudentT { nu } => Self::Fixed(Fixed::student_t(nu)),
            Base::Learned => {
                let (parameters, _) = theta[layout.base.clone()].as_chunks::<PARAMETERS>();
                Self::Learned(parameters.iter().map(|own| Mixture::new(&own.map(T::to_f64))).collect())
            }
        }
    }

    /// −log p(z) of a variable.
    pub fn nll(&self, node: usize, z: f64) -> f64 {
        match self {
            Self::Fixed(density) => density.nll(z).0,
            Self::Learned(mixtures) => mixtures[node].nll(z),
        }
    }

    /// One draw of a variable's noise.
    pub fn draw(&self, node: usize, rng: &mut Rng) -> f64 {
        match self {
            Self::Fixed(density) => density.draw(rng),
            Self::Learned(mixtures) => mixtures[node].draw(rng),
        }
    }

    /// Adds −log p of the noise z (rows × d) to each row's.
    pub fn add_nll<T: Real>(&self, d: usize, z: &[T], nll: &mut [f64]) {
        match self {
            Self::Fixed(density) => {
                for (nll, z) in nll.iter_mut().zip(z.chunks_exact(d)) {
                    *nll += z.iter().map(|z| density.nll(z.to_f64()).0).sum::<f64>();
                }
            }
            Self::Learned(mixtures) => {
                for (start, mixture) in mixtures.iter().enumerate() {
                    let column = Column { start, stride: d };
                    add_nll(&Parts::new(mixture), column, z, nll);
                }
            }
        }
    }

    /// Writes `weight` times the slopes of −log p at the noise z, and adds as much of the gradient of the summed −log p for
    /// the parameters of learned densities.
    pub fn backward<T: Real>(&self, weight: f64, z: &[T], d_z: &mut Vec<T>, d_parameters: &mut [T]) {
        d_z.clear();
        match self {
            Self::Fixed(density) => {
                d_z.extend(z.iter().map(|z| T::from_f64(weight * density.nll(z.to_f64()).1)));
            }
            Self::Learned(mixtures) => {
                d_z.resize(z.len(), T::from_f64(0.0));
                let own = d_parameters.chunks_exact_mut(PARAMETERS);
                for (start, (mixture, own)) in mixtures.iter().zip(own).enumerate() {
                    let column = Column { start, stride: mixtures.len() };
                    let moments = slopes(&Parts::new(mixture), column, T::from_f64(weight), z, d_z);
                    for (into, part) in own.iter_mut().zip(mixture.gradient(&moments)) {
                        *into += T::from_f64(weight * part);
                    }
                }
            }
        }
    }
}

impl Fixed {
    fn student_t(nu: f64) -> Self {
        Self::StudentT { nu, constant: student_constant(nu) }
    }

    /// −log p(z) with all constants, and its slope.
    fn nll(self, z: f64) -> (f64, f64) {
        match self {
            Self::Gaussian => (0.5 * z * z + HALF_LN_TAU, z),
            Self::Laplace => (z.abs() + std::f64::consts::LN_2, if z == 0.0 { 0.0 } else { z.signum() }),
            // −log p = |z| + 2·log(1 + e^−|z|)
            Self::Logistic => (z.abs() + 2.0 * (-z.abs()).exp().ln_1p(), (z / 2.0).tanh()),
            Self::StudentT { nu, constant } => {
                let value = 0.5 * (nu + 1.0) * (z * z / nu).ln_1p() + constant;
                (value, (nu + 1.0) * z / (nu + z * z))
            }
        }
    }

    /// One draw.
    fn draw(self, rng: &mut Rng) -> f64 {
        match self {
            Self::Gaussian => rand_distr::StandardNormal.sample(rng),
            Self::Laplace => {
                let magnitude: f64 = rand_distr::Exp1.sample(rng);
                if rand::RngExt::random::<bool>(rng) { magnitude } else { -magnitude }
            }
            Self::Logistic => {
                let u: f64 = rand_distr::Open01.sample(rng);
                (u / (1.0 - u)).ln()
            }
            Self::StudentT { nu, .. } => rand_distr::StudentT::new(nu).expect("nu was checked").sample(rng),
        }
    }
}

/// log of the normalising constant of Student's t: ½·log(νπ) + logΓ(ν/2) − logΓ((ν+1)/2).
fn student_constant(nu: f64) -> f64 {
    0.5 * (nu * std::f64::consts::PI).ln() + ln_gamma(nu / 2.0) - ln_gamma((nu + 1.0) / 2.0)
}

/// logΓ(x) for x > 0: Stirling's series after shifting the argument above 10.
fn ln_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 10.0 {
        shift -= x.ln();
        x += 1.0;
    }
    let inverse = 1.0 / x;
    let square = inverse * inverse;
    let series = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0)));
    shift + (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> [Fixed; 4] {
        [Fixed::Gaussian, Fixed::Laplace, Fixed::Logistic, Fixed::student_t(5.0)]
    }

    #[test]
    fn densities_integrate_to_one_and_slopes_are_derivatives() {
        for base in all() {
            let step = 1e-3;
            let total: f64 =
                (-400_000..400_000).map(|k| (-base.nll((k as f64 + 0.5) * step).0).exp() * step).sum();
            assert!((total - 1.0).abs() < 1e-5, "{base:?}: {total}");
            for z in [-3.1, -0.4, 0.7, 2.5] {
                let numeric = (base.nll(z + 1e-6).0 - base.nll(z - 1e-6).0) / 2e-6;
                assert!((numeric - base.nll(z).1).abs() < 1e-7, "{base:?} at {z}");
            }
        }
    }

    #[test]
    fn draws_have_the_density() {
        // The mean of −log p over draws is the entropy, here by numerical integration.
        for base in all() {
            let mut rng = oslow_core::Seed(1).stream("test");
            let n = 40_000;
            let values: Vec<f64> = (0..n).map(|_| base.nll(base.draw(&mut rng)).0).collect();
            let mean = values.iter().sum::<f64>() / f64::from(n);
            let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / f64::from(n);
            let entropy: f64 = (-60_000..60_000)
                .map(|k| base.nll((f64::from(k) + 0.5) * 2e-3).0)
                .map(|nll| nll * (-nll).exp() * 2e-3)
                .sum();
            assert!((mean - entropy).abs() < 4.0 * (variance / f64::from(n)).sqrt(), "{base:?}");
        }
    }
}
