//! The share of guessed edges that are true.

use oslow_core::Dag;

use crate::Metric;
use crate::overlap::Overlap;

/// The metric's entry in the registry.
pub(crate) const ENTRY: Metric = Metric {
    name: "precision",
    summary: "the share of the guessed edges that are true, direction included",
    whole: false,
    measure: |truth, answer| precision(truth, answer.graph?),
};

/// The share of the guessed edges that are in the truth with the same direction; `None` where no edge was guessed, as a
/// share of nothing is no number.
///
/// ```
/// use oslow_core::Dag;
/// let truth = Dag::new(4, &[(0, 1), (0, 2), (2, 3)]).unwrap();
/// let guess = Dag::new(4, &[(1, 0), (0, 2)]).unwrap();
/// assert_eq!(oslow_metrics::precision(&truth, &guess), Some(0.5));
/// assert_eq!(oslow_metrics::precision(&truth, &Dag::empty(4)), None);
/// ```
///
/// # Panics
///
/// If the graphs have different numbers of nodes.
///
/// # Reference
///
/// Van Rijsbergen: Information retrieval, 2nd edition. Butterworths 1979.
pub fn precision(truth: &Dag, guess: &Dag) -> Option<f64> {
    Overlap::directed(truth, guess).precision()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{agrees_with_fixtures, pairs, sid_example};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_share_and_1_for_the_truth((truth, guess) in pairs(6)) {
            let value = precision(&truth, &guess);
            prop_assert!(value.is_none_or(|share| (0.0..=1.0).contains(&share)));
            prop_assert_eq!(precision(&truth, &truth), (!truth.edges().is_empty()).then_some(1.0));
            prop_assert_eq!(value.is_none(), guess.edges().is_empty());
        }
    }

    #[test]
    fn the_example_of_sid() {
        let [g, h1, h2] = sid_example();
        assert_eq!((precision(&g, &h1), precision(&g, &h2)), (Some(7.0 / 8.0), Some(6.0 / 7.0)));
    }

    #[test]
    fn agrees_with_scikit_learn() {
        agrees_with_fixtures("precision", precision);
    }
}
