//! Positive numbers of which few are near 0.

use oslow_core::Rng;
use rand_distr::{Distribution, Exp1};

/// A gamma variable with a whole shape: the sum of that many exponential ones, times `scale`. Its mean is
/// shape·scale.
pub(crate) fn erlang(shape: u32, scale: f64, rng: &mut Rng) -> f64 {
    let sum: f64 = (0..shape).map(|_| -> f64 { Exp1.sample(rng) }).sum();
    scale * sum
}
