//! A category: P(level) ∝ exp(a·fₗₑᵥₑₗ(causes)), with a function of the causes for each level.

use oslow_core::{Result, Rng};
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use crate::mechanism::root::Root;
use crate::mix::Causes;
use crate::noise::unit_uniform::UnitUniform;
use crate::unit::Unit;
use crate::{Mechanism, MechanismEntry, Mix, Node, ParentRows, Spec};

/// a is uniform between these.
const STRENGTHS: std::ops::Range<f64> = 2.0..4.0;
/// Standard deviation of the logarithms of the shares of a node without causes.
const ROOT_SPREAD: f64 = 0.5;

#[derive(Debug)]
struct Levels {
    /// ln of the shares, before causes change them.
    shares: Vec<f64>,
    functions: Vec<Standardized>,
    strength: f64,
}

/// The location of a mechanism with mean 0 and variance 1 over the rows that were simulated.
#[derive(Debug)]
pub(super) struct Standardized {
    mechanism: Box<dyn Mechanism>,
    unit: Unit,
}

impl Standardized {
    pub(super) fn draw(
        entry: &MechanismEntry,
        spec: &Spec,
        parents: &ParentRows,
        rng: &mut Rng,
    ) -> Result<Self> {
        let mechanism = (entry.draw)(spec, parents, rng)?;
        let unit = Unit::of(&locations(mechanism.as_ref(), parents)?);
        Ok(Self { mechanism, unit })
    }

    pub(super) fn at(&self, parents: &ParentRows) -> Result<Vec<f64>> {
        Ok(locations(self.mechanism.as_ref(), parents)?.iter().map(|&x| self.unit.at(x)).collect())
    }
}

fn locations(mechanism: &dyn Mechanism, parents: &ParentRows) -> Result<Vec<f64>> {
    Ok(mechanism.evaluate(parents)?.iter().map(|at| at.location).collect())
}

/// A node with so many categories, 0, 1, 2….
pub(crate) fn draw(
    entry: &MechanismEntry,
    spec: &Spec,
    levels: usize,
    parents: &ParentRows,
    rng: &mut Rng,
) -> Result<Node> {
    let share = |rng: &mut Rng| -> f64 { ROOT_SPREAD * Distribution::<f64>::sample(&StandardNormal, rng) };
    let shares = (0..levels).map(|_| share(rng)).collect();
    let functions = match parents.parents() {
        0 => Vec::new(),
        _ => (0..levels).map(|_| Standardized::draw(entry, spec, parents, rng)).collect::<Result<_>>()?,
    };
    let mix = Levels { shares, functions, strength: rng.random_range(STRENGTHS) };
    Ok(Node { mix: Box::new(mix), ..Node::affine(Box::new(Root), Box::new(UnitUniform), |y| y) })
}

impl Mix for Levels {
    /// The level at which the summed probabilities pass the noise, which is uniform.
    fn values(&self, causes: &Causes<'_>, noise: &[f64]) -> Result<Vec<f64>> {
        let functions: Vec<Vec<f64>> =
            self.functions.iter().map(|function| function.at(causes.parents)).collect::<Result<_>>()?;
        let weight = |level: usize, row: usize| {
            let moved = functions.get(level).map_or(0.0, |values| self.strength * values[row]);
            (self.shares[level] + moved).exp()
        };
        let level = |(row, &u): (usize, &f64)| {
            let weights: Vec<f64> = (0..self.shares.len()).map(|level| weight(level, row)).collect();
            passed(&weights, u) as f64
        };
        Ok(noise.iter().enumerate().map(level).collect())
    }
}

/// The place at which the sum of the weights passes a share of all.
fn passed(weights: &[f64], share: f64) -> usize {
    let aim = share * weights.iter().sum::<f64>();
    let mut sum = 0.0;
    let place = weights.iter().position(|weight| {
        sum += weight;
        sum > aim
    });
    // Rounding may leave the sum a little short.
    place.unwrap_or(weights.len() - 1)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_noise_picks_levels_by_their_weights() {
        let picked = |u| super::passed(&[1.0, 2.0, 1.0], u);
        assert_eq!([0.1, 0.26, 0.74, 0.76, 1.0].map(picked), [0, 1, 1, 2, 2]);
    }
}
