//! Location plus scale times noise, as the mechanism has them.

use oslow_core::Result;

use super::{Causes, Mix, MixEntry};

pub(crate) const ENTRY: MixEntry = MixEntry {
    name: "affine",
    summary: "t + s·U with the mechanism's own location and scale (s = 1 with `additive`), in its own units",
    standardized: false,
    draw: |_, _, _| Box::new(Affine),
};

#[derive(Debug)]
pub(crate) struct Affine;

impl Mix for Affine {
    fn values(&self, causes: &Causes<'_>, noise: &[f64]) -> Result<Vec<f64>> {
        Ok(causes.moments.iter().zip(noise).map(|(at, u)| at.location + at.scale * u).collect())
    }
}
