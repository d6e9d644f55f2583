//! What a cause does to its effect: up, down, both, or only the spread.

use std::ops::Range;

use oslow_core::{EffectShape, Seed};

use crate::columns::Columns;
use crate::joint_fit::{JointFit, rows_at_quantiles};
use crate::regression::Effort;

/// Places along a cause, at quantiles of its values, at which the effect is looked at.
const PLACES: usize = 9;
/// A location that changes by less than this, in standard deviations of the effect, …
const SMALL: f64 = 0.1;
/// … while the scale changes by more than this factor, e^0.2, changes the spread only.
const LARGE_SPREAD: f64 = 0.2;
/// The net change of a curve must be this share of all its ups and downs for it to count as rising or falling.
const MONOTONE: f64 = 0.7;

/// What each of some parents does to a node, by a fit of smooth units to the table.
pub(crate) fn effect_shapes(
    columns: &Columns,
    node: usize,
    parents: &[usize],
    effort: &Effort,
    seed: Seed,
) -> Vec<EffectShape> {
    if columns.has_categories(node) {
        return vec![EffectShape::Levels; parents.len()];
    }
    let fit = JointFit::new(columns, node, parents, effort, seed);
    let of_parent = |(&parent, variables): (&usize, Range<usize>)| {
        if columns.has_categories(parent) {
            return EffectShape::Levels;
        }
        let places = rows_at_quantiles(fit.variable(variables.start), PLACES);
        let (location, log_scale) = fit.along(&variables, &places);
        shape(&location, &log_scale)
    };
    parents.iter().zip(columns.variables_of(parents)).map(of_parent).collect()
}

fn shape(location: &[f64], log_scale: &[f64]) -> EffectShape {
    let range = |curve: &[f64]| {
        let greatest = curve.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        greatest - curve.iter().copied().fold(f64::INFINITY, f64::min)
    };
    if range(location) < SMALL && range(log_scale) > LARGE_SPREAD {
        return EffectShape::Spread;
    }
    let changes: f64 = location.windows(2).map(|two| (two[1] - two[0]).abs()).sum();
    let net = location[location.len() - 1] - location[0];
    match net {
        net if net >= MONOTONE * changes => EffectShape::Rising,
        net if -net >= MONOTONE * changes => EffectShape::Falling,
        _ => EffectShape::Bent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Prepared, Preparing, Sample};
    use rand_distr::{Distribution, StandardNormal};

    #[test]
    fn causes_that_raise_lower_bend_and_spread() {
        let mut rng = Seed(5).stream("test");
        let mut draw = || -> f64 { StandardNormal.sample(&mut rng) };
        let mut values = Vec::new();
        for _ in 0..600 {
            let (a, b, c, d, e) = (draw(), draw(), draw(), draw(), draw());
            let y = a - b.powi(3) / 3.0 + c * c + (0.5 * d).exp() * 0.5 * e;
            values.extend([a, b, c, d, y]);
        }
        let names = ["a", "b", "c", "d", "y"].map(String::from).to_vec();
        let sample = Sample::new(names, values).unwrap();
        let prepared = Prepared::new(&sample, Preparing::default()).unwrap();
        let columns = Columns::new(&prepared, &crate::LocalConfig::default(), Seed(0));
        let effort = crate::LocalConfig::default().effort();
        let found = effect_shapes(&columns, 4, &[0, 1, 2, 3], &effort, Seed(0));
        use EffectShape::{Bent, Falling, Rising, Spread};
        assert_eq!(found, [Rising, Falling, Bent, Spread]);
    }
}
