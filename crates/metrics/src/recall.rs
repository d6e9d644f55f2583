//! The share of true edges that were guessed.

use oslow_core::Dag;

use crate::Metric;
use crate::overlap::Overlap;

/// The metric's entry in the registry.
pub(crate) const ENTRY: Metric = Metric {
    name: "recall",
    summary: "the share of the true edges that were guessed, direction included",
    whole: false,
    measure: |truth, answer| recall(truth, answer.graph?),
};

/// The share of the true edges that were guessed with the same direction; `None` where the truth has no edges. Also called
/// true positive rate; a reversed edge is no hit, so it never exceeds 1.
///
/// ```
/// use oslow_core::Dag;
/// let truth = Dag::new(4, &[(0, 1), (0, 2), (2, 3)]).unwrap();
/// let guess = Dag::new(4, &[(1, 0), (0, 2)]).unwrap();
/// assert_eq!(oslow_metrics::recall(&truth, &guess), Some(1.0 / 3.0));
/// assert_eq!(oslow_metrics::recall(&Dag::empty(4), &guess), None);
/// ```
///
/// # Panics
///
/// If the graphs have different numbers of nodes.
///
/// # Reference
///
/// Van Rijsbergen: Information retrieval, 2nd edition. Butterworths 1979.
pub fn recall(truth: &Dag, guess: &Dag) -> Option<f64> {
    Overlap::directed(truth, guess).recall()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{agrees_with_fixtures, pairs, sid_example};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_precision_of_the_exchanged_graphs((truth, guess) in pairs(6)) {
            let value = recall(&truth, &guess);
            prop_assert!(value.is_none_or(|share| (0.0..=1.0).contains(&share)));
            prop_assert_eq!(recall(&truth, &truth), (!truth.edges().is_empty()).then_some(1.0));
            prop_assert_eq!(value, crate::precision(&guess, &truth));
        }
    }

    #[test]
    fn the_example_of_sid() {
        let [g, h1, h2] = sid_example();
        assert_eq!((recall(&g, &h1), recall(&g, &h2)), (Some(1.0), Some(6.0 / 7.0)));
    }

    #[test]
    fn agrees_with_scikit_learn() {
        agrees_with_fixtures("recall", recall);
    }
}
