//! How a child sees a discrete cause.

use std::borrow::Cow;

use oslow_core::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::Kind;
use crate::ParentRows;
use crate::unit::Unit;

/// What stands for the value of one cause.
#[derive(Debug)]
pub(crate) enum Recoding {
    AsIs,
    /// The effect of each category on this child.
    Effects(Vec<f64>),
    /// The square root.
    Root(Unit),
}

impl Recoding {
    fn draw(kind: Kind, values: impl Iterator<Item = f64>, rng: &mut Rng) -> Self {
        match kind {
            Kind::Number => Self::AsIs,
            Kind::Levels(levels) => {
                let effects: Vec<f64> = (0..levels).map(|_| StandardNormal.sample(rng)).collect();
                let unit = Unit::of(&effects);
                Self::Effects(effects.iter().map(|&effect| unit.at(effect)).collect())
            }
            Kind::Count => Self::Root(Unit::of(&values.map(f64::sqrt).collect::<Vec<f64>>())),
        }
    }

    fn of(&self, value: f64) -> f64 {
        match self {
            Self::AsIs => value,
            // A category that an intervention sets may be any number: the nearest is taken.
            Self::Effects(effects) => effects[(value.max(0.0).round() as usize).min(effects.len() - 1)],
            Self::Root(unit) => unit.at(value.max(0.0).sqrt()),
        }
    }
}

/// Draws how a child sees causes of these kinds; empty where all are numbers.
pub(crate) fn recodings(kinds: &[Kind], causes: &ParentRows, rng: &mut Rng) -> Vec<Recoding> {
    if kinds.iter().all(|kind| *kind == Kind::Number) {
        return Vec::new();
    }
    let draw = |(k, &kind): (usize, &Kind)| Recoding::draw(kind, causes.iter().map(|row| row[k]), rng);
    kinds.iter().enumerate().map(draw).collect()
}

/// The causes as the child sees them; without recodings, as they are.
pub(crate) fn recoded<'a>(parents: &'a ParentRows, recodings: &[Recoding]) -> Cow<'a, ParentRows> {
    match recodings {
        [] => Cow::Borrowed(parents),
        _ => Cow::Owned(parents.mapped(|cause, value| recodings[cause].of(value))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    #[test]
    fn categories_have_effects_with_mean_0_and_variance_1() {
        let mut rng = Seed(3).stream("test");
        let Recoding::Effects(effects) = Recoding::draw(Kind::Levels(4), std::iter::empty(), &mut rng) else {
            panic!("categories have effects")
        };
        assert!(effects.iter().sum::<f64>().abs() < 1e-12);
        assert!((effects.iter().map(|x| x * x).sum::<f64>() - 4.0).abs() < 1e-12);
        assert_eq!(Recoding::Effects(effects.clone()).of(9.0), effects[3]);
    }

    #[test]
    fn numbers_stay_and_roots_of_counts_are_standardised() {
        let parents = ParentRows::of(&[0.5, 0.0, 1.5, 4.0], 2, &[0, 1]);
        let root = Recoding::draw(Kind::Count, [0.0, 4.0].into_iter(), &mut Seed(0).stream("test"));
        assert_eq!(recoded(&parents, &[Recoding::AsIs, root]).row(1), [1.5, 1.0]);
    }
}
