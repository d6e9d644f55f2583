//! Count of backward connections.

use oslow_core::{Dag, Ordering};

use crate::Metric;

/// The metric's entry in the registry.
pub(crate) const ENTRY: Metric = Metric {
    name: "cbc",
    summary: "count of backward connections: the share of true edges that point backwards in the order",
    whole: false,
    measure: |truth, answer| cbc(truth, answer.order?),
};

/// The share of the true edges whose cause stands after its effect in the order: 0 is a valid causal
/// order, 1 its reverse, ½ is what a random order gets on average.
///
/// `None` where the truth has no edges: every order is then right, and a share of nothing is no number.
///
/// ```
/// use oslow_core::{Dag, Ordering};
/// let truth = Dag::new(3, &[(0, 1), (0, 2)]).unwrap();
/// let order = Ordering::new(vec![1, 0, 2]).unwrap();
/// assert_eq!(oslow_metrics::cbc(&truth, &order), Some(0.5));
/// ```
///
/// # Panics
///
/// If graph and order have different numbers of nodes.
///
/// # Reference
///
/// CBC of the OSLow paper. Its formula indexes π by node, which is [`Ordering::positions`] here.
pub fn cbc(truth: &Dag, order: &Ordering) -> Option<f64> {
    assert_eq!(truth.nodes(), order.len(), "graph and order must have the same nodes");
    let edges = truth.edges();
    let positions = order.positions();
    let backward = edges.iter().filter(|&&(cause, effect)| positions[cause] > positions[effect]).count();
    (!edges.is_empty()).then(|| backward as f64 / edges.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{along, from_rows};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_topological_order_gets_0_and_its_reverse_1(
            nodes in Just((0..7usize).collect::<Vec<_>>()).prop_shuffle(),
            kept in prop::collection::vec(any::<bool>(), 21),
        ) {
            let truth = along(&nodes, &kept);
            let reversed = nodes.iter().rev().copied().collect();
            let expected = |share: f64| kept.contains(&true).then_some(share);
            prop_assert_eq!(cbc(&truth, &Ordering::new(nodes).unwrap()), expected(0.0));
            prop_assert_eq!(cbc(&truth, &Ordering::new(reversed).unwrap()), expected(1.0));
            prop_assert_eq!(cbc(&truth, &truth.topological_order()), expected(0.0));
        }

        #[test]
        fn an_order_and_its_reverse_share_the_edges(
            nodes in Just((0..7usize).collect::<Vec<_>>()).prop_shuffle(),
            order in Just((0..7usize).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let truth = along(&nodes, &[true; 21]);
            let reversed = Ordering::new(order.iter().rev().copied().collect()).unwrap();
            let sum = cbc(&truth, &Ordering::new(order).unwrap()).unwrap() + cbc(&truth, &reversed).unwrap();
            prop_assert!((sum - 1.0).abs() < 1e-12);
        }
    }

    #[derive(serde::Deserialize)]
    struct Case {
        /// Row → column.
        dag: Vec<Vec<u8>>,
        order_position_to_node: Vec<usize>,
        cbc: Option<f64>,
    }

    fn check(text: &str) {
        let cases: Vec<Case> = serde_json::from_str(text).unwrap();
        assert!(cases.len() >= 10);
        for case in cases {
            let truth = from_rows(&case.dag);
            let got = cbc(&truth, &Ordering::new(case.order_position_to_node).unwrap());
            match (got, case.cbc) {
                (Some(got), Some(expected)) => assert!((got - expected).abs() < 1e-12),
                (got, expected) => assert_eq!(got, expected),
            }
        }
    }

    #[test]
    fn agrees_with_an_independent_program() {
        check(include_str!("../../../fixtures/cbc/cases.json"));
    }

    #[test]
    fn agrees_with_the_shared_oracle() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/fixtures/h_cbc.json");
        match std::fs::read_to_string(path) {
            Ok(text) => check(&text),
            Err(_) => println!("skipped: the shared fixtures are not beside the project"),
        }
    }
}
