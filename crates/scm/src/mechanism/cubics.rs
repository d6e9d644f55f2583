//! Locations that are a polynomial of each cause, rising, falling or neither.

use oslow_core::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::MechanismEntry;
use super::shaped::shaped;
use crate::function::Function;

pub(crate) const ENTRY: MechanismEntry = MechanismEntry {
    name: "cubics",
    summary: "t = Σ ax + bx² + cx³, one per parent, standardised; s = softplus(Σc'x + b')",
    standardized: true,
    draw: |spec, rows, rng| Ok(shaped(spec, rows, rng, |rows, rng| Cubics::draw(rows.parents(), rng))),
};

/// Σₖ aₖxₖ + bₖxₖ² + cₖxₖ³ with a and b standard normal, c normal with standard deviation 0.4.
#[derive(Debug)]
struct Cubics(Vec<[f64; 3]>);

impl Cubics {
    fn draw(causes: usize, rng: &mut Rng) -> Self {
        let mut one = |size: f64| -> f64 {
            let drawn: f64 = StandardNormal.sample(rng);
            size * drawn
        };
        Self((0..causes).map(|_| [1.0, 1.0, 0.4].map(&mut one)).collect())
    }
}

impl Function for Cubics {
    fn at(&self, causes: &[f64]) -> f64 {
        self.0.iter().zip(causes).map(|([a, b, c], x)| x * (a + x * (b + x * c))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_that_of_the_formula() {
        let cubics = Cubics(vec![[1.0, -2.0, 0.5], [0.0, 0.0, 1.0]]);
        assert!((cubics.at(&[2.0, -1.0]) - (2.0 - 8.0 + 4.0 - 1.0)).abs() < 1e-15);
    }
}
