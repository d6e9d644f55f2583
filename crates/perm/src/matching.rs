//! The matching M: the order that fits a score matrix best.

use lapjv::{Matrix, lapjv};
use oslow_core::{Error, Ordering, Result};

/// M(Γ) = argmax over permutations of ⟨P, Γ⟩, for a d × d matrix of scores `scores[i·d + p]`, variable i at
/// position p. A linear assignment problem, solved exactly.
pub fn matching(d: usize, scores: &[f64]) -> Result<Ordering> {
    if scores.iter().any(|score| !score.is_finite()) {
        return Err(Error::non_finite("a score of the permutation matrix", "the matching"));
    }
    let costs = Matrix::from_shape_fn((d, d), |(i, p)| -scores[i * d + p]);
    let (positions, _) = lapjv(&costs).map_err(|_| Error::non_finite("the assignment", "the matching"))?;
    Ordering::from_positions(&positions)
}

/// The permutation matrix of an order: row i has its 1 at the position of variable i.
pub fn permutation_matrix(order: &Ordering) -> Vec<f64> {
    let d = order.len();
    let mut matrix = vec![0.0; d * d];
    for (position, &node) in order.nodes().iter().enumerate() {
        matrix[node * d + position] = 1.0;
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(order: &Ordering, scores: &[f64]) -> f64 {
        permutation_matrix(order).iter().zip(scores).map(|(p, s)| p * s).sum()
    }

    /// All permutations of `0..d`, by inserting the last element everywhere.
    fn all(d: usize) -> Vec<Vec<usize>> {
        if d == 0 {
            return vec![vec![]];
        }
        let insert = |rest: Vec<usize>| {
            (0..d).map(move |at| {
                let mut order = rest.clone();
                order.insert(at, d - 1);
                order
            })
        };
        all(d - 1).into_iter().flat_map(insert).collect()
    }

    proptest! {
        #[test]
        fn no_permutation_fits_better(scores in prop::collection::vec(-3.0..3.0f64, 25)) {
            let best = value(&matching(5, &scores).unwrap(), &scores);
            for nodes in all(5) {
                prop_assert!(value(&Ordering::new(nodes).unwrap(), &scores) <= best + 1e-12);
            }
        }
    }

    #[test]
    fn what_is_not_finite_is_refused() {
        assert!(matching(2, &[0.0, f64::NAN, 0.0, 0.0]).is_err());
    }
}
