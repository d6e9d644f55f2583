//! One local search: an order that gets cheaper by insertions and windows.

use oslow_core::{Ordering, Precedence, Rng};
use rand::seq::{IndexedRandom, SliceRandom};

use super::problem::Problem;
use super::step::Step;
use super::tied_orders::TiedOrders;
use super::total::Total;

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
    bits: Vec<u32>,
}

impl<'a> Slope<'a> {
    /// The circumstances of a search, with no tolerance yet.
    pub fn new(steps: &'a [Step], precedence: &'a Precedence, window: usize) -> Self {
        let d = steps.len();
        let bits = (0..d * d).map(|k| steps[k / d].bit(k % d)).collect();
        Self { steps, precedence, window, tolerance: 0.0, bits }
    }

    /// The bit of `other` in the masks of `node`; 0 where its place does not matter.
    fn bit(&self, node: usize, other: usize) -> u32 {
        self.bits[node * self.steps.len() + other]
    }

    fn cost(&self, node: usize, mask: u32) -> f64 {
        self.steps[node].costs()[mask as usize]
    }
}

/// An order under way.
pub(super) struct Climb {
    nodes: Vec<usize>,
    /// For each node, the mask of its candidates that stand before it.
    masks: Vec<u32>,
    rng: Rng,
    best: (Total, Ordering),
    idle: usize,
}

impl Climb {
    /// Starts at an allowed order.
    pub fn new(slope: &Slope<'_>, start: Ordering, rng: Rng) -> Self {
        let nodes = start.nodes().to_vec();
        let mut climb =
            Self { masks: vec![0; nodes.len()], nodes, rng, best: (Total::default(), start), idle: 0 };
        (0..climb.nodes.len()).for_each(|position| climb.look_back(slope, position));
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

    /// Moves each node to its best place, then orders each window in the best way. Of equally good ones, the present
    /// one among them, one is drawn: most of a plateau is only reached by moves that gain nothing.
    pub fn round(&mut self, slope: &Slope<'_>) {
        let mut nodes = self.nodes.clone();
        nodes.shuffle(&mut self.rng);
        nodes.into_iter().for_each(|node| self.insert(slope, node));
        let width = slope.window.min(self.nodes.len());
        for start in 0..=self.nodes.len() - width {
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
    /// the two.
    fn insert(&mut self, slope: &Slope<'_>, node: usize) {
        let Some(from) = self.nodes.iter().position(|&other| other == node) else { return };
        let mut places = vec![(from, Total::default())];
        let mut walk = |past: &mut dyn Iterator<Item = usize>, forward: bool| {
            let (mut change, mut mask) = (Total::default(), self.masks[node]);
            for place in past {
                let other = self.nodes[place];
                let (first, second) = if forward { (node, other) } else { (other, node) };
                if slope.precedence.requires(first, second) {
                    break;
                }
                let (moved, passed) =
                    (mask ^ slope.bit(node, other), self.masks[other] ^ slope.bit(other, node));
                change.replace(slope.cost(node, mask), slope.cost(node, moved));
                change.replace(slope.cost(other, self.masks[other]), slope.cost(other, passed));
                mask = moved;
                places.push((place, change));
            }
        };
        walk(&mut (from + 1..self.nodes.len()), true);
        walk(&mut (0..from).rev(), false);
        let least = places.iter().map(|place| place.1).fold(Total::default(), Total::lesser);
        places.retain(|place| !least.beats(place.1, slope.tolerance));
        let Some(&(to, _)) = places.choose(&mut self.rng) else { return };
        self.nodes.remove(from);
        self.nodes.insert(to, node);
        (from.min(to)..=from.max(to)).for_each(|position| self.look_back(slope, position));
    }

    /// Orders the nodes at some positions in the cheapest way, drawn among equally cheap ones. If it leaves one of them
    /// without an allowed set in any case, nothing is changed.
    fn order_window(&mut self, slope: &Slope<'_>, window: std::ops::Range<usize>) {
        let members = self.nodes[window.clone()].to_vec();
        let before = &self.nodes[..window.start];
        let problem =
            Problem::part(slope.steps, &members, slope.precedence, |other, _| before.contains(&other));
        let heads = problem.cheapest_heads();
        if heads.get(problem.all()) < f64::INFINITY {
            let drawn = TiedOrders::new(&problem, &heads).draw(&mut self.rng);
            for (position, &member) in window.clone().zip(drawn.nodes()) {
                self.nodes[position] = members[member];
            }
            window.for_each(|position| self.look_back(slope, position));
        }
    }

    /// Sets the mask of the node at a position.
    fn look_back(&mut self, slope: &Slope<'_>, position: usize) {
        let node = self.nodes[position];
        self.masks[node] =
            self.nodes[..position].iter().fold(0, |mask, &other| mask | slope.bit(node, other));
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
