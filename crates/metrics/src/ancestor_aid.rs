//! Ancestor adjustment identification distance.

use oslow_core::Dag;

use crate::Metric;
use crate::adjustment::{Treatment, count_wrong};

/// The metric's entry in the registry.
pub(crate) const ENTRY: Metric = Metric {
    name: "ancestor_aid",
    summary: "ancestor adjustment identification distance: pairs whose effect the guessed ancestors get wrong",
    whole: true,
    measure: |truth, answer| Some(ancestor_aid(truth, answer.graph?) as f64),
};

/// The number of ordered pairs (t, y) for which the guess identifies the effect of t on y wrongly, where it adjusts
/// for all guessed ancestors of t, and claims no effect on what does not descend from t in the guess.
///
/// More than [`sid`](crate::sid()) it looks at the order of the guess: edges that change no ancestors are free.
///
/// ```
/// use oslow_core::Dag;
/// let truth = Dag::new(3, &[(0, 1), (1, 2)]).unwrap();
/// let more = Dag::new(3, &[(0, 1), (0, 2), (1, 2)]).unwrap();
/// assert_eq!(oslow_metrics::ancestor_aid(&truth, &more), 0);
/// assert_eq!(oslow_metrics::ancestor_aid(&truth, &Dag::empty(3)), 3);
/// ```
///
/// # Cost
///
/// O(d·(d + m)) for m edges in both graphs, in parallel over t.
///
/// # Panics
///
/// If the graphs have different numbers of nodes.
///
/// # Reference
///
/// Henckel, Würtzen, Weichwald: Adjustment identification distance: a gadjid for causal structure learning. UAI 2024.
pub fn ancestor_aid(truth: &Dag, guess: &Dag) -> usize {
    count_wrong(truth, guess, |truth, guess, t| {
        let ancestors = guess.ancestors([t]);
        let ancestors: Vec<usize> = (0..guess.nodes()).filter(|&a| a != t && ancestors[a]).collect();
        let no_effect: Vec<bool> = guess.descendants([t]).iter().map(|descends| !descends).collect();
        Treatment::new(truth, t).count_wrong(&no_effect, &ancestors)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{agrees_with_fixtures, dags, sid_example};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn only_the_effects_that_exist_are_missed_by_the_empty_guess(truth in dags(7)) {
            prop_assert_eq!(ancestor_aid(&truth, &truth), 0);
            let lists = crate::neighbours::Neighbours::of(&truth);
            let effects: usize = (0..7).map(|t| lists.descendants([t]).iter().filter(|x| **x).count() - 1).sum();
            prop_assert_eq!(ancestor_aid(&truth, &Dag::empty(7)), effects);
        }
    }

    #[test]
    fn the_example_of_sid() {
        let [g, h1, h2] = sid_example();
        // h1 claims an effect of 2 on 3 and adjusts for what confounds them: that finds that there is none.
        assert_eq!((ancestor_aid(&g, &h1), ancestor_aid(&g, &h2)), (0, 8));
    }

    #[test]
    fn agrees_with_gadjid() {
        agrees_with_fixtures("ancestor_aid", |truth, guess| Some(ancestor_aid(truth, guess) as f64));
    }
}
