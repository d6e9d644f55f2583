//! A weighted graph of pairwise directions, and the order that agrees best with it.

use oslow_core::{Ordering, Precedence, Result, Rng, Seed};
use oslow_exact::ParentCosts;
use rand::seq::{IndexedRandom, SliceRandom};

use oslow_exact::search::ExactSearch;

/// Up to this many nodes all orders are looked at: 2²⁰ sets.
const EXACT_UP_TO: usize = 20;
/// How many random orders are improved above.
const STARTS: u64 = 100;
/// Weights that differ by less than this share of all weight differ by rounding.
const ROUNDING: f64 = 1e-11;

/// Arcs between nodes, with their weights.
pub(super) struct Arcs {
    d: usize,
    /// `weight[from * d + to]`, 0 where there is no arc.
    weight: Vec<f64>,
}

/// The order that agrees best with arcs.
pub(super) struct Agreement {
    pub order: Ordering,
    /// The weight of the arcs that go against it.
    pub against: f64,
    /// How many orders agree as well, this one included, where that is known.
    pub ties: Option<usize>,
}

impl Arcs {
    /// No arcs yet.
    pub fn new(d: usize) -> Self {
        Self { d, weight: vec![0.0; d * d] }
    }

    pub fn add(&mut self, (from, to): (usize, usize), weight: f64) {
        self.weight[from * self.d + to] = weight;
    }

    pub fn weight(&self, from: usize, to: usize) -> f64 {
        self.weight[from * self.d + to]
    }

    /// An order with the least weight of arcs against it (a minimum feedback arc set) among those that are admitted, drawn among equals.
    /// Above 20 nodes one that no move of a single node improves.
    pub fn order(&self, precedence: &Precedence, seed: Seed) -> Result<Agreement> {
        if self.d > EXACT_UP_TO {
            return Ok(self.climbed(precedence, seed));
        }
        let costs: Vec<ParentCosts> = (0..self.d).map(|node| self.rewards(node)).collect();
        let rng = &mut seed.stream("order/bi-lsnm/ties");
        let found = ExactSearch::new(&costs, precedence)?.draw(rng)?;
        Ok(Agreement { against: self.against(&found.order), order: found.order, ties: found.ties })
    }

    /// A node is paid the weight of its arcs from the nodes before it: what is paid most in all turns the least.
    fn rewards(&self, node: usize) -> ParentCosts {
        let before: Vec<usize> = (0..self.d).filter(|&from| self.weight(from, node) > 0.0).collect();
        let mut cost = vec![0.0; 1 << before.len()];
        for mask in 1..cost.len() {
            let lowest = mask.trailing_zeros() as usize;
            cost[mask] = cost[mask & (mask - 1)] - self.weight(before[lowest], node);
        }
        ParentCosts::new(before, cost)
    }

    /// The weight of the arcs against an order.
    fn against(&self, order: &Ordering) -> f64 {
        let nodes = order.nodes();
        let turned = |p: usize| nodes[..p].iter().map(|&early| self.weight(nodes[p], early)).sum::<f64>();
        (0..nodes.len()).map(turned).sum()
    }

    /// The best of many orders that were improved as far as moves of single nodes go.
    fn climbed(&self, precedence: &Precedence, seed: Seed) -> Agreement {
        let climb = |k: u64| {
            let rng = &mut seed.indexed("order/bi-lsnm/start", k);
            let order = self.improved(precedence, Ordering::random(self.d, rng), rng);
            Agreement { against: self.against(&order), order, ties: None }
        };
        let better = |best: Agreement, next: Agreement| if next.against < best.against { next } else { best };
        (1..STARTS).map(climb).fold(climb(0), better)
    }

    /// Puts one node after the other where it turns the least, until that helps no more.
    fn improved(&self, precedence: &Precedence, start: Ordering, rng: &mut Rng) -> Ordering {
        let tolerance = ROUNDING * self.weight.iter().sum::<f64>();
        let mut order = precedence.project(&start);
        let mut turns = order.nodes().to_vec();
        loop {
            turns.shuffle(rng);
            let mut gain = 0.0;
            for &node in &turns {
                let from = order.positions()[node];
                let places = self.places(precedence, &order, from);
                let most = places.iter().map(|place| place.1).fold(0.0, f64::max);
                let best: Vec<usize> =
                    places.iter().filter(|place| place.1 >= most - tolerance).map(|place| place.0).collect();
                order = order.insertion(from, *best.choose(rng).unwrap_or(&from));
                gain += most;
            }
            if gain <= tolerance {
                return order;
            }
        }
    }

