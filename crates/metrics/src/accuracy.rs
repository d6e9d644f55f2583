//! Accuracy of directions.

use oslow_core::{Dag, Ordering};

use crate::{Metric, cbc};

/// The metric's entry in the registry.
pub(crate) const ENTRY: Metric = Metric {
    name: "accuracy",
    summary: "the share of true edges whose direction the order has right: 1 − cbc",
    whole: false,
    measure: |truth, answer| accuracy(truth, answer.order?),
};

/// The share of the true edges whose cause stands before its effect in the order, 1 − [`cbc`]: 1 is a valid causal
/// order, ½ is what a random order gets on average. Of many pairs of cause and effect its mean is the share of pairs
/// that were decided rightly.
///
/// `None` where the truth has no edges.
///
/// ```
/// use oslow_core::{Dag, Ordering};
/// let truth = Dag::new(2, &[(1, 0)]).unwrap();
/// let order = Ordering::new(vec![1, 0]).unwrap();
/// assert_eq!(oslow_metrics::accuracy(&truth, &order), Some(1.0));
/// ```
///
/// # Panics
///
/// If graph and order have different numbers of nodes.
pub fn accuracy(truth: &Dag, order: &Ordering) -> Option<f64> {
    cbc(truth, order).map(|backward| 1.0 - backward)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_what_the_count_of_backward_connections_leaves() {
        let truth = Dag::new(4, &[(0, 1), (0, 2), (2, 3), (1, 3)]).unwrap();
        let of = |nodes: [usize; 4]| accuracy(&truth, &Ordering::new(nodes.to_vec()).unwrap());
        assert_eq!(of([0, 1, 2, 3]), Some(1.0));
        assert_eq!(of([3, 2, 1, 0]), Some(0.0));
        assert_eq!(of([0, 3, 1, 2]), Some(0.5));
        assert_eq!(accuracy(&Dag::empty(2), &Ordering::identity(2)), None);
    }
}
