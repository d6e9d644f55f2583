//! One local search: an order that gets cheaper by insertions and windows.

use std::ops::Range;

use oslow_core::{Ordering, Precedence, Rng};
use rand::RngExt;
use rand::seq::SliceRandom;

use super::problem::Problem;
use super::step::Step;
use super::tied_orders::TiedOrders;
use super::total::Total;

/// Windows begin this share of their length apart.
const OVERLAP: usize = 2;

/// What all climbs share.
pub(super) struct Slope<'a> {
    /// What each node costs after others.
    pub steps: &'a [Step],
    /// What must come before what.
    pub precedence: &'a Precedence,
    /// The nodes of a window.
    pub window: usize,
    /// Costs that differ by less are equal.
    pub tolerance: f64,
    neighbours: Vec<Vec<Neighbour>>,
}

/// A node whose place beside another one matters.
#[derive(Clone, Copy)]
struct Neighbour {
    node: usize,
    /// Its bit in the masks of the other, and that of the other in its own; 0 where its place does not matter.
    bits: [u32; 2],
    /// Whether the two may not change places.
    fixed: bool,
}

impl<'a> Slope<'a> {
    /// The circumstances of a search, with no tolerance yet.
    pub fn new(steps: &'a [Step], precedence: &'a Precedence, window: usize) -> Self {
        let d = steps.len();
        let mut bits = vec![0; d * d];
        for (node, step) in steps.iter().enumerate() {
            step.candidates().iter().for_each(|&other| bits[node * d + other] = step.bit(other));
        }
        let fixed = |a: usize, b: usize| precedence.requires(a, b) || precedence.requires(b, a);
        let neighbour = |node: usize, other: usize| Neighbour {
            node: other,
            bits: [bits[node * d + other], bits[other * d + node]],
            fixed: fixed(node, other),
        };
        let neighbours = |node: usize| {
            let all = (0..d).filter(|&other| other != node).map(|other| neighbour(node, other));
            all.filter(|neighbour| neighbour.fixed || neighbour.bits != [0, 0]).collect()
        };
        let neighbours = (0..d).map(neighbours).collect();
        Self { steps, precedence, window, tolerance: 0.0, neighbours }
    }

    fn cost(&self, node: usize, mask: u32) -> f64 {
        self.steps[node].costs()[mask as usize]
    }
}

/// An order under way.
pub(super) struct Climb {
    nodes: Vec<usize>,
    /// Where each node stands.
    places: Vec<usize>,
    /// For each node, the mask of its candidates that stand before it.
    masks: Vec<u32>,
    rng: Rng,
    best: (Total, Ordering),
    idle: usize,
}

impl Climb {
    /// Starts at an allowed order.
    pub fn new(slope: &Slope<'_>, start: Ordering, rng: Rng) -> Self {
        let (nodes, places) = (start.nodes().to_vec(), start.positions());
        let masks = vec![0; nodes.len()];
        let mut climb = Self { nodes, places, masks, rng, best: (Total::default(), start), idle: 0 };
        (0..climb.nodes.len()).for_each(|node| climb.look_back(slope, node));
        climb.best.0 = climb.total(slope);
        climb
    }

    /// The cheapest order so far, and its cost.
    pub fn best(&self) -> (Total, &Ordering) {
        (self.best.0, &self.best.1)
    }

    /// How many rounds in a row have not made it cheaper.
    pub fn idle(&self) -> usize {
        self.idle
    }

    /// Moves each node to its best place, brings neighbours together, then orders each window in the best way. Of equally good ones, the present
    /// one among them, one is drawn: most of a plateau is only reached by moves that gain nothing.
    pub fn round(&mut self, slope: &Slope<'_>) {
        let mut nodes = self.nodes.clone();
        nodes.shuffle(&mut self.rng);
        nodes.into_iter().for_each(|node| self.insert(slope, node));
        self.gather(slope);
        let width = slope.window.min(self.nodes.len());
        let last = self.nodes.len() - width;
        for start in (0..last).step_by(width.div_ceil(OVERLAP)).chain([last]) {
            self.order_window(slope, start..start + width);
        }
        let total = self.total(slope);
        self.idle = if total.beats(self.best.0, slope.tolerance) { 0 } else { self.idle + 1 };
        if total.beats(self.best.0, 0.0) {
            self.best =
                (total, Ordering::new(self.nodes.clone()).expect("moves keep every node exactly once"));
        }
    }

