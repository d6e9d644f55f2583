//! The harmonic mean of precision and recall.

use oslow_core::Dag;

use crate::Metric;
use crate::overlap::Overlap;

/// The metric's entry in the registry.
pub(crate) const ENTRY: Metric = Metric {
    name: "f1",
    summary: "twice the common edges over the edges of truth and guess together, direction included",
    whole: false,
    measure: |truth, answer| f1(truth, answer.graph?),
};

/// 2·|E ∩ Ê| / (|E| + |Ê|) for the true edges E and the guessed ones Ê: the harmonic mean of precision and recall where both
/// exist.
///
/// The quotient of counts is the definition here because it goes further than the mean: if only one of the graphs is empty,
/// precision or recall is no number but nothing was found, and F1 is 0. Only where both are empty it is `None`: 0 and 1
/// could both be defended, and a table should show neither.
///
/// ```
/// use oslow_core::Dag;
/// let truth = Dag::new(4, &[(0, 1), (0, 2), (2, 3)]).unwrap();
/// let guess = Dag::new(4, &[(1, 0), (0, 2)]).unwrap();
/// assert_eq!(oslow_metrics::f1(&truth, &guess), Some(0.4));
/// assert_eq!(oslow_metrics::f1(&truth, &Dag::empty(4)), Some(0.0));
/// assert_eq!(oslow_metrics::f1(&Dag::empty(4), &Dag::empty(4)), None);
/// ```
///
/// # Panics
///
/// If the graphs have different numbers of nodes.
///
/// # Reference
///
/// Van Rijsbergen: Information retrieval, 2nd edition. Butterworths 1979.
pub fn f1(truth: &Dag, guess: &Dag) -> Option<f64> {
    Overlap::directed(truth, guess).f1()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{agrees_with_fixtures, pairs, sid_example};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_harmonic_mean_where_that_exists((truth, guess) in pairs(6)) {
            let value = f1(&truth, &guess);
            prop_assert!(value.is_none_or(|share| (0.0..=1.0).contains(&share)));
            prop_assert_eq!(f1(&truth, &truth), (!truth.edges().is_empty()).then_some(1.0));
            if let (Some(p), Some(r)) = (crate::precision(&truth, &guess), crate::recall(&truth, &guess)) {
                let mean = if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 };
                prop_assert!(value.is_some_and(|f1| (f1 - mean).abs() < 1e-12));
            }
        }
    }

    #[test]
    fn the_example_of_sid() {
        let [g, h1, h2] = sid_example();
        assert_eq!((f1(&g, &h1), f1(&g, &h2)), (Some(14.0 / 15.0), Some(6.0 / 7.0)));
    }

    #[test]
    fn agrees_with_scikit_learn() {
        agrees_with_fixtures("f1", f1);
    }
}
