//! Base densities: what the exogenous noise is assumed to be.

use oslow_core::Rng;
use rand_distr::Distribution;

use crate::config::Base;

impl Base {
    /// −log p(z) with all constants, and its slope.
    pub fn nll(self, z: f64) -> (f64, f64) {
        match self {
            Self::Gaussian => (0.5 * z * z + 0.5 * (2.0 * std::f64::consts::PI).ln(), z),
            Self::Laplace => (z.abs() + std::f64::consts::LN_2, if z == 0.0 { 0.0 } else { z.signum() }),
            // −log p = |z| + 2·log(1 + e^−|z|)
            Self::Logistic => (z.abs() + 2.0 * (-z.abs()).exp().ln_1p(), (z / 2.0).tanh()),
            Self::StudentT { nu } => {
                let value = 0.5 * (nu + 1.0) * (z * z / nu).ln_1p() + student_constant(nu);
                (value, (nu + 1.0) * z / (nu + z * z))
            }
        }
    }

    /// One draw.
    pub fn draw(self, rng: &mut Rng) -> f64 {
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
            Self::StudentT { nu } => rand_distr::StudentT::new(nu).expect("nu was checked").sample(rng),
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

    const ALL: [Base; 4] = [Base::Gaussian, Base::Laplace, Base::Logistic, Base::StudentT { nu: 5.0 }];

    #[test]
    fn densities_integrate_to_one_and_slopes_are_derivatives() {
        for base in ALL {
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
        for base in ALL {
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
