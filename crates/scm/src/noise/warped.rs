//! Noise with a random density.
//!
//! # Model
//!
//! U = q(Z), Z standard normal, q(z) = ∫ exp F(s) ds up to z, standardised. F is a Gaussian process with variance 1
//! and a length that is gamma(5)·0.1, drawn for each node. q increases, so the density of U is that of Z squeezed
//! here and stretched there: humps, shoulders and skewness of all kinds.
//!
//! # Reference
//!
//! Mooij, Peters, Janzing, Zscheischler, Schölkopf: "Distinguishing cause from effect using observational data:
//! methods and benchmarks" (2016), appendix on simulated data. There F lives on the sorted draws; here on an even grid,
//! so that the model can draw again.

use oslow_core::Rng;

use super::NoiseEntry;
use super::curved::{Curved, points};
use crate::erlang::erlang;
use crate::function::Function;
use crate::mechanism::fourier::Fourier;

pub(crate) const ENTRY: NoiseEntry = NoiseEntry {
    name: "warped",
    summary: "a random density for each node: a normal variable through a random increasing function; variance 1",
    build: |_, rng| Ok(Box::new(warped(rng))),
};

pub(super) fn warped(rng: &mut Rng) -> Curved {
    let exponent = Fourier::draw(&[erlang(5, 0.1, rng)], rng);
    let mut height = 0.0;
    let sum = |z: f64| {
        height += exponent.at(&[z]).exp();
        height
    };
    Curved::new(points().map(sum).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    #[test]
    fn the_function_increases_and_densities_differ() {
        let draw = |seed| warped(&mut Seed(seed).stream("test"));
        for seed in 0..10 {
            assert!(draw(seed).values().windows(2).all(|pair| pair[0] < pair[1]));
        }
        let thirds: Vec<f64> = (0..10).map(|seed| draw(seed).values()[280]).collect();
        assert!(thirds.iter().any(|x| *x < 0.9) && thirds.iter().any(|x| *x > 1.1), "{thirds:?}");
    }
}