    /// Takes a node out and puts it where the order gets cheapest. Moving past a neighbour changes at most the costs of
    /// the two, and moving past any other node none.
    fn insert(&mut self, slope: &Slope<'_>, node: usize) {
        let from = self.places[node];
        let mut near = slope.neighbours[node].clone();
        near.sort_by_key(|neighbour| self.places[neighbour.node]);
        let (before, after) = near.split_at(near.partition_point(|one| self.places[one.node] < from));
        let place = |one: &Neighbour| self.places[one.node];
        let first_after = |near: &[Neighbour]| near.last().map_or(0, |one| place(one) + 1);
        let up_to = |near: &[Neighbour]| near.first().map_or(self.nodes.len(), place);
        let mut open = vec![(first_after(before)..up_to(after), Total::default())];
        let mut walk = |past: &mut dyn Iterator<Item = (&Neighbour, Range<usize>)>| {
            let (mut change, mut mask) = (Total::default(), self.masks[node]);
            for (other, range) in past.take_while(|(other, _)| !other.fixed) {
                let (moved, seen) = (mask ^ other.bits[0], self.masks[other.node]);
                change.replace(slope.cost(node, mask), slope.cost(node, moved));
                change.replace(slope.cost(other.node, seen), slope.cost(other.node, seen ^ other.bits[1]));
                mask = moved;
                open.push((range, change));
            }
        };
        let later = after.iter().enumerate().map(|(k, one)| (one, place(one)..up_to(&after[k + 1..])));
        walk(&mut { later });
        let earlier = before.iter().enumerate().rev();
        walk(&mut earlier.map(|(k, one)| (one, first_after(&before[..k])..place(one) + 1)));
        let least = open.iter().map(|(_, change)| *change).fold(Total::default(), Total::lesser);
        open.retain(|(_, change)| !least.beats(*change, slope.tolerance));
        let mut drawn = self.rng.random_range(0..open.iter().map(|(range, _)| range.len()).sum());
        for (range, _) in open {
            if drawn < range.len() {
                return self.shift(slope, from, range.start + drawn);
            }
            drawn -= range.len();
        }
    }

    /// Takes a node to another place.
    fn shift(&mut self, slope: &Slope<'_>, from: usize, to: usize) {
        let node = self.nodes[from];
        let passed = if from < to { from + 1..to + 1 } else { to..from };
        for neighbour in &slope.neighbours[node] {
            if passed.contains(&self.places[neighbour.node]) {
                self.masks[node] ^= neighbour.bits[0];
                self.masks[neighbour.node] ^= neighbour.bits[1];
            }
        }
        if from < to {
            self.nodes[from..=to].rotate_left(1);
        } else {
            self.nodes[to..=from].rotate_right(1);
        }
        (from.min(to)..=from.max(to)).for_each(|place| self.places[self.nodes[place]] = place);
    }

    /// Puts each node right after what must stay before it, or right before what must stay after it, so that windows hold neighbours. No two neighbours
    /// change places, so the cost stays the same.
    fn gather(&mut self, slope: &Slope<'_>) {
        let backward = self.rng.random::<bool>();
        let mut nodes = self.nodes.clone();
        nodes.shuffle(&mut self.rng);
        let mut order: Vec<usize> = Vec::with_capacity(nodes.len());
        let mut seen = vec![false; nodes.len()];
        // Depth first: a node follows when all that it needs has followed.
        let mut stack: Vec<(usize, bool)> = nodes.into_iter().map(|node| (node, false)).collect();
        while let Some((node, needs_nothing)) = stack.pop() {
            if needs_nothing {
                order.push(node);
            } else if !std::mem::replace(&mut seen[node], true) {
                stack.push((node, true));
                let needed = |one: &&Neighbour| (self.places[one.node] < self.places[node]) != backward;
                let mut needed: Vec<usize> =
                    slope.neighbours[node].iter().filter(needed).map(|one| one.node).collect();
                needed.shuffle(&mut self.rng);
                stack.extend(needed.into_iter().map(|other| (other, false)));
            }
        }
        if backward {
            order.reverse();
        }
        self.nodes = order;
        (0..self.nodes.len()).for_each(|place| self.places[self.nodes[place]] = place);
    }

    /// Orders the nodes at some positions in the cheapest way, drawn among equally cheap ones. If it leaves one of them
    /// without an allowed set in any case, nothing is changed.
    fn order_window(&mut self, slope: &Slope<'_>, window: Range<usize>) {
        let members = self.nodes[window.clone()].to_vec();
        let before = |other: usize| self.places[other] < window.start;
        let problem = Problem::part(slope.steps, &members, slope.precedence, |other, _| before(other));
        let heads = problem.cheapest_heads();
        if heads.get(problem.all()) < f64::INFINITY {
            let drawn = TiedOrders::new(&problem, &heads).draw(&mut self.rng);
            for (position, &member) in window.zip(drawn.nodes()) {
                self.nodes[position] = members[member];
                self.places[members[member]] = position;
            }
            members.into_iter().for_each(|node| self.look_back(slope, node));
        }
    }

