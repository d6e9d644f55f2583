//! Stein's estimator of the score's derivatives.

use oslow_core::check_stop;
use pulp::{Simd, with_simd};

use crate::NotPositiveDefinite;
use crate::blocked_cholesky::{blocked_cholesky, solve_blocked};
use crate::exponentials::exponentials;
use crate::gaussian_process::add_squared_distances;
use crate::simd::simd;

/// Numbers that are added up side by side. Fixed, so that every machine gives the same sums.
const LANES: usize = 8;

/// ∂²log p/∂xⱼ² at each row, for each column j, of the density p that the rows of these columns were drawn from.
///
/// # Model
///
/// Gaussian kernel K(a, b) = exp(−‖a − b‖²/2s²)/s on the n rows, s the median of all n² distances (the lower one, the zeros of
/// rows to themselves among them; of the positive ones where that is 0). By Stein's identity the gradient of log p is
/// estimated as G = (K + ηI)⁻¹∇K and the diagonal of its Hessian as −G∘G + (K + ηI)⁻¹∇²K, with
/// (∇K)ₐⱼ = −Σ_b K(a, b)·(aⱼ − bⱼ)/s² and (∇²K)ₐⱼ = Σ_b K(a, b)·((aⱼ − bⱼ)²/s⁴ − 1/s²). η is the `ridge`.
///
/// # Cost
///
/// One Cholesky factorisation, n³/6 multiplications, and O(n²·d) for d columns; memory for 1½n² numbers.
///
/// # Errors
///
/// Where K + ηI is numerically singular, or a number is not finite.
///
/// # Panics
///
/// If the columns are not of one length.
///
/// # Reference
///
/// Li, Turner: Gradient estimators for implicit models. ICLR 2018. Rolland et al.: Score matching enables causal discovery of
/// nonlinear additive noise models. ICML 2022.
pub fn stein_hessian(columns: &[&[f64]], ridge: f64) -> Result<Vec<Vec<f64>>, NotPositiveDefinite> {
    let (n, d) = (columns.first().map_or(0, |column| column.len()), columns.len());
    assert!(columns.iter().all(|column| column.len() == n), "columns of one length");
    let mut kernel = squared_distances(columns, n);
    let width = median_distance(&kernel, n);
    let scale = 0.5 / (width * width);
    for row in kernel.chunks_exact_mut(n.max(1)) {
        row.iter_mut().for_each(|square| *square *= scale);
        exponentials(row);
        row.iter_mut().for_each(|value| *value /= width);
    }
    // ∇K and ∇²K side by side, a row for each row of the table.
    let mut derivatives = vec![0.0; n * 2 * d];
    for (a, (row, weights)) in derivatives.chunks_exact_mut(2 * d).zip(kernel.chunks_exact(n)).enumerate() {
        check_stop();
        for (j, column) in columns.iter().enumerate() {
            let moments = weighted_moments(weights, column, column[a]);
            row[j] = moments[1] / (width * width);
            row[d + j] = (moments[2] / (width * width) - moments[0]) / (width * width);
        }
    }
    (0..n).for_each(|a| kernel[a * n + a] += ridge);
    blocked_cholesky(&mut kernel, n)?;
    solve_blocked(&kernel, n, &mut derivatives);
    let at = |j: usize| move |row: &[f64]| row[d + j] - row[j] * row[j];
    Ok((0..d).map(|j| derivatives.chunks_exact(2 * d).map(at(j)).collect()).collect())
}

/// ‖a − b‖² of all pairs of rows.
fn squared_distances(columns: &[&[f64]], n: usize) -> Vec<f64> {
    let mut squares = vec![0.0; n * n];
    columns.iter().for_each(|column| add_squared_distances(&mut squares, column, column));
    squares
}

/// The lower median of all n² distances; where it is 0, of those that are not.
fn median_distance(squares: &[f64], n: usize) -> f64 {
    let mut below: Vec<f64> = (0..n).flat_map(|a| &squares[a * n..a * n + a]).copied().collect();
    // In the sorted matrix the diagonal's zeros come first, and each pair is there twice.
    let middle = ((n * n).saturating_sub(1) / 2).saturating_sub(n) / 2;
    let median = |values: &mut Vec<f64>, middle: usize| match values.len() {
        0 => 0.0,
        _ => *values.select_nth_unstable_by(middle, f64::total_cmp).1,
    };
    let whole = median(&mut below, middle);
    if whole > 0.0 {
        return whole.sqrt();
    }
    below.retain(|square| *square > 0.0);
    let middle = below.len().saturating_sub(1) / 2;
    median(&mut below, middle).sqrt()
}

