//! Structural Hamming distance, a reversal counted twice.

use oslow_core::Dag;

use crate::Metric;

/// The metric's entry in the registry.
pub(crate) const ENTRY: Metric = Metric {
    name: "shd_reversal_twice",
    summary: "structural Hamming distance in which a reversed edge is one missing and one extra edge",
    whole: true,
    measure: |truth, answer| Some(shd_reversal_twice(truth, answer.graph?) as f64),
};

/// The number of cells in which the two adjacency matrices differ: missing edges plus extra edges.
///
/// A reversal counts 2, as in the Causal Discovery Toolbox unless told otherwise and in the public OSLow program.
///
/// ```
/// use oslow_core::Dag;
/// let truth = Dag::new(3, &[(0, 1), (0, 2)]).unwrap();
/// let guess = Dag::new(3, &[(1, 0), (1, 2)]).unwrap();
/// assert_eq!(oslow_metrics::shd_reversal_twice(&truth, &guess), 4);
/// ```
///
/// # Panics
///
/// If the graphs have different numbers of nodes.
///
/// # Reference
///
/// Kalainathan, Goudet, Dutta: Causal discovery toolbox. JMLR 21, 2020.
pub fn shd_reversal_twice(truth: &Dag, guess: &Dag) -> usize {
    assert_eq!(truth.nodes(), guess.nodes(), "both graphs must have the same nodes");
    let cells = (0..truth.nodes()).flat_map(|a| (0..truth.nodes()).map(move |b| (a, b)));
    cells.filter(|&(a, b)| truth.has(a, b) != guess.has(a, b)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::{agrees_with_fixtures, agrees_with_the_shared_oracle, pairs, sid_example};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_exceeds_shd_by_the_reversals((truth, guess) in pairs(6)) {
            let reversed = truth.edges().iter().filter(|&&(from, to)| guess.has(to, from)).count();
            prop_assert_eq!(shd_reversal_twice(&truth, &guess), crate::shd(&truth, &guess) + reversed);
        }
    }

    #[test]
    fn the_example_of_sid() {
        let [g, h1, h2] = sid_example();
        assert_eq!((shd_reversal_twice(&g, &h1), shd_reversal_twice(&g, &h2)), (1, 2));
    }

    #[test]
    fn agrees_with_a_difference_of_matrices() {
        agrees_with_fixtures("shd_reversal_twice", |t, g| Some(shd_reversal_twice(t, g) as f64));
        agrees_with_the_shared_oracle("shd_reversal_counts_2", shd_reversal_twice);
    }
}
