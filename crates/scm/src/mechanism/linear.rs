//! Linear locations.

use oslow_core::Result;

use super::{LocationScale, Mechanism, MechanismEntry, ParentRows};
use crate::combination::{Combination, Scale};

pub(crate) const ENTRY: MechanismEntry = MechanismEntry {
    name: "linear",
    summary: "t = Σcx + b, s = softplus(Σc'x + b'), coefficients uniform(1, 2)",
    standardized: true,
    draw: |spec, rows, rng| {
        let location = Combination::draw(rows.parents(), spec.signs, rng);
        Ok(Box::new(Linear { location, scale: Scale::draw(spec, rows.parents(), rng) }))
    },
};

#[derive(Debug)]
struct Linear {
    location: Combination,
    scale: Scale,
}

impl Mechanism for Linear {
    fn evaluate(&self, parents: &ParentRows) -> Result<Vec<LocationScale>> {
        let at = |row| LocationScale { location: self.location.at(row), scale: self.scale.at(row) };
        Ok(parents.iter().map(at).collect())
    }
}
