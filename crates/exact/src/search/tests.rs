//! The searches against enumeration, on random costs.

mod component;
pub(super) mod enumeration;
mod exact;
mod local;
mod sum;

use std::ops::RangeInclusive;

use crate::ParentCosts;
use oslow_core::{Precedence, Seed};
use proptest::prelude::*;
use rand::RngExt;
use rand::seq::SliceRandom;

/// More than rounding.
pub(super) const NEAR: f64 = 1e-9;

/// A problem to search.
#[derive(Debug)]
pub(super) struct Case {
    pub costs: Vec<ParentCosts>,
    pub precedence: Precedence,
}

/// How random costs are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawn {
    /// The number of nodes.
    pub d: usize,
    /// The most candidates of a node; the number is drawn below it.
    pub candidates: usize,
    /// The probability that a set is excluded.
    pub excluded: f64,
    /// The probability that a pair is ordered beforehand.
    pub ordered: f64,
    /// Whether costs are small integers, so that many orders tie.
    pub integers: bool,
}

/// Ways to draw problems with this many nodes.
pub(super) fn drawn(d: RangeInclusive<usize>) -> impl Strategy<Value = Drawn> {
    (d, 0..7usize, 0.0..0.3f64, 0.0..0.3f64, any::<bool>()).prop_map(
        |(d, candidates, excluded, ordered, integers)| Drawn {
            d,
            candidates: candidates.min(d - 1),
            excluded: if excluded < 0.1 { 0.0 } else { excluded },
            ordered: if ordered < 0.1 { 0.0 } else { ordered },
            integers,
        },
    )
}

impl Drawn {
    pub fn case(self, seed: u64) -> Case {
        let rng = &mut Seed(seed).stream("case");
        let costs = (0..self.d).map(|node| self.node(node, rng)).collect();
        let mut nodes: Vec<usize> = (0..self.d).collect();
        nodes.shuffle(rng);
        let mut relation = vec![false; self.d * self.d];
        for a in 0..self.d {
            for b in a + 1..self.d {
                relation[nodes[a] * self.d + nodes[b]] = rng.random_bool(self.ordered);
            }
        }
        Case { costs, precedence: Precedence::from_relation(self.d, relation) }
    }

    fn node(self, node: usize, rng: &mut oslow_core::Rng) -> ParentCosts {
        let mut candidates: Vec<usize> = (0..self.d).filter(|&other| other != node).collect();
        candidates.shuffle(rng);
        candidates.truncate(rng.random_range(0..=self.candidates));
        let cost = (0..1usize << candidates.len()).map(|mask| {
            if rng.random_bool(self.excluded) {
                f64::INFINITY
            } else if self.integers {
                // A tenth is no binary fraction: sums of equal costs in another order differ by rounding.
                f64::from(rng.random_range(-3..3)) / 10.0
            } else {
                0.2 * f64::from(mask.count_ones()) + rng.random_range(-1.0..1.0)
            }
        });
        let cost = cost.collect();
        ParentCosts::new(candidates, cost)
    }
}
