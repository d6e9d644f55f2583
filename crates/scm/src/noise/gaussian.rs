//! Gaussian noise.

use oslow_core::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{Noise, NoiseEntry};

pub(crate) const ENTRY: NoiseEntry =
    NoiseEntry { name: "gaussian", summary: "normal, variance 1", build: |_, _| Ok(Box::new(Gaussian)) };

#[derive(Debug)]
pub(crate) struct Gaussian;

impl Noise for Gaussian {
    fn draw(&self, rng: &mut Rng) -> f64 {
        StandardNormal.sample(rng)
    }

    fn sd(&self) -> f64 {
        1.0
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn has_the_moments_of_its_formula() {
        super::super::check(&super::ENTRY, 1.0, 0.682_689_492);
    }
}
