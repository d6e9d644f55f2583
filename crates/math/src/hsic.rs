//! The Hilbert-Schmidt independence criterion of two variables.

use oslow_core::check_stop;
use pulp::{Simd, with_simd};

use crate::exponentials::exponentials;
use crate::simd::simd;

/// Numbers that are added up side by side. Fixed, so that every machine gives the same sums.
const LANES: usize = 8;

/// The biased estimate tr(K·H·L·H)/n² with Gaussian kernels, k(a, b) = exp(−(a − b)²/m) where m is the median of the squared
/// distances that are not 0, and centring H = I − 11ᵀ/n. It is 0 for independent variables and many rows, and at most 1/4.
///
/// ```
/// let x = [0.0, 1.0, 2.0, 3.0];
/// assert!(oslow_math::hsic(&x, &x) > oslow_math::hsic(&x, &[1.0, 0.0, 0.0, 1.0]));
/// ```
///
/// # Algorithm
///
/// ΣKL/n² − 2Σᵢ(K1)ᵢ(L1)ᵢ/n³ + ΣK·ΣL/n⁴, a row of both matrices at a time.
///
/// # Cost
///
/// n² exponentials, and memory for n²/2 distances, of which the median is taken.
///
/// # Panics
///
/// If the variables have different lengths.
///
/// # Reference
///
/// Gretton, Bousquet, Smola, Schölkopf: Measuring statistical dependence with Hilbert-Schmidt norms. ALT 2005.
pub fn hsic(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x.len(), y.len(), "two variables of one length");
    let n = x.len() as f64;
    let (x, y) = (scaled(x), scaled(y));
    let (mut k, mut l) = (Vec::new(), Vec::new());
    // Off the diagonal each pair stands twice; on it every product is 1.
    let mut both = n;
    let (mut of_k, mut of_l) = (vec![1.0; x.len()], vec![1.0; y.len()]);
    for i in 1..x.len() {
        check_stop();
        kernel_row(&x, i, &mut k);
        kernel_row(&y, i, &mut l);
        let [sum_k, sum_l, sum_both] = add_rows(&k, &l, &mut of_k[..i], &mut of_l[..i]);
        of_k[i] += sum_k;
        of_l[i] += sum_l;
        both += 2.0 * sum_both;
    }
    let cross: f64 = of_k.iter().zip(&of_l).map(|(k, l)| k * l).sum();
    let (all_k, all_l) = (of_k.iter().sum::<f64>(), of_l.iter().sum::<f64>());
    both / (n * n) - 2.0 * cross / n.powi(3) + all_k * all_l / n.powi(4)
}

/// The values in a unit in which k(a, b) = exp(−(a − b)²).
fn scaled(values: &[f64]) -> Vec<f64> {
    let median = median_of_squares(values);
    let scale = if median > 0.0 { 1.0 / median.sqrt() } else { 0.0 };
    values.iter().map(|value| value * scale).collect()
}

/// The median of the squared distances that are not 0, between the two middle ones if their number is even; 0 if there are none.
fn median_of_squares(values: &[f64]) -> f64 {
    let mut squares: Vec<f64> = Vec::with_capacity(values.len() * values.len() / 2);
    for (i, a) in values.iter().enumerate() {
        check_stop();
        squares.extend(values[..i].iter().map(|b| (a - b) * (a - b)).filter(|square| *square > 0.0));
    }
    if squares.is_empty() {
        return 0.0;
    }
    let (count, middle) = (squares.len(), squares.len() / 2);
    let (below, &mut upper, _) = squares.select_nth_unstable_by(middle, f64::total_cmp);
    let lower = if count % 2 == 1 { upper } else { below.iter().copied().fold(0.0, f64::max) };
    0.5 * (lower + upper)
}

/// Row i of a kernel matrix, left of the diagonal.
fn kernel_row(values: &[f64], i: usize, row: &mut Vec<f64>) {
    row.clear();
    row.extend(values[..i].iter().map(|b| (values[i] - b) * (values[i] - b)));
    exponentials(row);
}

/// Adds two rows to the sums of their columns; gives the sums of both and of their products.
#[with_simd(add_rows = simd())]
#[inline(always)]
fn add_rows_simd<'a, S: Simd>(
    _simd: S,
    k: &'a [f64],
    l: &'a [f64],
    of_k: &'a mut [f64],
    of_l: &'a mut [f64],
) -> [f64; 3] {
    let mut sums = [[0.0; LANES]; 3];
    for (i, ((k, l), (of_k, of_l))) in k.iter().zip(l).zip(of_k.iter_mut().zip(of_l)).enumerate() {
        *of_k += k;
        *of_l += l;
        let lane = i % LANES;
        sums[0][lane] += k;
        sums[1][lane] += l;
        sums[2][lane] += k * l;
    }
    sums.map(|lanes| lanes.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Case {
        x: Vec<f64>,
        y: Vec<f64>,
        hsic: f64,
    }

    #[test]
    fn values_are_those_of_numpy() {
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../../fixtures/bi_lsnm/hsic.json")).unwrap();
        assert_eq!(cases.len(), 6);
        for (index, case) in cases.iter().enumerate() {
            let ours = hsic(&case.x, &case.y);
            assert!((ours - case.hsic).abs() < 1e-13, "case {index}: {ours} {}", case.hsic);
            assert!((hsic(&case.y, &case.x) - ours).abs() < 1e-15);
        }
    }

    #[test]
    fn a_constant_depends_on_nothing() {
        assert!(hsic(&[1.0; 5], &[1.0, 2.0, 3.0, 4.0, 5.0]).abs() < 1e-15);
    }
}
