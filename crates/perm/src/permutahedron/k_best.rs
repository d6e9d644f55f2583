//! The k best orders.

use std::cmp::Ordering as Compare;
use std::collections::{BinaryHeap, HashSet};

use oslow_core::{Ordering, Precedence};

use super::value;

/// The k orders with the largest ⟨θ, ρ⟩, the best first; fewer where there are fewer.
///
/// Best-first search from the order by ascending θ, an exchange of neighbours a step. Any order is reached from that one by exchanges none
/// of which gains, so that every order is found after those it comes from: the k best are found, with at most (d − 1)·k others seen.
/// With a precedence only admitted orders are visited, and those that come out are the best for tiers; in general finding even the best of
/// them is NP-hard, and they are the best of those that the search meets.
pub fn k_best(theta: &[f64], k: usize, precedence: &Precedence) -> Vec<Ordering> {
    let mut best = Vec::with_capacity(k);
    let Some(start) = precedence.sort(theta) else { return best };
    let mut seen = HashSet::from([start.clone()]);
    let mut waiting = BinaryHeap::from([Candidate { value: value(theta, &start), order: start }]);
    while best.len() < k
        && let Some(Candidate { order, .. }) = waiting.pop()
    {
        for (position, pair) in order.nodes().windows(2).enumerate() {
            let exchanged = order.insertion(position, position + 1);
            if !precedence.requires(pair[0], pair[1]) && seen.insert(exchanged.clone()) {
                waiting.push(Candidate { value: value(theta, &exchanged), order: exchanged });
            }
        }
        best.push(order);
    }
    best
}

/// An order that is known and not yet taken.
struct Candidate {
    value: f64,
    order: Ordering,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Compare {
        self.value.total_cmp(&other.value).then_with(|| self.order.cmp(&other.order))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Compare> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Compare::Equal
    }
}

impl Eq for Candidate {}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    pub fn free(d: usize) -> Precedence {
        Precedence::from_relation(d, vec![false; d * d])
    }

    /// Every order of d variables.
    pub fn every_order(d: usize) -> Vec<Ordering> {
        (0..d).fold(vec![Ordering::identity(d)], |orders, from| {
            orders.iter().flat_map(|order| (from..d).map(move |to| swapped(order, from, to))).collect()
        })
    }

    fn swapped(order: &Ordering, a: usize, b: usize) -> Ordering {
        let mut nodes = order.nodes().to_vec();
        nodes.swap(a, b);
        Ordering::new(nodes).unwrap()
    }

    fn best_by_trying_all(theta: &[f64], k: usize, precedence: &Precedence) -> Vec<f64> {
        let admitted = every_order(theta.len()).into_iter().filter(|order| precedence.admits(order));
        let mut values: Vec<f64> = admitted.map(|order| value(theta, &order)).collect();
        values.sort_by(|a, b| b.total_cmp(a));
        values.truncate(k);
        values
    }

    proptest! {
        #[test]
        fn they_are_the_best_of_all(theta in prop::collection::vec(-2.0..2.0f64, 5), k in 1..130usize) {
            let found = k_best(&theta, k, &free(5));
            prop_assert_eq!(found.len(), k.min(120));
            let distinct: HashSet<_> = found.iter().collect();
            prop_assert_eq!(distinct.len(), found.len());
            let values: Vec<f64> = found.iter().map(|order| value(&theta, order)).collect();
            let expected = best_by_trying_all(&theta, k, &free(5));
            prop_assert!(values.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12));
        }

        #[test]
        fn under_full_tiers_they_are_the_best_of_the_admitted(
            theta in prop::collection::vec(-2.0..2.0f64, 5), k in 1..15usize,
        ) {
            // 3 and 1 before 0, 2 and 4.
            let relation = (0..25).map(|pair| [1, 3].contains(&(pair / 5)) && ![1, 3].contains(&(pair % 5)));
            let tiers = Precedence::from_relation(5, relation.collect());
            let found = k_best(&theta, k, &tiers);
            prop_assert!(found.len() == k.min(12) && found.iter().all(|order| tiers.admits(order)));
            let values: Vec<f64> = found.iter().map(|order| value(&theta, order)).collect();
            let expected = best_by_trying_all(&theta, k, &tiers);
            prop_assert!(values.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }

    #[test]
    fn under_any_precedence_all_admitted_orders_are_found() {
        let mut relation = vec![false; 16];
        (relation[2], relation[11]) = (true, true); // 0 before 2 before 3
        let precedence = Precedence::from_relation(4, relation);
        let found = k_best(&[2.0, 0.5, -1.0, 0.0], 100, &precedence);
        assert!(found.len() == 4 && found.iter().all(|order| precedence.admits(order)));
    }
}
