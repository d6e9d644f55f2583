//! The orders that are equally cheap: how many there are, and one of them.

use oslow_core::{Ordering, Rng};
use rand::RngExt;

use super::prefix_table::{PrefixTable, Way, bits};
use super::problem::Problem;

/// Costs that differ by less than this share of the sum of the costs in play differ by rounding.
pub(super) const ROUNDING: f64 = 1e-11;

/// Up to this number f64 counts exactly.
const COUNTED: f64 = 9_007_199_254_740_992.0;

/// All cheapest orders of a problem.
///
/// An order is cheapest if each of its prefixes is the cheapest way to order the nodes in it, so the cheapest orders
/// are the paths from the empty to the full set along steps that lose nothing. `ways` counts the paths from a set to
/// the full one; drawing each next node in proportion to them makes every order equally likely.
pub(super) struct TiedOrders<'a> {
    problem: &'a Problem,
    heads: &'a PrefixTable,
    ways: PrefixTable,
    tolerance: f64,
}

impl<'a> TiedOrders<'a> {
    /// The cheapest orders, from the cheapest heads. There must be an order of finite cost.
    pub fn new(problem: &'a Problem, heads: &'a PrefixTable) -> Self {
        let tolerance = tolerance(problem, heads);
        let ways = PrefixTable::sweep(problem.split(), Way::Down, |ways, high| {
            ways_of_block(problem, heads, tolerance, ways, high)
        });
        Self { problem, heads, ways, tolerance }
    }

    /// How many there are, where that can be said exactly.
    pub fn count(&self) -> Option<usize> {
        let count = self.ways.get(0);
        (count <= COUNTED).then_some(count as usize)
    }

    /// One of them, each with the same probability.
    pub fn draw(&self, rng: &mut Rng) -> Ordering {
        let mut set = 0;
        let nodes = (0..self.problem.len()).map(|_| {
            let next = self.draw_next(set, rng);
            set |= 1 << next;
            next
        });
        Ordering::new(nodes.collect()).expect("every node was taken once")
    }

    fn draw_next(&self, set: usize, rng: &mut Rng) -> usize {
        let tied = |&node: &usize| {
            let cost = self.heads.get(set) + self.problem.cost(node, set);
            cost <= self.heads.get(set | 1 << node) + self.tolerance
        };
        let ways = |node: usize| self.ways.get(set | 1 << node);
        let next: Vec<usize> =
            bits(self.problem.all() & !set).filter(|&node| ways(node) > 0.0).filter(tied).collect();
        let mut left = rng.random::<f64>() * next.iter().map(|&node| ways(node)).sum::<f64>();
        for &node in &next {
            left -= ways(node);
            if left < 0.0 {
                return node;
            }
        }
        // Only rounding leads here.
        next[next.len() - 1]
    }
}

/// Differences of costs up to this are rounding. On a cheapest order the absolute costs of the nodes sum to at most
/// twice those of the unconstrained ones plus that of the order.
pub(super) fn tolerance(problem: &Problem, heads: &PrefixTable) -> f64 {
    ROUNDING * (2.0 * problem.magnitude() + heads.get(problem.all()).abs())
}

/// The number of cheapest paths from the sets of a block to the full set. The block is empty if there are none, as is
/// the case for most.
fn ways_of_block(
    problem: &Problem,
    heads: &PrefixTable,
    tolerance: f64,
    ways: &PrefixTable,
    high: usize,
) -> Vec<f64> {
    let split = problem.split();
    let (here, last) = (heads.block(high), split.block_len() - 1);
    let mut count = vec![0.0; split.block_len()];
    if high == split.blocks() - 1 {
        count[last] = 1.0;
    }
    for bit in bits(!high & (split.blocks() - 1)) {
        let with = high | 1 << bit;
        let (after, there) = (problem.after(split.low + bit, high), heads.block(with));
        for (low, &ways) in ways.block(with).iter().enumerate().filter(|(_, ways)| **ways > 0.0) {
            if here[low] + after.cost(low) <= there[low] + tolerance {
                count[low] += ways;
            }
        }
    }
    if count.iter().all(|&ways| ways == 0.0) {
        return Vec::new();
    }
    let after = problem.low_after(high);
    for low in (0..=last).rev() {
        for bit in bits(!low & last) {
            let with = low | 1 << bit;
            if count[with] > 0.0 && here[low] + after[bit].cost(low) <= here[with] + tolerance {
                count[low] += count[with];
            }
        }
    }
    count
}
