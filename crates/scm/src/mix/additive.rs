//! Additive noise of random size.

use oslow_core::Rng;

use super::MixEntry;
use super::blended::{Blend, Blended, noise_sd};
use crate::Spec;

pub(crate) const ENTRY: MixEntry = MixEntry {
    name: "additive",
    summary: "f + a·U with a uniform within `noise_sd`, drawn for each node",
    standardized: true,
    draw: |spec, _, rng| Box::new(Blended::new(Additive::draw(spec, rng))),
};

#[derive(Debug)]
pub(super) struct Additive {
    sd: f64,
}

impl Additive {
    pub(super) fn draw(spec: &Spec, rng: &mut Rng) -> Self {
        Self { sd: noise_sd(spec, rng) }
    }
}

impl Blend for Additive {
    fn at(&self, f: f64, _: &[f64], u: f64) -> f64 {
        f + self.sd * u
    }
}
