//! Noise that is uniform on (0, 1): for formulas that say so, and not registered, since its mean is not 0.

use oslow_core::Rng;
use rand_distr::{Distribution, Open01};

use super::Noise;

/// Uniform on the open interval: 0 has no logarithm.
#[derive(Debug)]
pub(crate) struct UnitUniform;

impl Noise for UnitUniform {
    fn draw(&self, rng: &mut Rng) -> f64 {
        Open01.sample(rng)
    }

    fn sd(&self) -> f64 {
        12.0_f64.sqrt().recip()
    }
}
