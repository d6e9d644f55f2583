//! The problem of ordering a few nodes, laid out for a pass over all their sets.

use oslow_core::Precedence;

use super::prefix_table::{PrefixTable, Split, Way, bits};
use super::step::{Step, spread};

/// What each node costs after each set of others, and which sets can stand at the head of an order.
///
/// A set of nodes is an integer. What a node costs after it depends on its candidates in the set alone; their mask is
/// put together from two small tables, one for the low half of the set and one for the high half.
#[derive(Debug)]
pub(super) struct Problem {
    split: Split,
    nodes: Vec<Node>,
    /// The nodes that must come before some node of the low half, and of the high half.
    needed: [Vec<u32>; 2],
}

/// The cost of one node after any set.
#[derive(Debug)]
struct Node {
    step: Step,
    /// The candidates' mask in the low half of a set, and in the high half.
    local: [Vec<u32>; 2],
}

impl Problem {
    /// The problem of these nodes; `requires(a, b)` says that `a` must come before `b`, transitively.
    pub fn new(steps: Vec<Step>, requires: impl Fn(usize, usize) -> bool) -> Self {
        let d = steps.len();
        let split = Split::new(d);
        let halves = |word: &dyn Fn(usize) -> u32| {
            let words: Vec<u32> = (0..d).map(word).collect();
            [spread(0, &words[..split.low]), spread(0, &words[split.low..])]
        };
        let needed = halves(&|b| (0..d).filter(|&a| requires(a, b)).map(|a| 1 << a).sum());
        let node = |step: Step| Node { local: halves(&|other| step.bit(other)), step };
        Self { split, needed, nodes: steps.into_iter().map(node).collect() }
    }

    /// The problem of some of the nodes. The others stand before a member where they are `given` for it.
    pub fn part(
        steps: &[Step],
        members: &[usize],
        precedence: &Precedence,
        given: impl Fn(usize, usize) -> bool,
    ) -> Self {
        let steps =
            members.iter().map(|&node| steps[node].among(members, |other| given(other, node))).collect();
        Self::new(steps, |a, b| precedence.requires(members[a], members[b]))
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How sets are split.
    pub fn split(&self) -> Split {
        self.split
    }

    /// The set of all nodes.
    pub fn all(&self) -> usize {
        (1 << self.len()) - 1
    }

    /// What a node costs after a set.
    pub fn cost(&self, node: usize, set: usize) -> f64 {
        let (high, low) = self.split.place(set);
        self.after(node, high).cost(low)
    }

    /// What a node costs after the sets of a block.
    pub fn after(&self, node: usize, high: usize) -> After<'_> {
        let node = &self.nodes[node];
        After { costs: node.step.costs(), low: &node.local[0], high: node.local[1][high] }
    }

    /// What the nodes of the low half cost after the sets of a block.
    pub fn low_after(&self, high: usize) -> Vec<After<'_>> {
        (0..self.split.low).map(|node| self.after(node, high)).collect()
    }

    /// Whether the precedence lets the nodes of a set come before all others.
    pub fn may_lead(&self, high: usize, low: usize) -> bool {
        let set = (high << self.split.low | low) as u32;
        (self.needed[0][low] | self.needed[1][high]) & !set == 0
    }

    /// The sum over nodes of the absolute cost when all others stand before.
    pub fn magnitude(&self) -> f64 {
        self.nodes.iter().map(|node| node.step.least().abs()).sum()
    }

    /// For each set, the cheapest way to order its nodes: best(S) = min over j of best(S∖j) + cost(j after S∖j).
    pub fn cheapest_heads(&self) -> PrefixTable {
        self.heads(least)
    }

    /// For each set, all ways to order its nodes, their costs joined: with the minimum, or with one that is soft.
    pub fn heads(&self, join: impl Fn(&[f64]) -> f64 + Sync) -> PrefixTable {
        PrefixTable::sweep(self.split, Way::Up, |table, high| self.heads_of_block(table, high, &join))
    }

    fn heads_of_block(&self, table: &PrefixTable, high: usize, join: &impl Fn(&[f64]) -> f64) -> Vec<f64> {
        let mut joined = vec![f64::INFINITY; self.split.block_len()];
        let from_others: Vec<(&[f64], After<'_>)> = bits(high)
            .map(|bit| (bit, high ^ (1 << bit)))
            .map(|(bit, without)| (table.block(without), self.after(self.split.low + bit, without)))
            .collect();
        let after = self.low_after(high);
        let mut ways = Vec::with_capacity(self.len());
        for low in 0..joined.len() {
            if high | low == 0 {
                joined[0] = 0.0;
            } else if self.may_lead(high, low) {
                ways.clear();
                ways.extend(from_others.iter().map(|(before, after)| before[low] + after.cost(low)));
                ways.extend(bits(low).map(|bit| {
                    let without = low ^ (1 << bit);
                    joined[without] + after[bit].cost(without)
                }));
                joined[low] = join(&ways);
            }
        }
        joined
    }

    /// For each set, all ways to order the other nodes after it, their costs joined.
    pub fn tails(&self, join: impl Fn(&[f64]) -> f64 + Sync) -> PrefixTable {
        PrefixTable::sweep(self.split, Way::Down, |table, high| self.tails_of_block(table, high, &join))
    }

    fn tails_of_block(&self, table: &PrefixTable, high: usize, join: &impl Fn(&[f64]) -> f64) -> Vec<f64> {
        let mut joined = vec![f64::INFINITY; self.split.block_len()];
        let last = joined.len() - 1;
        let from_others: Vec<(&[f64], After<'_>)> = bits(!high & (self.split.blocks() - 1))
            .map(|bit| (table.block(high | 1 << bit), self.after(self.split.low + bit, high)))
            .collect();
        let after = self.low_after(high);
        let mut ways = Vec::with_capacity(self.len());
        for low in (0..=last).rev() {
            if low == last && from_others.is_empty() {
                joined[last] = 0.0;
            } else if self.may_lead(high, low) {
                ways.clear();
                ways.extend(from_others.iter().map(|(rest, after)| rest[low] + after.cost(low)));
                ways.extend(bits(!low & last).map(|bit| joined[low | 1 << bit] + after[bit].cost(low)));
                joined[low] = join(&ways);
            }
        }
        joined
    }
}

/// The least of some costs.
pub(super) fn least(costs: &[f64]) -> f64 {
    costs.iter().copied().fold(f64::INFINITY, f64::min)
}

/// What one node costs after the sets of one block.
#[derive(Clone, Copy)]
pub(super) struct After<'a> {
    costs: &'a [f64],
    low: &'a [u32],
    high: u32,
}

impl After<'_> {
    /// The cost after the set with this low half.
    #[inline]
    pub fn cost(&self, low: usize) -> f64 {
        self.costs[self.mask(low)]
    }

    /// The mask of the candidates in the set with this low half.
    #[inline]
    pub fn mask(&self, low: usize) -> usize {
        (self.high | self.low[low]) as usize
    }
}
