//! Locations that level off: the sigmoid of the literature on additive noise.

use oslow_core::Rng;
use rand::RngExt;

use super::MechanismEntry;
use super::shaped::shaped;
use crate::function::Function;

pub(crate) const ENTRY: MechanismEntry = MechanismEntry {
    name: "sigmoids",
    summary: "t = Σ a·z/(1 + |z|) with z = b(x + c), one per parent, standardised; s = softplus(Σc'x + b')",
    standardized: true,
    draw: |spec, rows, rng| Ok(shaped(spec, rows, rng, |rows, rng| Sigmoids::draw(rows.parents(), rng))),
};

/// Σₖ aₖ·zₖ/(1 + |zₖ|), zₖ = bₖ(xₖ + cₖ): a uniform on (1, 2), |b| uniform on (0.5, 2) with either sign, c
/// uniform on (−2, 2).
#[derive(Debug)]
struct Sigmoids(Vec<[f64; 3]>);

impl Sigmoids {
    fn draw(causes: usize, rng: &mut Rng) -> Self {
        let one = |_| {
            let a = rng.random_range(1.0..2.0);
            let size = rng.random_range(0.5..2.0);
            [a, if rng.random() { size } else { -size }, rng.random_range(-2.0..2.0)]
        };
        Self((0..causes).map(one).collect())
    }
}

impl Function for Sigmoids {
    fn at(&self, causes: &[f64]) -> f64 {
        let one = |([a, b, c], x): (&[f64; 3], &f64)| {
            let z = b * (x + c);
            a * z / (1.0 + z.abs())
        };
        self.0.iter().zip(causes).map(one).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_that_of_the_formula() {
        let sigmoids = Sigmoids(vec![[1.5, -2.0, 0.5], [1.0, 1.0, 0.0]]);
        let expected = 1.5 * -3.0 / 4.0 + 3.0 / 4.0;
        assert!((sigmoids.at(&[1.0, 3.0]) - expected).abs() < 1e-15);
    }
}