/// Σ w, Σ w(x − centre) and Σ w(x − centre)².
fn weighted_moments(weights: &[f64], column: &[f64], centre: f64) -> [f64; 3] {
    let mut moments = [0.0; 3];
    add_moments(weights, column, centre, &mut moments);
    moments
}

#[with_simd(add_moments = simd())]
#[inline(always)]
fn add_moments_simd<'a, S: Simd>(
    _simd: S,
    weights: &'a [f64],
    column: &'a [f64],
    centre: f64,
    moments: &'a mut [f64; 3],
) {
    let mut sums = [[0.0; LANES]; 3];
    let ((weights, last_weights), (column, last)) =
        (weights.as_chunks::<LANES>(), column.as_chunks::<LANES>());
    for (weights, values) in weights.iter().zip(column) {
        for lane in 0..LANES {
            let (weight, apart) = (weights[lane], values[lane] - centre);
            sums[0][lane] += weight;
            sums[1][lane] += weight * apart;
            sums[2][lane] += weight * (apart * apart);
        }
    }
    for (lane, (weight, value)) in last_weights.iter().zip(last).enumerate() {
        let apart = value - centre;
        sums[0][lane] += weight;
        sums[1][lane] += weight * apart;
        sums[2][lane] += weight * (apart * apart);
    }
    for (moment, sums) in moments.iter_mut().zip(sums) {
        *moment = sums.iter().sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Case {
        /// Column by column.
        columns: Vec<Vec<f64>>,
        ridge: f64,
        width: f64,
        hessian: Vec<Vec<f64>>,
    }

    #[test]
    fn the_estimate_is_that_of_a_general_solver() {
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../../fixtures/score/hessian.json")).unwrap();
        assert_eq!(cases.len(), 6);
        for case in cases {
            let columns: Vec<&[f64]> = case.columns.iter().map(Vec::as_slice).collect();
            let n = columns[0].len();
            let width = median_distance(&squared_distances(&columns, n), n);
            assert!((width - case.width).abs() < 1e-9 * width, "{width} {}", case.width);
            let found = stein_hessian(&columns, case.ridge).unwrap();
            let largest = case.hessian.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
            for (ours, theirs) in found.iter().flatten().zip(case.hessian.iter().flatten()) {
                assert!((ours - theirs).abs() < 1e-6 * largest, "{ours} {theirs} of {largest}");
            }
        }
    }

    /// log p of independent normal columns is quadratic: its second derivative is −1/variance everywhere.
    #[test]
    fn a_normal_density_has_a_constant_second_derivative() {
        let mut state = 0u64;
        let mut uniform = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let bits = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut normal = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        let columns: [Vec<f64>; 2] = [1.0, 2.0].map(|sd| (0..400).map(|_| sd * normal()).collect());
        let mut found = stein_hessian(&[&columns[0], &columns[1]], 1e-3).unwrap();
        // The estimate is poor in the tails, so the median of the rows is looked at.
        found.iter_mut().for_each(|values| values.sort_by(f64::total_cmp));
        // Its standard error over such tables is near 0.05.
        assert!((found[0][200] + 1.0).abs() < 0.25, "{}", found[0][200]);
        assert!((found[1][200] + 0.25).abs() < 0.15, "{}", found[1][200]);
    }

    #[test]
    fn the_median_counts_the_diagonal_and_never_is_0() {
        // Distances 0, 0, 0, 1, 1, 1, 1, 2, 2: the fifth is 1.
        let median = |x: &[f64]| median_distance(&squared_distances(&[x], x.len()), x.len());
        assert_eq!(median(&[0.0, 1.0, 2.0]), 1.0);
        assert_eq!(median(&[0.0, 0.0, 0.0, 0.0, 3.0]), 3.0);
        for n in [4, 5, 8, 31] {
            let x: Vec<f64> = (0..n).map(|i| ((i * i) as f64).sin()).collect();
            let mut all: Vec<f64> = x.iter().flat_map(|a| x.iter().map(move |b| (a - b).abs())).collect();
            all.sort_by(f64::total_cmp);
            assert_eq!(median(&x), all[(n * n - 1) / 2], "{n}");
        }
    }
}
