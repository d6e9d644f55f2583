//! The exact search: cost and ties.

use std::collections::HashMap;

use crate::ParentCosts;
use oslow_core::{Ordering, Precedence, Seed};
use proptest::prelude::*;

use super::super::{ExactSearch, OrderSum, bytes};
use super::enumeration::{least, least_of_graphs, price, priced_orders};
use super::{Case, Drawn, NEAR, drawn};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn cost_and_ties_are_what_trying_every_order_finds(drawn in drawn(1..=7), seed: u64) {
        let Case { costs, precedence } = drawn.case(seed);
        let priced = priced_orders(&costs, &precedence);
        let Ok(search) = ExactSearch::new(&costs, &precedence) else {
            prop_assert!(priced.is_empty());
            return Ok(());
        };
        let best = least(&priced);
        let found = search.draw(&mut Seed(seed).stream("draw")).unwrap();
        prop_assert!((found.cost - best).abs() < NEAR);
        prop_assert_eq!(found.cost, price(&costs, &found.dag));
        prop_assert_eq!((found.gap(), found.interrupted), (0.0, false));
        prop_assert!(precedence.admits(&found.order));
        prop_assert_eq!(found.ties, Some(priced.iter().filter(|(_, cost)| cost - best < NEAR).count()));
    }

    #[test]
    fn no_graph_is_cheaper(drawn in drawn(1..=4), seed: u64) {
        let case = Drawn { ordered: 0.0, ..drawn }.case(seed);
        let best = least_of_graphs(&case.costs);
        match ExactSearch::new(&case.costs, &case.precedence) {
            Ok(search) => {
                let found = search.draw(&mut Seed(seed).stream("draw")).unwrap();
                prop_assert!((found.cost - best).abs() < NEAR);
            }
            Err(_) => prop_assert_eq!(best, f64::INFINITY),
        }
    }

    #[test]
    fn names_do_not_matter(drawn in drawn(2..=9), seed: u64) {
        let Case { costs, precedence } = drawn.case(seed);
        let names = Ordering::random(drawn.d, &mut Seed(seed).stream("names"));
        let renamed = renamed(&costs, &precedence, &names);
        let search = |case: &Case| {
            let search = ExactSearch::new(&case.costs, &case.precedence).ok()?;
            Some(search.draw(&mut Seed(seed).stream("draw")).unwrap())
        };
        let (ours, theirs) = (search(&Case { costs, precedence }), search(&renamed));
        prop_assert_eq!(ours.is_some(), theirs.is_some());
        if let (Some(found), Some(other)) = (ours, theirs) {
            prop_assert!((found.cost - other.cost).abs() < NEAR);
            prop_assert_eq!(found.ties, other.ties);
        }
    }
}

/// The same problem with node `i` called `names.nodes()[i]`.
fn renamed(costs: &[ParentCosts], precedence: &Precedence, names: &Ordering) -> Case {
    let (d, old) = (costs.len(), names.positions());
    let rename = |node: &usize| names.nodes()[*node];
    let table = |node: usize| {
        let costs = &costs[old[node]];
        ParentCosts::new(costs.candidates().iter().map(rename).collect(), costs.costs().to_vec())
    };
    let relation = (0..d * d).map(|k| precedence.requires(old[k / d], old[k % d])).collect();
    Case { costs: (0..d).map(table).collect(), precedence: Precedence::from_relation(d, relation) }
}

/// Many blocks.
fn large(integers: bool) -> Case {
    Drawn { d: 15, candidates: 6, excluded: 0.05, ordered: 0.05, integers }.case(7)
}

#[test]
fn blocks_change_nothing() {
    // The last nodes, which tell blocks apart, change places with the first, which do not.
    let names = Ordering::new(vec![12, 13, 14, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2]).unwrap();
    for integers in [false, true] {
        let case = large(integers);
        let other = renamed(&case.costs, &case.precedence, &names);
        let [here, there] =
            [&case, &other].map(|case| ExactSearch::new(&case.costs, &case.precedence).unwrap());
        let [found, renamed] =
            [&here, &there].map(|search| search.draw(&mut Seed(1).stream("draw")).unwrap());
        assert!((found.cost - renamed.cost).abs() < NEAR);
        assert!(found.ties.unwrap() > 1);
        assert_eq!(found.ties, renamed.ties);
        let [sums, others] =
            [&case, &other].map(|case| OrderSum::new(&case.costs, &case.precedence).unwrap().pairs());
        for k in 0..15 * 15 {
            let there = names.nodes()[k / 15] * 15 + names.nodes()[k % 15];
            assert!((sums.edge[k] - others.edge[there]).abs() < NEAR);
            assert!((sums.before[k] - others.before[there]).abs() < NEAR);
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let case = large(true);
    let [one, two] = [1, 2].map(|threads| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
            let search = ExactSearch::new(&case.costs, &case.precedence).unwrap();
            let pairs = OrderSum::new(&case.costs, &case.precedence).unwrap().pairs();
            (search.draw(&mut Seed(1).stream("draw")).unwrap(), pairs.edge, pairs.before)
        })
    });
    assert_eq!(one, two);
}

#[test]
fn every_tied_order_is_drawn_equally_often() {
    let case = Drawn { d: 5, candidates: 2, excluded: 0.0, ordered: 0.0, integers: true }.case(5);
    let search = ExactSearch::new(&case.costs, &case.precedence).unwrap();
    let priced = priced_orders(&case.costs, &case.precedence);
    let best = least(&priced);
    let tied: Vec<&Ordering> =
        priced.iter().filter(|(_, cost)| cost - best < NEAR).map(|(order, _)| order).collect();
    assert!((5..40).contains(&tied.len()), "{}", tied.len());
    let mut drawn: HashMap<Ordering, f64> = HashMap::new();
    let each = 200.0;
    for k in 0..tied.len() * each as usize {
        let found = search.draw(&mut Seed(3).indexed("draw", k as u64)).unwrap();
        *drawn.entry(found.order).or_default() += 1.0;
    }
    assert_eq!(drawn.len(), tied.len());
    // Four standard errors of a count.
    for order in tied {
        assert!((drawn[order] - each).abs() < 4.0 * each.sqrt(), "{order:?}: {}", drawn[order]);
    }
}

#[test]
fn what_cannot_be_searched_is_refused() {
    let alone = |cost: f64| ParentCosts::new(vec![], vec![cost]);
    let free = |d: usize| Precedence::from_relation(d, vec![false; d * d]);
    let refusal =
        |costs: &[ParentCosts]| ExactSearch::new(costs, &free(costs.len())).err().unwrap().to_string();
    assert!(refusal(&vec![alone(1.0); 26]).contains("26 columns"));
    assert!(refusal(&[alone(1.0), alone(f64::INFINITY)]).contains("no order"));
    assert!(refusal(&[alone(1.0), alone(f64::NAN)]).contains("column 1"));
}

#[test]
fn memory_stays_below_a_gigabyte() {
    assert!(bytes(25, 10) < 600 << 20);
    assert_eq!(bytes(3, 1), 8 * 16 + 3 * 16);
}
