//! Exponential noise.

use oslow_core::Rng;
use rand_distr::{Distribution, Exp1};

use super::{Noise, NoiseEntry};

pub(crate) const ENTRY: NoiseEntry = NoiseEntry {
    name: "exponential",
    summary: "exponential minus its mean, variance 1, skewness 2",
    build: |_, _| Ok(Box::new(Exponential)),
};

#[derive(Debug)]
struct Exponential;

impl Noise for Exponential {
    fn draw(&self, rng: &mut Rng) -> f64 {
        let size: f64 = Exp1.sample(rng);
        size - 1.0
    }

    fn sd(&self) -> f64 {
        1.0
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn has_the_moments_of_its_formula() {
        super::super::check(&super::ENTRY, 1.0, 1.0 - (-2.0_f64).exp());
    }
}
