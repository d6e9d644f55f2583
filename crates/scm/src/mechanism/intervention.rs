//! The family of the paper's intervention figures (its appendix, after Khemakhem et al. 2021).
//!
//! v is the mean of the parents; location v + sin v (invertible) or sin(a·v) + sin(b·v) (not), scale
//! α − β·exp(−|v|/2). Not standardised: the constants are the model. A root is noise alone, location 0 and
//! scale 1 — it has no v, and v = 0 would only shrink it by α − β.

use oslow_core::Result;

use super::{LocationScale, Mechanism, MechanismEntry, ParentRows};
use crate::{Location, Spec};

pub(crate) const ENTRY: MechanismEntry = MechanismEntry {
    name: "intervention",
    summary: "v = mean of the parents; t = v + sin v or sin(av) + sin(bv), s = α − β·exp(−|v|/2); not standardised",
    standardized: false,
    draw: |spec, _, _| Ok(Box::new(Intervention(spec.clone()))),
};

#[derive(Debug)]
struct Intervention(Spec);

impl Intervention {
    fn at(&self, parents: &[f64]) -> LocationScale {
        let Self(spec) = self;
        if parents.is_empty() {
            return LocationScale { location: 0.0, scale: 1.0 };
        }
        let v = parents.iter().sum::<f64>() / parents.len() as f64;
        let location = match spec.location {
            Location::Invertible => v + v.sin(),
            Location::NonInvertible => (spec.a * v).sin() + (spec.b * v).sin(),
        };
        let scale = if spec.additive { 1.0 } else { spec.alpha - spec.beta * (-v.abs() / 2.0).exp() };
        LocationScale { location, scale }
    }
}

impl Mechanism for Intervention {
    fn evaluate(&self, parents: &ParentRows) -> Result<Vec<LocationScale>> {
        Ok(parents.iter().map(|row| self.at(row)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constants_are_those_of_the_methods_page() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-14, "{a} is not {b}");
        let family = |location| Intervention(Spec { location, ..Spec::default() });
        // Mean of the parents 0.7.
        let parents = [0.2, 1.2];
        let invertible = family(Location::Invertible).at(&parents);
        near(invertible.location, 0.7 + 0.7_f64.sin());
        near(invertible.scale, 1.0 - 0.5 * (-0.35_f64).exp());
        let waves = family(Location::NonInvertible).at(&parents);
        near(waves.location, 0.7_f64.sin() + 1.4_f64.sin());
        near(waves.scale, invertible.scale);
        assert_eq!(family(Location::Invertible).at(&[]), LocationScale { location: 0.0, scale: 1.0 });
        let additive = Intervention(Spec { additive: true, ..Spec::default() });
        assert_eq!(additive.at(&parents).scale, 1.0);
    }
}
