//! Structural Hamming distance, a reversal counted once.

use oslow_core::Dag;

use crate::Metric;

/// The metric's entry in the registry.
pub(crate) const ENTRY: Metric = Metric {
    name: "shd",
    summary: "structural Hamming distance: missing, extra and reversed edges, each counted once",
    whole: true,
    measure: |truth, answer| Some(shd(truth, answer.graph?) as f64),
};

/// The number of pairs of nodes that are joined differently: edges to add, remove or reverse until the guess is the
/// truth.
///
/// A reversal counts 1, as in the SCORE, GraN-DAG, gCastle and gadjid programs.
/// [`shd_reversal_twice`](crate::shd_reversal_twice()) counts it 2.
///
/// ```
/// use oslow_core::Dag;
/// let truth = Dag::new(3, &[(0, 1), (0, 2)]).unwrap();
/// let guess = Dag::new(3, &[(1, 0), (1, 2)]).unwrap();
/// assert_eq!(oslow_metrics::shd(&truth, &guess), 3); // one reversed, one missing, one extra
/// ```
///
/// # Panics
///
/// If the graphs have different numbers of nodes.
///
/// # Reference
///
/// Tsamardinos, Brown, Aliferis: The max-min hill-climbing Bayesian network structure learning algorithm. Machine
/// Learning 65, 2006, for acyclic graphs in place of their classes.
pub fn shd(truth: &Dag, guess: &Dag) -> usize {
    assert_eq!(truth.nodes(), guess.nodes(), "both graphs must have the same nodes");
    let joined = |dag: &Dag, a: usize, b: usize| (dag.has(a, b), dag.has(b, a));
    let pairs = (0..truth.nodes()).flat_map(|a| (0..a).map(move |b| (a, b)));
    pairs.filter(|&(a, b)| joined(truth, a, b) != joined(guess, a, b)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{agrees_with_fixtures, agrees_with_the_shared_oracle, dags, pairs, sid_example};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_metric((a, b) in pairs(6), c in dags(6)) {
            prop_assert_eq!(shd(&a, &b), shd(&b, &a));
            prop_assert_eq!(shd(&a, &b) == 0, a == b);
            prop_assert!(shd(&a, &c) <= shd(&a, &b) + shd(&b, &c));
            prop_assert_eq!(shd(&a, &Dag::empty(6)), a.edges().len());
        }
    }

    #[test]
    fn the_example_of_sid_is_one_edge_away_in_both_directions() {
        let [g, h1, h2] = sid_example();
        assert_eq!((shd(&g, &h1), shd(&g, &h2)), (1, 1));
    }

    #[test]
    fn agrees_with_gadjid() {
        agrees_with_fixtures("shd", |truth, guess| Some(shd(truth, guess) as f64));
        agrees_with_the_shared_oracle("shd_reversal_counts_1", shd);
    }
}
