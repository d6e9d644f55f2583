//! Parent adjustment identification distance.

use oslow_core::Dag;

use crate::Metric;

/// The metric's entry in the registry.
pub(crate) const ENTRY: Metric = Metric {
    name: "parent_aid",
    summary: "parent adjustment identification distance: the same as sid, for acyclic graphs",
    whole: true,
    measure: |truth, answer| Some(parent_aid(truth, answer.graph?) as f64),
};

/// The number of ordered pairs (t, y) for which the guess identifies the effect of t on y wrongly, where it adjusts
/// for the guessed parents of t, and claims no effect on those parents themselves.
///
/// Between acyclic graphs this *is* [`sid`](crate::sid()). The two differ where a graph has undirected edges, which
/// graphs here never have; both are reported because both are asked for by name.
///
/// ```
/// use oslow_core::Dag;
/// let truth = Dag::new(3, &[(0, 1), (0, 2), (1, 2)]).unwrap();
/// let guess = Dag::new(3, &[(0, 1), (1, 2)]).unwrap();
/// assert_eq!(oslow_metrics::parent_aid(&truth, &guess), 1); // 1 on 2 is confounded by 0
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
pub fn parent_aid(truth: &Dag, guess: &Dag) -> usize {
    crate::sid(truth, guess)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{agrees_with_fixtures, dags, sid_example};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_truth_has_0(truth in dags(7)) {
            prop_assert_eq!(parent_aid(&truth, &truth), 0);
        }
    }

    #[test]
    fn the_example_of_sid() {
        let [g, h1, h2] = sid_example();
        assert_eq!((parent_aid(&g, &h1), parent_aid(&g, &h2)), (0, 8));
    }

    #[test]
    fn agrees_with_gadjid() {
        agrees_with_fixtures("parent_aid", |truth, guess| Some(parent_aid(truth, guess) as f64));
    }
}
