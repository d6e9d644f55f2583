//! Each column through a monotone function of its own.

use oslow_core::Rng;
use rand::RngExt;

use super::{Seen, SeenEntry};
use crate::Curve;

pub(crate) const ENTRY: SeenEntry = SeenEntry {
    name: "distorted",
    summary: "exp(0.8·w), ∛w, w³ or arctan(2w) with w = v or −v, drawn for each column",
    draw: |_, _, rng| {
        let curve = CURVES[rng.random_range(0..CURVES.len())];
        Some(Box::new(Distorted { sign: if rng.random() { 1.0 } else { -1.0 }, curve }))
    },
};

const CURVES: [Curve; 4] = [|w| (0.8 * w).exp(), f64::cbrt, |w| w.powi(3), |w| (2.0 * w).atan()];

#[derive(Debug)]
struct Distorted {
    sign: f64,
    curve: Curve,
}

impl Seen for Distorted {
    fn at(&self, value: f64, _: &mut Rng) -> f64 {
        (self.curve)(self.sign * value)
    }
}
