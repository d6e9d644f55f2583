//! What no order can undercut.

use oslow_core::{Edge, Precedence, Rng, Seed};
use rayon::prelude::*;

use super::groups::groups;
use super::problem::Problem;
use super::step::Step;
use super::tied_orders::TiedOrders;

/// A relaxed problem, whose cheapest solution no order undercuts.
///
/// Nodes are put into groups. Inside a group the cheapest order is found exactly, and nodes of other groups may stand
/// before all, unless the precedence forbids it. The sum over groups is a bound. One group is the exact cost.
///
/// Two nodes of different groups may then each stand before the other. [`Relaxation::tighten`] puts a price on that:
/// each of the two pays w ≥ 0 for the other, and w is given back in any case. An order pays nothing on balance or gains,
/// and two nodes that take each other pay w. So all prices give a bound; they rise where pairs take each other and fall
/// where neither does (subgradient ascent on the Lagrangian dual, with Polyak's step towards the cost of a known order).
/// Longer cycles through several groups stay free, so that the bound need not reach the cheapest order.
pub(super) struct Relaxation<'a> {
    steps: &'a [Step],
    precedence: &'a Precedence,
    groups: Vec<Vec<usize>>,
    /// The pairs of different groups that could each be the other's parent.
    pairs: Vec<(usize, usize)>,
    seed: Seed,
}

/// Rounds without a better bound before steps are halved.
const PATIENCE: usize = 5;

impl<'a> Relaxation<'a> {
    /// The relaxation with groups of at most this many nodes.
    pub fn new(steps: &'a [Step], precedence: &'a Precedence, group: usize, seed: Seed) -> Self {
        let groups = groups(steps, group);
        let together = |a, b| groups.iter().any(|group| group.contains(&a) && group.contains(&b));
        let pairs = (0..steps.len()).flat_map(|a| (a + 1..steps.len()).map(move |b| (a, b)));
        let pairs = pairs
            .filter(|&(a, b)| steps[a].bit(b) != 0 && steps[b].bit(a) != 0 && !together(a, b))
            .filter(|&(a, b)| !precedence.requires(a, b) && !precedence.requires(b, a))
            .collect();
        Self { steps, precedence, groups, pairs, seed }
    }

    /// The bound without prices.
    pub fn bound(&self) -> f64 {
        self.tighten(f64::INFINITY, 1)
    }

    /// The best bound in some rounds, given what a known order costs.
    pub fn tighten(&self, cost: f64, rounds: usize) -> f64 {
        let d = self.steps.len();
        let mut prices = vec![0.0; d * d];
        let (mut best, mut stride, mut idle) = (f64::NEG_INFINITY, 1.0, 0);
        for round in 0..rounds {
            let (relaxed, taken) = self.solve(&prices, round);
            let bound = relaxed - self.pairs.iter().map(|&(a, b)| prices[a * d + b]).sum::<f64>();
            idle = if bound > best { 0 } else { idle + 1 };
            best = best.max(bound);
            if idle >= PATIENCE {
                (stride, idle) = (stride / 2.0, 0);
            }
            let slope = |&(a, b): &(usize, usize)| {
                let excess = f64::from(taken[a * d + b]) + f64::from(taken[b * d + a]) - 1.0;
                if prices[a * d + b] > 0.0 { excess } else { excess.max(0.0) }
            };
            let slopes: Vec<f64> = self.pairs.iter().map(slope).collect();
            let norm: f64 = slopes.iter().map(|slope| slope * slope).sum();
            if norm == 0.0 || !(cost - bound).is_finite() || best >= cost {
                break;
            }
            for (&(a, b), slope) in self.pairs.iter().zip(slopes) {
                let price = (prices[a * d + b] + stride * (cost - bound) / norm * slope).max(0.0);
                (prices[a * d + b], prices[b * d + a]) = (price, price);
            }
        }
        best
    }

    /// The cheapest solution at these prices, and which nodes of other groups each node takes:
    /// `taken[from * d + to]`.
    fn solve(&self, prices: &[f64], round: usize) -> (f64, Vec<bool>) {
        let d = self.steps.len();
        let solved: Vec<(f64, Vec<Edge>)> = self
            .groups
            .par_iter()
            .enumerate()
            .map(|(k, members)| {
                let draw = (round * self.groups.len() + k) as u64;
                let rng = &mut self.seed.indexed("order/exact/local-search/relaxation", draw);
                self.solve_group(members, prices, rng)
            })
            .collect();
        let mut taken = vec![false; d * d];
        solved.iter().flat_map(|(_, edges)| edges).for_each(|&(from, to)| taken[from * d + to] = true);
        (solved.iter().map(|(cost, _)| cost).sum(), taken)
    }

