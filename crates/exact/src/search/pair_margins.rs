//! How much speaks for each pair's order.

use rayon::prelude::*;

use super::prefix_table::{PrefixTable, Split, bits};
use super::problem::Problem;
use super::tied_orders::tolerance;

/// For each pair of nodes, what it would cost to turn it.
#[derive(Clone, Debug, PartialEq)]
pub struct PairMargins {
    d: usize,
    margin: Vec<f64>,
}

impl PairMargins {
    /// How much more than the cheapest order the cheapest one with `b` before `a` costs: what speaks for `a` before
    /// `b`. Zero if a cheapest order has `b` before `a`, infinite if none that is allowed has.
    pub fn margin(&self, a: usize, b: usize) -> f64 {
        self.margin[a * self.d + b]
    }

    /// The pairs (a, b), a < b, that stand one way in some cheapest order and the other way in an order that costs less
    /// than `threshold` more.
    pub fn undecided(&self, threshold: f64) -> Vec<(usize, usize)> {
        let pairs = (0..self.d).flat_map(|a| (a + 1..self.d).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| self.margin(a, b).max(self.margin(b, a)) < threshold).collect()
    }

    /// The margins of a problem that has an order of finite cost.
    ///
    /// An order with b before a has a prefix with b and without a, and each such prefix makes such an order. So the
    /// cheapest of them costs the minimum, over sets with b and without a, of the cheapest head plus the cheapest tail.
    pub(super) fn new(problem: &Problem, heads: &PrefixTable) -> Self {
        let (d, split) = (problem.len(), problem.split());
        let tails = problem.cheapest_tails();
        let minima = (0..split.blocks())
            .into_par_iter()
            .map(|high| {
                let through = heads.block(high).iter().zip(tails.block(high)).map(|(head, tail)| head + tail);
                Minima::of_block(split, high, through.collect())
            })
            .reduce(|| Minima::none(d), Minima::join);
        let (best, rounding) = (heads.get(problem.all()), tolerance(problem, heads));
        let excess = |cost: f64| if cost - best <= rounding { 0.0 } else { cost - best };
        let mut margin: Vec<f64> = minima.with_without.iter().map(|&cost| excess(cost)).collect();
        (0..d).for_each(|node| margin[node * d + node] = 0.0);
        Self { d, margin }
    }
}

/// `with_without[a * d + b]`: the least number of a set that has `b` and has not `a`.
struct Minima {
    d: usize,
    with_without: Vec<f64>,
}

impl Minima {
    fn none(d: usize) -> Self {
        Self { d, with_without: vec![f64::INFINITY; d * d] }
    }

    fn lower(&mut self, without: usize, with: usize, to: f64) {
        let entry = &mut self.with_without[without * self.d + with];
        *entry = entry.min(to);
    }

    /// Takes the smaller of each; the same in any order.
    fn join(mut self, other: Self) -> Self {
        for (mine, theirs) in self.with_without.iter_mut().zip(other.with_without) {
            *mine = mine.min(theirs);
        }
        self
    }

    /// The minima over the sets of one block. Low nodes are folded away one after the other, each leaving half as many
    /// numbers, so that all pairs together cost little more than one pass.
    fn of_block(split: Split, high: usize, mut numbers: Vec<f64>) -> Self {
        let mut minima = Self::none(split.low + split.high);
        let (inside, outside) = (high, !high & (split.blocks() - 1));
        for node in (0..split.low).rev() {
            let (without, with) = numbers.split_at(1 << node);
            let (least_without, least_with) = (least(without), least(with));
            for bit in bits(inside) {
                minima.lower(node, split.low + bit, least_without);
            }
            for bit in bits(outside) {
                minima.lower(split.low + bit, node, least_with);
            }
            let below = least_by_node(without.to_vec()).into_iter().zip(least_by_node(with.to_vec()));
            for (other, ([_, only_other], [only_node, _])) in below.enumerate() {
                minima.lower(node, other, only_other);
                minima.lower(other, node, only_node);
            }
            fold(&mut numbers);
        }
        for without in bits(outside) {
            for with in bits(inside) {
                minima.lower(split.low + without, split.low + with, numbers[0]);
            }
        }
        minima
    }
}

/// For each node, the least number of a set without it and of one with it.
fn least_by_node(mut numbers: Vec<f64>) -> Vec<[f64; 2]> {
    let nodes = numbers.len().trailing_zeros() as usize;
    let mut found = vec![[f64::INFINITY; 2]; nodes];
    for node in (0..nodes).rev() {
        let (without, with) = numbers.split_at(1 << node);
        found[node] = [least(without), least(with)];
        fold(&mut numbers);
    }
    found
}

/// Folds the last node away: what is left is the smaller number of each set without it and the same set with it.
fn fold(numbers: &mut Vec<f64>) {
    let half = numbers.len() / 2;
    let (without, with) = numbers.split_at_mut(half);
    without.iter_mut().zip(with).for_each(|(without, with)| *without = without.min(*with));
    numbers.truncate(half);
}

fn least(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}
