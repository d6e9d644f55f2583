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
}

impl<'a> OrderChain<'a> {
    /// Starts at an order that is allowed.
    pub fn new(costs: &'a [ParentCosts], precedence: &'a Precedence, start: &Ordering) -> Self {
        let steps = costs.iter().map(Step::of_any_set).collect();
        Self { costs, precedence, steps, nodes: start.nodes().to_vec(), position: start.positions().to_vec() }
    }

    /// Tries so many moves.
    pub fn walk(&mut self, moves: usize, rng: &mut Rng) {
        let d = self.nodes.len();
        for _ in 0..moves {
            let (from, to) = (rng.random_range(0..d), rng.random_range(0..d));
            // Half of the moves are short: they are kept more often.
            let to = if rng.random::<bool>() { to } else { (from + 1).min(d - 1) };
            if from == to {
                continue;
            }
            let (first, last) = (from.min(to), from.max(to));
            let before: f64 = (first..=last).map(|place| self.cost(self.nodes[place])).sum();
            self.shift(from, to);
            let after: f64 = (first..=last).map(|place| self.cost(self.nodes[place])).sum();
            if !self.is_allowed(first, last) || rng.random::<f64>() >= (before - after).exp() {
                self.shift(to, from);
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

    /// Whether the nodes at some places in a row may stand as they do.
    fn is_allowed(&self, first: usize, last: usize) -> bool {
        let moved = &self.nodes[first..=last];
        let turned = |(k, &early): (usize, &usize)| {
            moved[k + 1..].iter().any(|&late| self.precedence.requires(late, early))
        };
        !moved.iter().enumerate().any(turned)
    }

    fn before(&self, node: usize) -> u32 {
        self.costs[node].mask(|other| self.position[other] < self.position[node])
    }

    fn cost(&self, node: usize) -> f64 {
        self.steps[node].costs()[self.before(node) as usize]
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
