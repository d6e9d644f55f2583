//! Uniform noise.

use oslow_core::Rng;
use rand::RngExt;

use super::{Noise, NoiseEntry};

pub(crate) const ENTRY: NoiseEntry = NoiseEntry {
    name: "uniform",
    summary: "uniform on (−√3, √3), variance 1",
    build: |_, _| Ok(Box::new(Uniform)),
};

#[derive(Debug)]
struct Uniform;

impl Noise for Uniform {
    fn draw(&self, rng: &mut Rng) -> f64 {
        let bound = 3.0_f64.sqrt();
        rng.random_range(-bound..bound)
    }

    fn sd(&self) -> f64 {
        1.0
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn has_the_moments_of_its_formula() {
        super::super::check(&super::ENTRY, 1.0, 1.0 / 3.0_f64.sqrt());
    }
}
