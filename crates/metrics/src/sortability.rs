//! How well a statistic of the columns that should say nothing about causes sorts them in the causal order.

use oslow_core::{Dag, Prepared, Result};
use oslow_math::{r_squared, ranks, variances};

/// Var-sortability: the share of causal paths along which the variance grows.
///
/// 1: sorting columns by variance gives a causal order, so a method that only compares variances looks perfect; 0: sorting
/// them the other way does; ½ is what a data set should have that no method can game this way. `None` where the truth has no
/// edges.
///
/// Counted are, for every length k, the pairs (a, b) that a directed path of k edges joins: those with a smaller variance at a
/// than at b as one, ties as one half. Differences by rounding are ties ([`ranks`]).
///
/// ```
/// use oslow_core::{Dag, Prepared, Preparing, Sample};
/// let truth = Dag::new(2, &[(0, 1)]).unwrap();
/// let names = ["a", "b"].map(String::from).to_vec();
/// let sample = Sample::new(names, vec![1.0, 3.0, 2.0, 1.0, 3.0, 9.0]).unwrap();
/// let prepared = Prepared::new(&sample, Preparing::as_given()).unwrap();
/// assert_eq!(oslow_metrics::var_sortability(&truth, &prepared), Some(1.0));
/// ```
///
/// # Panics
///
/// If the graph's nodes are not as many as the columns.
///
/// # Reference
///
/// Reisach, Seiler, Weichwald: Beware of the simulated DAG! Causal discovery benchmarks may be easy to game. NeurIPS 2021.
pub fn var_sortability(truth: &Dag, sample: &Prepared) -> Option<f64> {
    assert_eq!(truth.nodes(), sample.columns(), "graph and sample must have the same nodes");
    sortability(truth, &ranks(&variances(sample), 0.0))
}

/// R²-sortability: the share of causal paths along which R² grows, the share of a column's variance that all others explain
/// linearly. Counted as in [`var_sortability`]; other than variances it does not depend on the units of the columns. `None` where
/// the truth has no edges.
///
/// ```
/// use oslow_core::{Dag, Prepared, Preparing, Sample};
/// let truth = Dag::new(2, &[(0, 1)]).unwrap();
/// let names = ["a", "b"].map(String::from).to_vec();
/// let sample = Sample::new(names, vec![1.0, 3.0, 2.0, 1.0, 3.0, 9.0]).unwrap();
/// let prepared = Prepared::new(&sample, Preparing::as_given()).unwrap();
/// // Of two columns each explains as much of the other: a tie.
/// assert_eq!(oslow_metrics::r2_sortability(&truth, &prepared).unwrap(), Some(0.5));
/// ```
///
/// # Errors
///
/// Where a correlation is not finite.
///
/// # Panics
///
/// If the graph's nodes are not as many as the columns.
///
/// # Reference
///
/// Reisach, Tami, Seiler, Chambaz, Weichwald: A scale-invariant sorting criterion to find a causal order in additive noise
/// models. NeurIPS 2023.
pub fn r2_sortability(truth: &Dag, sample: &Prepared) -> Result<Option<f64>> {
    assert_eq!(truth.nodes(), sample.columns(), "graph and sample must have the same nodes");
    Ok(sortability(truth, &ranks(&r_squared(sample)?, 1.0)))
}

/// Over all lengths k and all pairs (a, b) that a directed path of k edges joins: the share with a smaller rank at a than at
/// b, ties counted one half. A pair counts once for each length of which there is a path.
///
/// Ranks take differences by rounding for ties ([`ranks`]); the CausalDisco program compares exactly unless told otherwise.
fn sortability(truth: &Dag, ranks: &[usize]) -> Option<f64> {
    let d = truth.nodes();
    let children: Vec<Vec<usize>> = (0..d).map(|node| truth.children(node)).collect();
    let (mut halves, mut pairs) = (0, 0);
    for start in 0..d {
        let mut ends = vec![start];
        while !ends.is_empty() {
            // All ends of paths that are one edge longer, each once.
            let mut next = vec![false; d];
            ends.iter().flat_map(|&node| &children[node]).for_each(|&child| next[child] = true);
            ends = (0..d).filter(|&node| next[node]).collect();
            pairs += ends.len();
            halves += ends.iter().map(|&end| half_points(ranks[start], ranks[end])).sum::<usize>();
        }
    }
    (pairs > 0).then(|| halves as f64 / (2 * pairs) as f64)
}

fn half_points(cause: usize, effect: usize) -> usize {
    match cause.cmp(&effect) {
        std::cmp::Ordering::Less => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::dags;
    use oslow_core::{Preparing, Sample};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn causal_ranks_get_1_reversed_ones_0_and_equal_ones_a_half(truth in dags(7)) {
            let expected = |share: f64| (!truth.edges().is_empty()).then_some(share);
            let positions = truth.topological_order().positions();
            let reversed: Vec<usize> = positions.iter().map(|p| 6 - p).collect();
            prop_assert_eq!(sortability(&truth, &positions), expected(1.0));
            prop_assert_eq!(sortability(&truth, &reversed), expected(0.0));
            prop_assert_eq!(sortability(&truth, &[3; 7]), expected(0.5));
        }
    }

    #[test]
    fn a_pair_counts_once_for_each_length() {
        // 0 → 1 → 2 and 0 → 2: (0, 1), (1, 2), (0, 2) by one edge, (0, 2) by two.
        let truth = Dag::new(3, &[(0, 1), (1, 2), (0, 2)]).unwrap();
        assert_eq!(sortability(&truth, &[0, 2, 1]), Some(0.75));
    }

    #[derive(serde::Deserialize)]
    struct Case {
        nodes: usize,
        truth: Vec<(usize, usize)>,
        data: Vec<Vec<f64>>,
        var_sortability: f64,
        r2_sortability: f64,
    }

    #[test]
    fn agrees_with_causal_disco() {
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../../fixtures/metrics/sortability.json")).unwrap();
        assert!(cases.len() >= 6);
        for case in cases {
            let truth = Dag::new(case.nodes, &case.truth).unwrap();
            let names = (0..case.nodes).map(|j| format!("X{j}")).collect();
            let sample = Sample::new(names, case.data.concat()).unwrap();
            let sample = Prepared::new(&sample, Preparing::as_given()).unwrap();
            let by_variance = var_sortability(&truth, &sample).unwrap();
            let by_r2 = r2_sortability(&truth, &sample).unwrap().unwrap();
            assert!((by_variance - case.var_sortability).abs() < 1e-12);
            assert!((by_r2 - case.r2_sortability).abs() < 1e-12);
        }
    }
}