    /// The places that the node at `from` may move to, and the weight that it would turn less there.
    fn places(&self, precedence: &Precedence, order: &Ordering, from: usize) -> Vec<(usize, f64)> {
        let nodes = order.nodes();
        let node = nodes[from];
        let mut places = vec![(from, 0.0)];
        let mut gain = 0.0;
        for to in from + 1..nodes.len() {
            if precedence.requires(node, nodes[to]) {
                break;
            }
            gain += self.weight(nodes[to], node) - self.weight(node, nodes[to]);
            places.push((to, gain));
        }
        gain = 0.0;
        for to in (0..from).rev() {
            if precedence.requires(nodes[to], node) {
                break;
            }
            gain += self.weight(node, nodes[to]) - self.weight(nodes[to], node);
            places.push((to, gain));
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Knowledge;
    use proptest::prelude::*;

    fn permutations(d: usize) -> Vec<Ordering> {
        let mut all = vec![Vec::new()];
        for node in 0..d {
            let put = |order: &Vec<usize>| -> Vec<Vec<usize>> {
                (0..=order.len()).map(|p| [&order[..p], &[node], &order[p..]].concat()).collect()
            };
            all = all.iter().flat_map(put).collect();
        }
        all.into_iter().map(|nodes| Ordering::new(nodes).unwrap()).collect()
    }

    /// One arc a pair from a list of weights: negative ones go back, those near 0 are none.
    fn arcs(d: usize, weights: &[f64]) -> Arcs {
        let mut arcs = Arcs::new(d);
        let pairs = (0..d).flat_map(|b| (0..b).map(move |a| (a, b)));
        for ((a, b), &weight) in pairs.zip(weights).filter(|(_, weight)| weight.abs() > 0.2) {
            arcs.add(if weight > 0.0 { (a, b) } else { (b, a) }, weight.abs());
        }
        arcs
    }

    fn known() -> Precedence {
        let columns = ["a", "b", "c", "d", "e"].map(String::from);
        let known = Knowledge::new(&columns, &[vec![4], vec![1, 2]], &[(2, 0)], &[], &[], &[]).unwrap();
        known.precedence().clone()
    }

    proptest! {
        #[test]
        fn no_order_has_less_against_it(weights in prop::collection::vec(-1.0..1.0f64, 10), seed: u64) {
            let arcs = arcs(5, &weights);
            for precedence in [Knowledge::none(5).precedence(), &known()] {
                let least = permutations(5).iter().filter(|order| precedence.admits(order))
                    .map(|order| arcs.against(order)).fold(f64::INFINITY, f64::min);
                for found in [arcs.order(precedence, Seed(seed)).unwrap(), arcs.climbed(precedence, Seed(seed))] {
                    prop_assert!(precedence.admits(&found.order));
                    prop_assert!((found.against - least).abs() < 1e-12, "{} {least}", found.against);
                }
            }
        }
    }

    #[test]
    fn the_lightest_arc_of_a_cycle_is_turned() {
        let mut cycle = Arcs::new(3);
        for (arc, weight) in [((0, 1), 3.0), ((1, 2), 2.0), ((2, 0), 1.0)] {
            cycle.add(arc, weight);
        }
        let found = cycle.order(Knowledge::none(3).precedence(), Seed(0)).unwrap();
        assert_eq!((found.order.nodes(), found.against, found.ties), ([0, 1, 2].as_slice(), 1.0, Some(1)));
    }

    #[test]
    fn without_arcs_every_order_is_drawn() {
        let mut first = [0; 3];
        for seed in 0..300 {
            let found = Arcs::new(3).order(Knowledge::none(3).precedence(), Seed(seed)).unwrap();
            assert_eq!(found.ties, Some(6));
            first[found.order.nodes()[0]] += 1;
        }
        // 100 each, with a standard deviation of 8.2.
        assert!(first.iter().all(|count| (67..=133).contains(count)), "{first:?}");
    }

    #[test]
    fn many_nodes_without_a_cycle_are_sorted() {
        let d = 30;
        let mut line = Arcs::new(d);
        for (from, to) in (0..d).flat_map(|to| (0..to).map(move |from| (from, to))) {
            line.add((d - 1 - from, d - 1 - to), 0.1 + ((from * to) as f64).sin().abs());
        }
        let found = line.order(Knowledge::none(d).precedence(), Seed(1)).unwrap();
        assert_eq!(found.against, 0.0);
        assert_eq!(found.order.nodes(), (0..d).rev().collect::<Vec<_>>());
    }
}
