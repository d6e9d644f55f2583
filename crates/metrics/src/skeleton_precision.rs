//! The share of guessed edges that are true, whatever their direction.

use oslow_core::Dag;

use crate::Metric;
use crate::overlap::Overlap;

/// The metric's entry in the registry.
pub(crate) const ENTRY: Metric = Metric {
    name: "skeleton_precision",
    summary: "the share of the guessed edges that are true, whatever their direction",
    whole: false,
    measure: |truth, answer| skeleton_precision(truth, answer.graph?),
};

/// The share of the guessed edges whose two nodes are joined in the truth, whatever the direction; `None` where no edge was
/// guessed. The difference to [`precision`](crate::precision()) is the share of reversed edges.
///
/// ```
/// use oslow_core::Dag;
/// let truth = Dag::new(4, &[(0, 1), (0, 2), (2, 3)]).unwrap();
/// let guess = Dag::new(4, &[(1, 0), (0, 2)]).unwrap();
/// assert_eq!(oslow_metrics::skeleton_precision(&truth, &guess), Some(1.0));
/// ```
///
/// # Panics
///
/// If the graphs have different numbers of nodes.
///
/// # Reference
///
/// Van Rijsbergen: Information retrieval, 2nd edition. Butterworths 1979.
pub fn skeleton_precision(truth: &Dag, guess: &Dag) -> Option<f64> {
    Overlap::skeleton(truth, guess).precision()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{agrees_with_fixtures, pairs, sid_example};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn direction_costs_nothing((truth, guess) in pairs(6)) {
            let value = skeleton_precision(&truth, &guess);
            prop_assert!(value.is_none_or(|share| (0.0..=1.0).contains(&share)));
            prop_assert_eq!(skeleton_precision(&truth, &truth), (!truth.edges().is_empty()).then_some(1.0));
            prop_assert!(value >= crate::precision(&truth, &guess));
        }
    }

    #[test]
    fn the_example_of_sid() {
        let [g, h1, h2] = sid_example();
        assert_eq!((skeleton_precision(&g, &h1), skeleton_precision(&g, &h2)), (Some(7.0 / 8.0), Some(1.0)));
    }

    #[test]
    fn agrees_with_scikit_learn() {
        agrees_with_fixtures("skeleton_precision", skeleton_precision);
    }
}
