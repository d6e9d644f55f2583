//! Measurement error.

use oslow_core::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::{Seen, SeenEntry};

pub(crate) const ENTRY: SeenEntry = SeenEntry {
    name: "measured",
    summary: "v plus a normal error with standard deviation `error`",
    draw: |spec, _, _| Some(Box::new(Measured { error: spec.error })),
};

#[derive(Debug)]
pub(super) struct Measured {
    pub(super) error: f64,
}

impl Seen for Measured {
    fn at(&self, value: f64, rng: &mut Rng) -> f64 {
        let z: f64 = StandardNormal.sample(rng);
        value + self.error * z
    }
}
