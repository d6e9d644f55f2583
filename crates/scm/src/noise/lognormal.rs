//! Lognormal noise.

use oslow_core::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{Noise, NoiseEntry};

pub(crate) const ENTRY: NoiseEntry = NoiseEntry {
    name: "lognormal",
    summary: "exp(0.7·Z) with Z normal, standardised, skewness 2.9",
    build: |_, _| Ok(Box::new(Lognormal)),
};

const SIGMA: f64 = 0.7;

/// (exp(σZ) − exp(σ²/2)) / √((exp σ² − 1)·exp σ²).
#[derive(Debug)]
struct Lognormal;

impl Noise for Lognormal {
    fn draw(&self, rng: &mut Rng) -> f64 {
        let z: f64 = StandardNormal.sample(rng);
        let square = SIGMA * SIGMA;
        ((SIGMA * z).exp() - (square / 2.0).exp()) / (square.exp_m1() * square.exp()).sqrt()
    }

    fn sd(&self) -> f64 {
        1.0
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn has_the_moments_of_its_formula() {
        // The value lies in (−1, 1) for Z between ln(mean − sd)/0.7 and ln(mean + sd)/0.7.
        super::super::check(&super::ENTRY, 1.0, 0.854429039);
    }
}
