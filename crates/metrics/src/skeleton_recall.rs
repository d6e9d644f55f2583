//! The share of true edges that were guessed, whatever their direction.

use oslow_core::Dag;

use crate::Metric;
use crate::overlap::Overlap;

/// The metric's entry in the registry.
pub(crate) const ENTRY: Metric = Metric {
    name: "skeleton_recall",
    summary: "the share of the true edges that were guessed, whatever their direction",
    whole: false,
    measure: |truth, answer| skeleton_recall(truth, answer.graph?),
};

/// The share of the true edges whose two nodes are joined in the guess, whatever the direction; `None` where the truth has no
/// edges.
///
/// ```
/// use oslow_core::Dag;
/// let truth = Dag::new(4, &[(0, 1), (0, 2), (2, 3)]).unwrap();
/// let guess = Dag::new(4, &[(1, 0), (0, 2)]).unwrap();
/// assert_eq!(oslow_metrics::skeleton_recall(&truth, &guess), Some(2.0 / 3.0));
/// ```
///
/// # Panics
///
/// If the graphs have different numbers of nodes.
///
/// # Reference
///
/// Van Rijsbergen: Information retrieval, 2nd edition. Butterworths 1979.
pub fn skeleton_recall(truth: &Dag, guess: &Dag) -> Option<f64> {
    Overlap::skeleton(truth, guess).recall()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{agrees_with_fixtures, pairs, sid_example};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn direction_costs_nothing((truth, guess) in pairs(6)) {
            let value = skeleton_recall(&truth, &guess);
            prop_assert!(value.is_none_or(|share| (0.0..=1.0).contains(&share)));
            prop_assert_eq!(skeleton_recall(&truth, &truth), (!truth.edges().is_empty()).then_some(1.0));
            prop_assert!(value >= crate::recall(&truth, &guess));
        }
    }

    #[test]
    fn the_example_of_sid() {
        let [g, h1, h2] = sid_example();
        assert_eq!((skeleton_recall(&g, &h1), skeleton_recall(&g, &h2)), (Some(1.0), Some(1.0)));
    }

    #[test]
    fn agrees_with_scikit_learn() {
        agrees_with_fixtures("skeleton_recall", skeleton_recall);
    }
}
