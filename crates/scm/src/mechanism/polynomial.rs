//! Cubic locations.

use oslow_core::Result;

use super::{LocationScale, Mechanism, MechanismEntry, ParentRows};
use crate::Shift;
use crate::combination::{Combination, Scale};

pub(crate) const ENTRY: MechanismEntry = MechanismEntry {
    name: "polynomial",
    summary: "t = (Σcx)³ + b, or (Σcx + b)³ with shift = \"inside\"; s = softplus(Σc'x + b')",
    standardized: true,
    draw: |spec, rows, rng| {
        let location = Combination::draw(rows.parents(), spec.signs, rng);
        let scale = Scale::draw(spec, rows.parents(), rng);
        Ok(Box::new(Polynomial { location, shift: spec.shift, scale }))
    },
};

#[derive(Debug)]
struct Polynomial {
    location: Combination,
    shift: Shift,
    scale: Scale,
}

impl Mechanism for Polynomial {
    fn evaluate(&self, parents: &ParentRows) -> Result<Vec<LocationScale>> {
        let at = |row| {
            let location = match self.shift {
                Shift::Outside => self.location.sum(row).powi(3) + self.location.intercept,
                Shift::Inside => self.location.at(row).powi(3),
            };
            LocationScale { location, scale: self.scale.at(row) }
        };
        Ok(parents.iter().map(at).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_intercept_stands_where_it_was_asked_for() {
        let location = Combination { coefficients: vec![2.0], intercept: 1.5 };
        let rows = ParentRows::of(&[0.5], 1, &[0]);
        let at = |shift| {
            let mechanism = Polynomial { location: location.clone(), shift, scale: Scale::One };
            mechanism.evaluate(&rows).unwrap()[0]
        };
        assert_eq!(at(Shift::Outside), LocationScale { location: 2.5, scale: 1.0 });
        assert_eq!(at(Shift::Inside), LocationScale { location: 2.5_f64.powi(3), scale: 1.0 });
    }
}
