//! The harmonic mean of both, whatever the direction of edges.

use oslow_core::Dag;

use crate::Metric;
use crate::overlap::Overlap;

/// The metric's entry in the registry.
pub(crate) const ENTRY: Metric = Metric {
    name: "skeleton_f1",
    summary: "twice the common edges over the edges of truth and guess together, whatever their direction",
    whole: false,
    measure: |truth, answer| skeleton_f1(truth, answer.graph?),
};

/// 2·|S ∩ Ŝ| / (|S| + |Ŝ|) for the joined pairs S of the truth and Ŝ of the guess, whatever their direction. What happens with
/// empty graphs is said at [`f1`](crate::f1()).
///
/// ```
/// use oslow_core::Dag;
/// let truth = Dag::new(4, &[(0, 1), (0, 2), (2, 3)]).unwrap();
/// let guess = Dag::new(4, &[(1, 0), (0, 2)]).unwrap();
/// assert_eq!(oslow_metrics::skeleton_f1(&truth, &guess), Some(0.8));
/// ```
///
/// # Panics
///
/// If the graphs have different numbers of nodes.
///
/// # Reference
///
/// Van Rijsbergen: Information retrieval, 2nd edition. Butterworths 1979.
pub fn skeleton_f1(truth: &Dag, guess: &Dag) -> Option<f64> {
    Overlap::skeleton(truth, guess).f1()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{agrees_with_fixtures, pairs, sid_example};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn direction_costs_nothing((truth, guess) in pairs(6)) {
            let value = skeleton_f1(&truth, &guess);
            prop_assert!(value.is_none_or(|share| (0.0..=1.0).contains(&share)));
            prop_assert_eq!(skeleton_f1(&truth, &truth), (!truth.edges().is_empty()).then_some(1.0));
            prop_assert!(value >= crate::f1(&truth, &guess));
        }
    }

    #[test]
    fn the_example_of_sid() {
        let [g, h1, h2] = sid_example();
        assert_eq!((skeleton_f1(&g, &h1), skeleton_f1(&g, &h2)), (Some(14.0 / 15.0), Some(1.0)));
    }

    #[test]
    fn agrees_with_scikit_learn() {
        agrees_with_fixtures("skeleton_f1", skeleton_f1);
    }
}
