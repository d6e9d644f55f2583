//! Structural intervention distance.

use oslow_core::Dag;

use crate::Metric;
use crate::adjustment::{Treatment, count_wrong};

/// The metric's entry in the registry.
pub(crate) const ENTRY: Metric = Metric {
    name: "sid",
    summary: "structural intervention distance: pairs (cause, target) whose effect the guessed parents get wrong",
    whole: true,
    measure: |truth, answer| Some(sid(truth, answer.graph?) as f64),
};

/// The number of ordered pairs (i, j) for which adjusting for the guessed parents of i does not give the effect of
/// i on j in the truth: 0 where every intervention is predicted right, at most d(d − 1).
///
/// A guessed parent j of i is a claim that i has no effect on j; it is wrong where the truth has a directed path
/// i → … → j. It is no distance in the mathematical sense: it is not symmetric, and 0 for every guess that contains
/// the truth.
///
/// ```
/// use oslow_core::Dag;
/// let truth = Dag::new(2, &[(0, 1)]).unwrap();
/// let reversed = Dag::new(2, &[(1, 0)]).unwrap();
/// assert_eq!(oslow_metrics::sid(&truth, &truth), 0);
/// assert_eq!(oslow_metrics::sid(&truth, &reversed), 2);
/// ```
///
/// # Cost
///
/// O(d·(d + m)) for m edges in both graphs, in parallel over i.
///
/// # Panics
///
/// If the graphs have different numbers of nodes.
///
/// # Reference
///
/// Peters, Bühlmann: Structural intervention distance for evaluating causal graphs. Neural Computation 27, 2015.
pub fn sid(truth: &Dag, guess: &Dag) -> usize {
    count_wrong(truth, guess, |truth, guess, t| {
        let parents = &guess.parents[t];
        // The true parents are always right. Both lists are ascending.
        if *parents == truth.parents[t] {
            return 0;
        }
        let mut no_effect = vec![false; truth.nodes()];
        parents.iter().for_each(|&parent| no_effect[parent] = true);
        Treatment::new(truth, t).count_wrong(&no_effect, parents)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{agrees_with_fixtures, agrees_with_the_shared_oracle, dags, pairs, sid_example};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_guess_that_contains_the_truth_has_0((truth, guess) in pairs(7)) {
            let order = truth.topological_order();
            prop_assert_eq!(sid(&truth, &Dag::tournament(&order)), 0);
            prop_assert!(sid(&truth, &guess) <= 7 * 6);
        }

        #[test]
        fn the_empty_guess_misses_what_confounds_or_is_an_effect_of_parents(truth in dags(6)) {
            // Without adjustment (i, j) is wrong iff they have a common ancestor by a path that avoids i, or j is
            // an ancestor of i: a count over parents of i and what they reach when i is cut off.
            let count: usize = (0..6).map(|i| {
                let cut: Vec<_> = truth.edges().into_iter().filter(|&(from, _)| from != i).collect();
                let cut = crate::neighbours::Neighbours::of(&Dag::new(6, &cut).unwrap());
                let behind = cut.ancestors([i]);
                let reached = cut.descendants((0..6).filter(|&node| node != i && behind[node]));
                (0..6).filter(|&j| j != i && reached[j]).count()
            }).sum();
            prop_assert_eq!(sid(&truth, &Dag::empty(6)), count);
        }
    }

    #[test]
    fn the_papers_example() {
        let [g, h1, h2] = sid_example();
        assert_eq!((sid(&g, &h1), sid(&g, &h2)), (0, 8));
    }

    #[test]
    fn agrees_with_gadjid() {
        agrees_with_fixtures("sid", |truth, guess| Some(sid(truth, guess) as f64));
        agrees_with_the_shared_oracle("sid_gadjid", sid);
    }
}
