//! Sinusoidal locations, invertible in the linear combination of the parents.

use oslow_core::Result;

use super::{LocationScale, Mechanism, MechanismEntry, ParentRows};
use crate::combination::{Combination, Scale};

pub(crate) const ENTRY: MechanismEntry = MechanismEntry {
    name: "sinusoid",
    summary: "t = sin v + v with v = Σcx + b, s = softplus(Σc'x + b'), coefficients uniform(1, 2)",
    standardized: true,
    draw: |spec, rows, rng| {
        let location = Combination::draw(rows.parents(), spec.signs, rng);
        Ok(Box::new(Sinusoid { location, scale: Scale::draw(spec, rows.parents(), rng) }))
    },
};

#[derive(Debug)]
pub(crate) struct Sinusoid {
    pub(crate) location: Combination,
    pub(crate) scale: Scale,
}

impl Mechanism for Sinusoid {
    fn evaluate(&self, parents: &ParentRows) -> Result<Vec<LocationScale>> {
        let at = |row| {
            let v = self.location.at(row);
            LocationScale { location: v.sin() + v, scale: self.scale.at(row) }
        };
        Ok(parents.iter().map(at).collect())
    }
}