    fn solve_group(&self, members: &[usize], prices: &[f64], rng: &mut Rng) -> (f64, Vec<Edge>) {
        let d = self.steps.len();
        let at_prices = |&node: &usize| {
            let price = |other: usize| {
                if self.precedence.requires(node, other) { f64::INFINITY } else { prices[other * d + node] }
            };
            self.steps[node].at_prices(members, price)
        };
        let (steps, worth): (Vec<Step>, Vec<_>) = members.iter().map(at_prices).unzip();
        let problem = Problem::new(steps.clone(), |a, b| self.precedence.requires(members[a], members[b]));
        let heads = problem.cheapest_heads();
        let cost = heads.get(problem.all());
        if cost == f64::INFINITY {
            return (cost, Vec::new());
        }
        let positions = TiedOrders::new(&problem, &heads).draw(rng).positions();
        let taken = (0..members.len()).flat_map(|node| {
            let before = steps[node].mask(|other| positions[other] < positions[node]);
            worth[node][before as usize].iter().map(move |&from| (from, members[node]))
        });
        (cost, taken.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::enumeration::{least, priced_orders};
    use super::super::tests::{NEAR, drawn};
    use super::*;
    use crate::ParentCosts;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_order_undercuts_it(drawn in drawn(1..=6), seed: u64) {
            let case = drawn.case(seed);
            let steps: Vec<Step> = case.costs.iter().map(Step::new).collect();
            let relaxation = |group| Relaxation::new(&steps, &case.precedence, group, Seed(seed));
            let bound = |group| relaxation(group).bound();
            let best = least(&priced_orders(&case.costs, &case.precedence));
            let alone: f64 = steps.iter().map(Step::least).sum();
            for group in [1, 2, 3, 6] {
                prop_assert!(bound(group) <= best + NEAR);
                let tight = relaxation(group).tighten(best, 20);
                prop_assert!(bound(group) <= tight && tight <= best + NEAR);
                prop_assert!(bound(group) >= alone - NEAR || alone == f64::INFINITY);
            }
            if drawn.ordered == 0.0 {
                prop_assert!(bound(6) == best || (bound(6) - best).abs() < NEAR);
            }
        }
    }

    #[test]
    fn nodes_of_other_groups_are_taken_where_they_are_worth_their_price() {
        // Node 2 helps node 1 by 3, but only together with node 0.
        let costs = [
            ParentCosts::new(vec![], vec![1.0]),
            ParentCosts::new(vec![2, 0], vec![5.0, 5.0, 4.0, 1.0]),
            ParentCosts::new(vec![], vec![1.0]),
        ];
        let steps: Vec<Step> = costs.iter().map(Step::new).collect();
        let free = Precedence::from_relation(3, vec![false; 9]);
        let solve = |price: f64| {
            let relaxation = Relaxation::new(&steps, &free, 2, Seed(1));
            relaxation.solve_group(&[0, 1], &[price; 9], &mut Seed(1).stream("test"))
        };
        assert_eq!([0.0, 2.0, 4.0].map(solve), [(2.0, vec![(2, 1)]), (4.0, vec![(2, 1)]), (5.0, vec![])]);
    }

    #[test]
    fn a_conflict_is_paid_once() {
        let costs = [
            ParentCosts::new(vec![1], vec![3.0, 1.0]),
            ParentCosts::new(vec![0], vec![2.5, 1.0]),
            ParentCosts::new(vec![0], vec![9.0, 1.0]),
            ParentCosts::new(vec![1], vec![1.0, 1.0]),
        ];
        let steps: Vec<Step> = costs.iter().map(Step::new).collect();
        let free = Precedence::from_relation(4, vec![false; 16]);
        let relaxation = |group| Relaxation::new(&steps, &free, group, Seed(1));
        assert_eq!([1, 2, 4].map(|group| relaxation(group).bound()), [4.0, 5.5, 5.5]);
        assert!((relaxation(1).tighten(5.5, 100) - 5.5).abs() < 1e-6, "prices do what groups do");
        let mut last = vec![false; 16];
        last[2 * 4] = true;
        let last = Precedence::from_relation(4, last);
        assert_eq!([1, 2].map(|group| Relaxation::new(&steps, &last, group, Seed(1)).bound()), [12.0, 13.5]);
    }
}
