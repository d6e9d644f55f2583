//! Optimal adjustment identification distance.

use std::collections::BTreeMap;

use oslow_core::Dag;

use crate::Metric;
use crate::adjustment::{Treatment, count_wrong};
use crate::neighbours::Neighbours;

/// The metric's entry in the registry.
pub(crate) const ENTRY: Metric = Metric {
    name: "oset_aid",
    summary: "optimal adjustment identification distance: pairs whose effect the guess's optimal set gets wrong",
    whole: true,
    measure: |truth, answer| Some(oset_aid(truth, answer.graph?) as f64),
};

/// The number of ordered pairs (t, y) for which the guess identifies the effect of t on y wrongly, where it adjusts
/// for the optimal set of the pair, and claims no effect on what does not descend from t in the guess.
///
/// The optimal set O(t, y) is Pa(C) ∖ (De(C) ∪ {t}), where C holds the nodes on directed paths from t to y, y included
/// and t not: of all valid adjustment sets it gives the smallest asymptotic variance in linear models.
///
/// ```
/// use oslow_core::Dag;
/// let truth = Dag::new(3, &[(0, 1), (0, 2), (1, 2)]).unwrap();
/// let guess = Dag::new(3, &[(0, 1), (1, 2)]).unwrap();
/// assert_eq!(oslow_metrics::oset_aid(&truth, &guess), 1); // 1 on 2 is confounded by 0
/// ```
///
/// # Cost
///
/// O(k·(d + m)) for m edges in both graphs and k pairs with a guessed effect, of which there are at most d²/2; pairs of
/// one t with equal optimal sets share the walk through the truth. In parallel over t.
///
/// # Panics
///
/// If the graphs have different numbers of nodes.
///
/// # Reference
///
/// Henckel, Perković, Maathuis: Graphical criteria for efficient total effect estimation via adjustment in causal linear
/// models. JRSS B 84, 2022 (the set). Henckel, Würtzen, Weichwald: Adjustment identification distance: a gadjid for
/// causal structure learning. UAI 2024.
pub fn oset_aid(truth: &Dag, guess: &Dag) -> usize {
    count_wrong(truth, guess, |truth, guess, t| {
        let treatment = Treatment::new(truth, t);
        let below = guess.descendants([t]);
        let mut misled_by: BTreeMap<Vec<usize>, Vec<bool>> = BTreeMap::new();
        let wrong = |y: &usize| {
            if !below[*y] {
                return treatment.affects(*y);
            }
            let set = optimal_set(guess, t, *y, &below);
            misled_by.entry(set).or_insert_with_key(|set| treatment.misled_by(set))[*y]
        };
        (0..truth.nodes()).filter(|&y| y != t).filter(wrong).count()
    })
}

/// The optimal adjustment set of t and y, ascending; `below` marks t and its descendants.
fn optimal_set(guess: &Neighbours, t: usize, y: usize, below: &[bool]) -> Vec<usize> {
    let above = guess.ancestors([y]);
    let between = || (0..guess.nodes()).filter(|&node| node != t && below[node] && above[node]);
    let forbidden = guess.descendants(between());
    let mut chosen = vec![false; guess.nodes()];
    for node in between() {
        guess.parents[node].iter().for_each(|&parent| chosen[parent] = true);
    }
    (0..guess.nodes()).filter(|&node| chosen[node] && node != t && !forbidden[node]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{agrees_with_fixtures, dags, sid_example};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn only_the_effects_that_exist_are_missed_by_the_empty_guess(truth in dags(7)) {
            prop_assert_eq!(oset_aid(&truth, &truth), 0);
            prop_assert_eq!(oset_aid(&truth, &Dag::empty(7)), crate::ancestor_aid(&truth, &Dag::empty(7)));
        }
    }

    #[test]
    fn the_optimal_set_leaves_out_what_only_moves_the_treatment() {
        // 0 → 1 → 2 ← 3: an instrument 0, and a cause 3 of the target that helps.
        let graph = Neighbours::of(&Dag::new(4, &[(0, 1), (1, 2), (3, 2)]).unwrap());
        assert_eq!(optimal_set(&graph, 1, 2, &graph.descendants([1])), [3]);
    }

    #[test]
    fn the_example_of_sid() {
        let [g, h1, h2] = sid_example();
        assert_eq!((oset_aid(&g, &h1), oset_aid(&g, &h2)), (0, 8));
    }

    #[test]
    fn agrees_with_gadjid() {
        agrees_with_fixtures("oset_aid", |truth, guess| Some(oset_aid(truth, guess) as f64));
    }
}
