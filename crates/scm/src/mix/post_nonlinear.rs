//! Additive noise, then a bent output.

use oslow_core::Result;

use super::additive::Additive;
use super::blended::Blended;
use super::{Causes, Mix, MixEntry};
use crate::Curve;
use crate::output::any;

pub(crate) const ENTRY: MixEntry = MixEntry {
    name: "post-nonlinear",
    summary: "g(f + a·U), its argument standardised, with g one of the outputs of `any`; to name g, set mix = \
              \"additive\" and `output`",
    standardized: true,
    draw: |spec, _, rng| {
        let curve = (any::ENTRY.draw)(rng);
        Box::new(PostNonlinear { inside: Blended::new(Additive::draw(spec, rng)), curve })
    },
};

#[derive(Debug)]
struct PostNonlinear {
    inside: Blended<Additive>,
    curve: Curve,
}

impl Mix for PostNonlinear {
    fn settle(&mut self, causes: &Causes<'_>, noise: &[f64]) {
        self.inside.settle(causes, noise);
    }

    fn values(&self, causes: &Causes<'_>, noise: &[f64]) -> Result<Vec<f64>> {
        Ok(self.inside.values(causes, noise)?.into_iter().map(self.curve).collect())
    }
}
