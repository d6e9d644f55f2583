//! Gamma noise.

use oslow_core::Rng;
use rand_distr::{Distribution, Exp1};

use super::{Noise, NoiseEntry};

pub(crate) const ENTRY: NoiseEntry = NoiseEntry {
    name: "gamma",
    summary: "gamma of shape 2, standardised, skewness √2",
    build: |_, _| Ok(Box::new(Gamma)),
};

/// (G − 2)/√2: G is the sum of two exponential variables.
#[derive(Debug)]
struct Gamma;

impl Noise for Gamma {
    fn draw(&self, rng: &mut Rng) -> f64 {
        let [a, b]: [f64; 2] = [(); 2].map(|()| Exp1.sample(rng));
        (a + b - 2.0) / 2.0_f64.sqrt()
    }

    fn sd(&self) -> f64 {
        1.0
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn has_the_moments_of_its_formula() {
        // P(G > g) = (1 + g)·exp(−g).
        let above = |g: f64| (1.0 + g) * (-g).exp();
        let root = 2.0_f64.sqrt();
        super::super::check(&super::ENTRY, 1.0, above(2.0 - root) - above(2.0 + root));
    }
}
