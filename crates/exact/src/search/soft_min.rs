//! Costs of things that may all happen.

use oslow_math::{fused_exponential, simd};
use pulp::{Simd, with_simd};

/// What is so much dearer, e⁻⁴⁰ times as likely, does not change a number.
const NEGLIGIBLE: f64 = 40.0;
/// Numbers that are added up side by side.
const LANES: usize = 8;

/// −ln Σ exp(−cost): what things cost together that weigh exp(−cost) each.
pub(super) fn soft_min(costs: &[f64]) -> f64 {
    match costs {
        [] => f64::INFINITY,
        [cost] => *cost,
        _ => soft_min_of_many(costs),
    }
}

#[with_simd(soft_min_of_many = simd())]
#[inline(always)]
fn soft_min_of_many_simd<S: Simd>(_simd: S, costs: &[f64]) -> f64 {
    let (whole, rest) = costs.as_chunks::<LANES>();
    let mut last = [f64::INFINITY; LANES];
    last[..rest.len()].copy_from_slice(rest);
    let chunks = || whole.iter().chain((!rest.is_empty()).then_some(&last));
    let mut leasts = [f64::INFINITY; LANES];
    for costs in chunks() {
        for (least, cost) in leasts.iter_mut().zip(costs) {
            *least = if cost < least { *cost } else { *least };
        }
    }
    let least = leasts.into_iter().fold(f64::INFINITY, f64::min);
    if least == f64::INFINITY {
        return least;
    }
    let mut sums = [0.0; LANES];
    for costs in chunks() {
        for (sum, cost) in sums.iter_mut().zip(costs) {
            *sum += fused_exponential::<S>(least - cost);
        }
    }
    least - sums.iter().sum::<f64>().ln()
}

/// The weights exp(−cost) of things that may all happen; what is negligible weighs nothing.
#[with_simd(weigh = simd())]
#[inline(always)]
pub(super) fn weigh_simd<S: Simd>(_simd: S, costs: &mut [f64]) {
    for cost in costs {
        *cost = if *cost > NEGLIGIBLE { 0.0 } else { fused_exponential::<S>(-*cost) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_added() {
        for costs in [&[1.0, 2.0][..], &[700.0, 699.5, 701.25], &[-3.0, 60.0], &[5.0; 17], &[4.0]] {
            let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
            let direct = least - costs.iter().map(|cost| (least - cost).exp()).sum::<f64>().ln();
            assert!((soft_min(costs) - direct).abs() < 1e-12);
        }
        assert_eq!(soft_min(&[f64::INFINITY, 3.0]), 3.0);
        assert_eq!(soft_min(&[f64::INFINITY; 9]), f64::INFINITY);
        assert_eq!(soft_min(&[]), f64::INFINITY);
    }

    #[test]
    fn weights_are_those_of_costs() {
        let mut weights = [0.0, 1.5, 39.0, 41.0, f64::INFINITY];
        weigh(&mut weights);
        let expected = [1.0, (-1.5_f64).exp(), (-39.0_f64).exp(), 0.0, 0.0];
        for (weight, expected) in weights.into_iter().zip(expected) {
            assert!((weight - expected).abs() <= 1e-14 * expected);
        }
    }
}