    /// Sets the mask of a node.
    fn look_back(&mut self, slope: &Slope<'_>, node: usize) {
        let before = |one: &&Neighbour| self.places[one.node] < self.places[node];
        self.masks[node] =
            slope.neighbours[node].iter().filter(before).fold(0, |mask, one| mask | one.bits[0]);
    }

    /// The cost of the order.
    fn total(&self, slope: &Slope<'_>) -> Total {
        let mut total = Total::default();
        (0..self.nodes.len()).for_each(|node| total.add(slope.cost(node, self.masks[node])));
        total
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::enumeration::orders;
    use super::super::tests::{Case, Drawn, NEAR, drawn};
    use super::*;
    use crate::best_dag;
    use oslow_core::Seed;
    use proptest::prelude::*;

    fn cost(case: &Case, order: &Ordering) -> f64 {
        best_dag(&case.costs, order).map_or(f64::INFINITY, |(_, cost)| cost)
    }

    /// A climb at a random order, and what else the order could be.
    fn check(
        drawn: Drawn,
        seed: u64,
        change: impl Fn(&mut Climb, &Slope<'_>),
        neighbours: impl Fn(&Ordering) -> Vec<Ordering>,
    ) {
        let case = drawn.case(seed);
        let steps: Vec<Step> = case.costs.iter().map(Step::new).collect();
        let slope = Slope { tolerance: NEAR, ..Slope::new(&steps, &case.precedence, 4) };
        let start = case.precedence.project(&Ordering::random(drawn.d, &mut Seed(seed).stream("start")));
        let mut climb = Climb::new(&slope, start.clone(), Seed(seed).stream("moves"));
        assert!(
            (climb.total(&slope).value() - cost(&case, &start)).abs() < NEAR
                || cost(&case, &start) == f64::INFINITY
        );
        change(&mut climb, &slope);
        let order = Ordering::new(climb.nodes.clone()).unwrap();
        let allowed = neighbours(&start).into_iter().filter(|order| case.precedence.admits(order));
        let best = allowed.map(|order| cost(&case, &order)).fold(f64::INFINITY, f64::min);
        assert!(case.precedence.admits(&order));
        for total in [climb.total(&slope).value(), cost(&case, &order)] {
            assert!(total == best || (total - best).abs() < NEAR, "{total} {best}");
        }
    }

    proptest! {
        #[test]
        fn an_insertion_finds_the_best_place(drawn in drawn(2..=9), node in 0..9usize, seed: u64) {
            let node = node % drawn.d;
            check(drawn, seed, |climb, slope| climb.insert(slope, node), |start| {
                let from = start.positions()[node];
                (0..drawn.d).map(|to| start.insertion(from, to)).collect()
            });
        }

        #[test]
        fn neighbours_come_together_at_no_cost(drawn in drawn(2..=9), seed: u64) {
            let case = drawn.case(seed);
            let steps: Vec<Step> = case.costs.iter().map(Step::new).collect();
            let slope = Slope::new(&steps, &case.precedence, 4);
            let start = Ordering::random(drawn.d, &mut Seed(seed).stream("start"));
            let mut climb = Climb::new(&slope, case.precedence.project(&start), Seed(seed).stream("moves"));
            let masks = climb.masks.clone();
            climb.gather(&slope);
            let order = Ordering::new(climb.nodes.clone()).unwrap();
            prop_assert!(case.precedence.admits(&order));
            prop_assert_eq!(&climb.places, &order.positions());
            (0..drawn.d).for_each(|node| climb.look_back(&slope, node));
            prop_assert_eq!(climb.masks, masks);
        }

        #[test]
        fn a_window_gets_the_best_order(drawn in drawn(5..=9), start in 0..5usize, seed: u64) {
            let first = start % (drawn.d - 4);
            check(drawn, seed, |climb, slope| climb.order_window(slope, first..first + 5), |start| {
                let reordered = |order: Ordering| {
                    let mut nodes = start.nodes().to_vec();
                    for (k, &member) in order.nodes().iter().enumerate() {
                        nodes[first + k] = start.nodes()[first + member];
                    }
                    Ordering::new(nodes).unwrap()
                };
                orders(5).into_iter().map(reordered).collect()
            });
        }
    }
}
