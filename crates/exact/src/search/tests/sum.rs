//! The sum over all orders against adding them up, and the chain over orders against the sum.

use oslow_core::{Dag, Seed};
use proptest::prelude::*;

use super::super::{ExactSearch, OrderChain, OrderSum};
use super::enumeration::{orders, price};
use super::{Case, Drawn, NEAR, drawn};
use crate::ParentCosts;

/// Every order with every graph along it, and what the two weigh.
fn weighed(Case { costs, precedence }: &Case) -> Vec<(Vec<usize>, Dag, f64)> {
    let allowed = orders(costs.len()).into_iter().filter(|order| precedence.admits(order));
    let mut all = Vec::new();
    for order in allowed {
        let before = |node: usize| {
            let positions = order.positions();
            costs[node].mask(|other| positions[other] < positions[node])
        };
        let mut graphs: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
        for node in 0..costs.len() {
            let inside = before(node);
            let sets: Vec<u32> =
                (0..costs[node].costs().len() as u32).filter(|mask| mask & !inside == 0).collect();
            let with = |edges: &Vec<(usize, usize)>, mask: u32| {
                let parents = costs[node].parents(mask).into_iter().map(|parent| (parent, node));
                edges.iter().copied().chain(parents).collect()
            };
            graphs =
                graphs.iter().flat_map(|edges| sets.iter().map(move |&mask| with(edges, mask))).collect();
        }
        for edges in graphs {
            let dag = Dag::new(costs.len(), &edges).unwrap();
            let weight = (-price(costs, &dag)).exp();
            all.push((order.positions().to_vec(), dag, weight));
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn edges_and_places_are_what_adding_up_every_order_gives(drawn in drawn(1..=5), seed: u64) {
        let case = Drawn { candidates: drawn.candidates.min(3), ..drawn }.case(seed);
        let all = weighed(&case);
        let total: f64 = all.iter().map(|(_, _, weight)| weight).sum();
        let Some(sum) = OrderSum::new(&case.costs, &case.precedence) else {
            prop_assert_eq!(total, 0.0);
            return Ok(());
        };
        let pairs = sum.pairs();
        for a in 0..drawn.d {
            for b in (0..drawn.d).filter(|&b| b != a) {
                let share = |holds: &dyn Fn(&[usize], &Dag) -> bool| {
                    let those = all.iter().filter(|(positions, dag, _)| holds(positions, dag));
                    those.map(|(_, _, weight)| weight).sum::<f64>() / total
                };
                prop_assert!((pairs.edge[a * drawn.d + b] - share(&|_, dag| dag.has(a, b))).abs() < NEAR);
                let before = share(&|positions, _| positions[a] < positions[b]);
                prop_assert!((pairs.before[a * drawn.d + b] - before).abs() < NEAR);
            }
        }
        for (node, costs) in case.costs.iter().enumerate() {
            for (mask, found) in pairs.sets[node].iter().enumerate() {
                let mut parents = costs.parents(mask as u32);
                parents.sort_unstable();
                let those = all.iter().filter(|(_, dag, _)| dag.parents(node) == parents);
                let expected = those.map(|(_, _, weight)| weight).sum::<f64>() / total;
                prop_assert!((found - expected).abs() < NEAR, "{} with {:?}", node, parents);
            }
        }
    }
}

/// A problem of so many nodes whose costs differ by a few nats.
fn case(d: usize, seed: u64) -> Case {
    let case = Drawn { d, candidates: 4, excluded: 0.0, ordered: 0.05, integers: false }.case(seed);
    let dearer = |table: &ParentCosts| {
        let costs = table.costs().iter().map(|cost| 4.0 * cost).collect();
        ParentCosts::new(table.candidates().to_vec(), costs)
    };
    Case { costs: case.costs.iter().map(dearer).collect(), precedence: case.precedence }
}

#[test]
fn graphs_are_drawn_with_their_probability() {
    let Case { costs, precedence } = case(6, 3);
    let sum = OrderSum::new(&costs, &precedence).unwrap();
    let (pairs, rng) = (sum.pairs(), &mut Seed(1).stream("draws"));
    let graphs: Vec<Dag> = (0..4000).map(|_| sum.draw(rng)).collect();
    for a in 0..6 {
        for b in 0..6 {
            let share = graphs.iter().filter(|dag| dag.has(a, b)).count() as f64 / 4000.0;
            assert!((share - pairs.edge[a * 6 + b]).abs() < 0.035, "{a} -> {b}: {share}");
        }
    }
}

#[test]
fn the_chain_agrees_with_the_sum() {
    for seed in 0..3 {
        let (d, Case { costs, precedence }) = (9, case(9, seed));
        let exact = OrderSum::new(&costs, &precedence).unwrap().pairs();
        let search = ExactSearch::new(&costs, &precedence).unwrap();
        let rng = &mut Seed(seed).stream("chain");
        let mut chain = OrderChain::new(&costs, &precedence, &search.draw(rng).unwrap().order);
        let (mut edge, mut before) = (vec![0.0; d * d], vec![0.0; d * d]);
        let mut sets: Vec<f64> = vec![0.0; exact.sets.concat().len()];
        const LOOKS: usize = 4000;
        for _ in 0..LOOKS {
            chain.walk(5 * d, rng);
            let pairs = chain.pairs();
            edge.iter_mut().zip(pairs.edge).for_each(|(sum, share)| *sum += share / LOOKS as f64);
            before.iter_mut().zip(pairs.before).for_each(|(sum, share)| *sum += share / LOOKS as f64);
            sets.iter_mut().zip(pairs.sets.concat()).for_each(|(sum, share)| *sum += share / LOOKS as f64);
        }
        for (found, expected) in edge.iter().zip(&exact.edge).chain(before.iter().zip(&exact.before)) {
            assert!((found - expected).abs() < 0.05, "{found} for {expected}");
        }
        for (found, expected) in sets.iter().zip(exact.sets.concat()) {
            assert!((found - expected).abs() < 0.05, "{found} for {expected}");
        }
    }
}
