//! The simplex: weights that are nearest to scores.

use oslow_core::Precedence;

use super::{Origin, SparseOrders, k_best, value};

/// The Euclidean projection of scores onto the simplex, max(s − τ, 0) with the τ that makes it sum to 1.
///
/// Martins, Astudillo: From softmax to sparsemax. ICML 2016.
///
/// ```
/// assert_eq!(oslow_perm::sparsemax(&[1.0, 0.5, -2.0]), [0.75, 0.25, 0.0]);
/// ```
pub fn sparsemax(scores: &[f64]) -> Vec<f64> {
    let mut descending = scores.to_vec();
    descending.sort_by(|a, b| b.total_cmp(a));
    let (mut sum, mut threshold) = (0.0, f64::NEG_INFINITY);
    for (count, score) in descending.iter().enumerate() {
        sum += score;
        let with_this = (sum - 1.0) / (count + 1) as f64;
        if *score <= with_this {
            break;
        }
        threshold = with_this;
    }
    scores.iter().map(|score| (score - threshold).max(0.0)).collect()
}

/// The gradient in the scores, given that in the weights: on the support, less its mean there.
pub fn sparsemax_pull_back(weights: &[f64], d_weights: &[f64]) -> Vec<f64> {
    let supported = |weight: &f64| *weight > 0.0;
    let count = weights.iter().filter(|weight| supported(weight)).count() as f64;
    let pairs = weights.iter().zip(d_weights);
    let mean =
        pairs.clone().filter(|(weight, _)| supported(weight)).map(|(_, slope)| slope).sum::<f64>() / count;
    pairs.map(|(weight, slope)| if supported(weight) { slope - mean } else { 0.0 }).collect()
}

/// The sparsemax of ⟨θ, ρ⟩ over the k best orders; see [`k_best`] for what a precedence does.
pub fn top_k_sparsemax(theta: &[f64], k: usize, precedence: &Precedence) -> SparseOrders {
    let mut orders = k_best(theta, k, precedence);
    let scores: Vec<f64> = orders.iter().map(|order| value(theta, order)).collect();
    let mut weights = sparsemax(&scores);
    // The best come first, and a better order never has less weight.
    weights.retain(|weight| *weight > 0.0);
    orders.truncate(weights.len());
    SparseOrders { orders, weights, origin: Origin::Sparsemax }
}

#[cfg(test)]
mod tests {
    use super::super::k_best::tests::free;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_gradient_is_that_of_finite_differences(
            theta in prop::collection::vec(-0.3..0.3f64, 4), slopes in prop::collection::vec(-1.0..1.0f64, 24),
        ) {
            // A loss for every order, so that it does not matter how they are counted.
            let loss = |order: &oslow_core::Ordering| {
                let nodes = order.nodes();
                slopes[nodes[0] * 6 + nodes[1]] + slopes[nodes[2] * 6 + nodes[0]]
            };
            let apply = |theta: &[f64]| top_k_sparsemax(theta, 10, &free(4));
            let expected = |theta: &[f64]| {
                let found = apply(theta);
                found.orders.iter().zip(&found.weights).map(|(order, weight)| weight * loss(order)).sum::<f64>()
            };
            let found = apply(&theta);
            let losses: Vec<f64> = found.orders.iter().map(loss).collect();
            let gradient = found.pull_back(&losses);
            for k in 0..4 {
                let moved = |step: f64| theta.iter().enumerate().map(|(i, t)| if i == k { t + step } else { *t }).collect::<Vec<_>>();
                let (up, down) = (moved(1e-6), moved(-1e-6));
                let same = |other: &[f64]| {
                    let mut orders = [apply(other).orders, found.orders.clone()];
                    orders.iter_mut().for_each(|orders| orders.sort());
                    orders[0] == orders[1]
                };
                // Where the support changes, there is no derivative.
                if same(&up) && same(&down) {
                    prop_assert!(((expected(&up) - expected(&down)) / 2e-6 - gradient[k]).abs() < 1e-8);
                }
            }
        }
    }
}
