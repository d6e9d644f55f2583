//! Laplace noise.

use oslow_core::Rng;
use rand::RngExt;
use rand_distr::{Distribution, Exp1};

use super::{Noise, NoiseEntry};

pub(crate) const ENTRY: NoiseEntry = NoiseEntry {
    name: "laplace",
    summary: "Laplace, scale 1 (variance 2)",
    build: |_, _| Ok(Box::new(Laplace)),
};

#[derive(Debug)]
struct Laplace;

impl Noise for Laplace {
    fn draw(&self, rng: &mut Rng) -> f64 {
        let size: f64 = Exp1.sample(rng);
        if rng.random::<bool>() { size } else { -size }
    }

    fn sd(&self) -> f64 {
        2.0_f64.sqrt()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn has_the_moments_of_its_formula() {
        super::super::check(&super::ENTRY, 2.0, 1.0 - (-1.0_f64).exp());
    }
}
