//! Locations that are a wave of each cause.

use std::f64::consts::TAU;

use oslow_core::Rng;
use rand::RngExt;

use super::MechanismEntry;
use super::shaped::shaped;
use crate::function::Function;

pub(crate) const ENTRY: MechanismEntry = MechanismEntry {
    name: "sines",
    summary: "t = Σ a·sin(bx + c), one per parent, standardised; s = softplus(Σc'x + b')",
    standardized: true,
    draw: |spec, rows, rng| Ok(shaped(spec, rows, rng, |rows, rng| Sines::draw(rows.parents(), rng))),
};

/// Σₖ aₖ·sin(bₖxₖ + cₖ): a uniform on (0.5, 1.5), b on (1, 3), c on (0, 2π).
#[derive(Debug)]
struct Sines(Vec<[f64; 3]>);

impl Sines {
    fn draw(causes: usize, rng: &mut Rng) -> Self {
        let one = |_| [rng.random_range(0.5..1.5), rng.random_range(1.0..3.0), rng.random_range(0.0..TAU)];
        Self((0..causes).map(one).collect())
    }
}

impl Function for Sines {
    fn at(&self, causes: &[f64]) -> f64 {
        self.0.iter().zip(causes).map(|([a, b, c], x)| a * (b * x + c).sin()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_that_of_the_formula() {
        let sines = Sines(vec![[1.5, 2.0, 0.3], [0.5, 1.0, 0.0]]);
        let expected = 1.5 * 1.3_f64.sin() + 0.5 * (-1.0_f64).sin();
        assert!((sines.at(&[0.5, -1.0]) - expected).abs() < 1e-15);
    }
}
