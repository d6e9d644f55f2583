//! A Markov chain over orders, for more nodes than can be summed over.

use oslow_core::{Dag, Edge, Ordering, Precedence, Rng};
use rand::RngExt;

use super::order_sum::{PairSums, draw_parents, edge_shares, set_shares};
use super::step::Step;
use crate::ParentCosts;

/// Orders in proportion to what they weigh, exp(−cost), one after the other: a node is moved to another place, and the move is kept with the probability of
/// Metropolis and Hastings.
pub(crate) struct OrderChain<'a> {
    costs: &'a [ParentCosts],
    precedence: &'a Precedence,
    steps: Vec<Step>,
    nodes: Vec<usize>,
    position: Vec<usize>,
    /// By node, those that have it among their candidates.
    followers: Vec<Vec<usize>>,
}

impl<'a> OrderChain<'a> {
    /// Starts at an order that is allowed.
    pub fn new(costs: &'a [ParentCosts], precedence: &'a Precedence, start: &Ordering) -> Self {
        let steps = costs.iter().map(Step::of_any_set).collect();
        let mut followers = vec![Vec::new(); costs.len()];
        for (node, table) in costs.iter().enumerate() {
            table.candidates().iter().for_each(|&candidate| followers[candidate].push(node));
        }
        let (nodes, position) = (start.nodes().to_vec(), start.positions());
        Self { costs, precedence, steps, nodes, position, followers }
    }

    /// Tries so many moves.
    pub fn walk(&mut self, moves: usize, rng: &mut Rng) {
        let d = self.nodes.len();
        for _ in 0..moves {
            let (from, to) = (rng.random_range(0..d), rng.random_range(0..d));
            // Half of the moves are short: they are kept more often.
            let to = if rng.random::<bool>() { to } else { (from + 1).min(d - 1) };
            if from != to && self.is_allowed(from, to) && rng.random::<f64>() < (-self.change(from, to)).exp()
            {
                self.shift(from, to);
            }
        }
    }

    fn shift(&mut self, from: usize, to: usize) {
        if from < to {
            self.nodes[from..=to].rotate_left(1);
        } else {
            self.nodes[to..=from].rotate_right(1);
        }
        for place in from.min(to)..=from.max(to) {
            self.position[self.nodes[place]] = place;
        }
    }

    /// Whether the node at a place may go to another one.
    fn is_allowed(&self, from: usize, to: usize) -> bool {
        let node = self.nodes[from];
        if from < to {
            !self.nodes[from + 1..=to].iter().any(|&passed| self.precedence.requires(node, passed))
        } else {
            !self.nodes[to..from].iter().any(|&passed| self.precedence.requires(passed, node))
        }
    }

    /// By how much the order gets dearer when the node at a place goes to another one: only it and those that it passes and that could have it as a parent
    /// change their costs.
    fn change(&self, from: usize, to: usize) -> f64 {
        let node = self.nodes[from];
        let cost = |node: usize, before: u32| self.steps[node].costs()[before as usize];
        let moved = self.costs[node].mask(|other| {
            let place = self.position[other];
            if from < to { place <= to } else { place < to }
        });
        let passed =
            |place: usize| if from < to { from < place && place <= to } else { to <= place && place < from };
        let others = self.followers[node].iter().filter(|&&other| passed(self.position[other]));
        let of_other = |&other: &usize| {
            let before = self.before(other);
            cost(other, before ^ self.steps[other].bit(node)) - cost(other, before)
        };
        cost(node, moved) - cost(node, self.before(node)) + others.map(of_other).sum::<f64>()
    }

    fn before(&self, node: usize) -> u32 {
        self.costs[node].mask(|other| self.position[other] < self.position[node])
    }

    /// The probabilities of edges, given the present order.
    pub fn pairs(&self) -> PairSums {
        let d = self.nodes.len();
        let mut sums =
            PairSums { edge: vec![0.0; d * d], before: vec![0.0; d * d], sets: Vec::with_capacity(d) };
        for (node, (costs, step)) in self.costs.iter().zip(&self.steps).enumerate() {
            let before = self.before(node) as usize;
            let mut shares = vec![0.0; costs.costs().len()];
            shares[before] = 1.0;
            sums.sets.push(set_shares(costs, step, &shares));
            let edges = edge_shares(costs, step, [(before, 1.0)].into_iter());
            edges.for_each(|(parent, share)| sums.edge[parent * d + node] = share);
            for &earlier in &self.nodes[..self.position[node]] {
                sums.before[earlier * d + node] = 1.0;
            }
        }
        sums
    }

    /// A graph along the present order, with its probability.
    pub fn draw(&self, rng: &mut Rng) -> Dag {
        let edges: Vec<Edge> = (0..self.nodes.len())
            .flat_map(|node| {
                let parents = draw_parents(&self.costs[node], &self.steps[node], self.before(node), rng);
                parents.into_iter().map(move |parent| (parent, node))
            })
            .collect();
        Dag::new(self.nodes.len(), &edges).expect("edges along an order make no cycle")
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Drawn, NEAR, drawn};
    use super::*;
    use oslow_core::Seed;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_move_changes_what_all_nodes_together_cost(drawn in drawn(2..=9), moved in 0..81usize, seed: u64) {
            let case = Drawn { excluded: 0.0, ..drawn }.case(seed);
            let start = Ordering::random(drawn.d, &mut Seed(seed).stream("start"));
            let start = case.precedence.project(&start);
            let mut chain = OrderChain::new(&case.costs, &case.precedence, &start);
            let (from, to) = (moved / 9 % drawn.d, moved % drawn.d);
            let total = |chain: &OrderChain<'_>| -> f64 {
                (0..drawn.d).map(|node| chain.steps[node].costs()[chain.before(node) as usize]).sum()
            };
            let (before, change, allowed) = (total(&chain), chain.change(from, to), chain.is_allowed(from, to));
            chain.shift(from, to);
            let order = Ordering::new(chain.nodes.clone()).unwrap();
            prop_assert_eq!(allowed, case.precedence.admits(&order));
            prop_assert!((total(&chain) - before - change).abs() < NEAR);
        }
    }
}
