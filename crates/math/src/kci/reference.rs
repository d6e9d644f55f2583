//! The test by its plain formulas on whole matrices: O(n³), only for comparison.

use super::{KciResult, gamma_tail::gamma_tail, standardised};

type Matrix = Vec<Vec<f64>>;

/// What [`super::kci_test`] should return.
pub(super) fn kci_test(x: &[f64], y: &[f64], z: &[&[f64]]) -> KciResult {
    let n = x.len();
    let rung = usize::from(n >= 200) + usize::from(n >= 1200);
    let [x, y] = [x, y].map(|column| standardised(column).unwrap());
    let z: Matrix = z.iter().map(|column| standardised(column).unwrap()).collect();
    let (statistic, mean, variance) = if z.is_empty() {
        let precision = [0.8f64, 0.5, 0.3][rung].powi(-2);
        let [a, b] = [x, y].map(|column| centre(&kernel(&[column], precision)));
        let (rows, n) = (0..n, n as f64);
        let trace = |m: &Matrix| rows.clone().map(|i| m[i][i]).sum::<f64>();
        let squares = |m: &Matrix| m.iter().flatten().map(|v| v * v).sum::<f64>();
        (total(&a, &b, 1), trace(&a) * trace(&b) / n, 2.0 * squares(&a) * squares(&b) / (n * n))
    } else {
        let precision = [1.2f64, 0.7, 0.4][rung].powi(-2) / z.len() as f64;
        let mut joined = vec![x];
        joined.extend(z.iter().map(|column| column.iter().map(|v| 0.5 * v).collect()));
        let [first, second, given] =
            [&joined, &vec![y], &z].map(|columns| centre(&kernel(columns, precision)));
        let mut ridged = given;
        (0..n).for_each(|i| ridged[i][i] += 1e-3);
        let residual: Matrix =
            inverse(ridged).iter().map(|row| row.iter().map(|v| 1e-3 * v).collect()).collect();
        let [a, b] = [first, second].map(|k| multiply(&multiply(&residual, &k), &residual));
        let mean = (0..n).map(|i| a[i][i] * b[i][i]).sum();
        (total(&a, &b, 1), mean, 2.0 * total(&a, &b, 2))
    };
    KciResult { statistic, p_value: gamma_tail(statistic, mean, variance) }
}

fn kernel(columns: &[Vec<f64>], precision: f64) -> Matrix {
    let n = columns[0].len();
    let distance = |i: usize, j: usize| columns.iter().map(|c| (c[i] - c[j]).powi(2)).sum::<f64>();
    (0..n).map(|i| (0..n).map(|j| (-0.5 * precision * distance(i, j)).exp()).collect()).collect()
}

/// H·K·H.
fn centre(k: &Matrix) -> Matrix {
    let n = k.len() as f64;
    let means: Vec<f64> = k.iter().map(|row| row.iter().sum::<f64>() / n).collect();
    let mean = means.iter().sum::<f64>() / n;
    let row = |i: usize| (0..k.len()).map(|j| k[i][j] - means[i] - means[j] + mean).collect();
    (0..k.len()).map(row).collect()
}

/// Σᵢⱼ (AᵢⱼBᵢⱼ)ᵏ.
fn total(a: &Matrix, b: &Matrix, power: i32) -> f64 {
    a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| (a * b).powi(power)).sum()
}

fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let mut product = vec![vec![0.0; b[0].len()]; a.len()];
    for (row, out) in a.iter().zip(&mut product) {
        for (factor, other) in row.iter().zip(b) {
            out.iter_mut().zip(other).for_each(|(sum, value)| *sum += factor * value);
        }
    }
    product
}

/// Gauss and Jordan's elimination with partial pivoting.
fn inverse(mut a: Matrix) -> Matrix {
    let n = a.len();
    let mut inverse: Matrix = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        inverse.swap(k, pivot);
        let scale = 1.0 / a[k][k];
        a[k].iter_mut().chain(&mut inverse[k]).for_each(|value| *value *= scale);
        let (row, image) = (a[k].clone(), inverse[k].clone());
        for i in (0..n).filter(|&i| i != k) {
            let factor = a[i][k];
            a[i].iter_mut().zip(&row).for_each(|(value, other)| *value -= factor * other);
            inverse[i].iter_mut().zip(&image).for_each(|(value, other)| *value -= factor * other);
        }
    }
    inverse
}
