//! The exponential of a matrix.

use crate::dense_product::{View, multiply};

/// The largest norm at which the series is used; of its terms the first that is left out is below 2·10⁻¹⁷ then.
const LARGEST_NORM: f64 = 0.75;
/// Terms of the series that are added up before a product with A⁴.
const GROUP: usize = 4;
/// The power at which the series ends, a multiple of [`GROUP`].
const DEGREE: usize = 16;

/// exp A for a square matrix with `size` rows, row by row: the series of A/2ˢ to the sixteenth power in six products, and then s
/// squarings.
///
/// The derivative of tr exp A in A is (exp A)ᵀ.
///
/// ```
/// let rotation = oslow_math::matrix_exponential(&[0.0, -1.0, 1.0, 0.0], 2);
/// assert!((rotation[0] - 1f64.cos()).abs() < 1e-15 && (rotation[2] - 1f64.sin()).abs() < 1e-15);
/// ```
///
/// # Panics
///
/// If the matrix is not square.
pub fn matrix_exponential(matrix: &[f64], size: usize) -> Vec<f64> {
    assert_eq!(matrix.len(), size * size, "a matrix with an exponential is square");
    let norm = row_norm(matrix, size);
    let halvings = if norm > LARGEST_NORM { (norm / LARGEST_NORM).log2().ceil() as i32 } else { 0 };
    let scale = 0.5f64.powi(halvings);
    let first: Vec<f64> = matrix.iter().map(|value| value * scale).collect();
    let second = product(&first, &first, size);
    let third = product(&second, &first, size);
    let fourth = product(&second, &second, size);
    let powers = [first, second, third];

    // c₁₆·A⁴ + the terms 12 to 15, times A⁴, + the terms 8 to 11, …
    let mut sum: Vec<f64> = fourth.iter().map(|value| value * inverse_factorial(DEGREE)).collect();
    for start in (0..DEGREE).step_by(GROUP).rev() {
        for (step, power) in powers.iter().enumerate() {
            let coefficient = inverse_factorial(start + step + 1);
            sum.iter_mut().zip(power).for_each(|(sum, value)| *sum += coefficient * value);
        }
        let constant = inverse_factorial(start);
        (0..size).for_each(|i| sum[i * size + i] += constant);
        if start > 0 {
            sum = product(&sum, &fourth, size);
        }
    }
    for _ in 0..halvings {
        sum = product(&sum, &sum, size);
    }
    sum
}

/// The largest sum of a row's absolute values.
fn row_norm(matrix: &[f64], size: usize) -> f64 {
    let sum = |row: &[f64]| row.iter().map(|value| value.abs()).sum::<f64>();
    matrix.chunks_exact(size.max(1)).map(sum).fold(0.0, f64::max)
}

fn product(a: &[f64], b: &[f64], size: usize) -> Vec<f64> {
    let mut c = vec![0.0; size * size];
    multiply(&mut c, (size, size, size), 0.0, 1.0, View::rows(a, size), View::rows(b, size));
    c
}

fn inverse_factorial(n: usize) -> f64 {
    1.0 / (1..=n).map(|k| k as f64).product::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Case {
        matrix: Vec<Vec<f64>>,
        exponential: Vec<Vec<f64>>,
    }

    #[test]
    fn it_is_that_of_scipy() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/gran_dag/exponentials.json");
        let cases: Vec<Case> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert!(cases.len() >= 8);
        for Case { matrix, exponential } in cases {
            let size = matrix.len();
            let found = matrix_exponential(&matrix.concat(), size);
            let largest = row_norm(&found, size);
            for (found, expected) in found.iter().zip(exponential.concat()) {
                // Where the norm is 38, scipy itself is wrong by 1e-13 of the norm of the result.
                assert!((found - expected).abs() < 5e-13 * largest, "{size} × {size}: {found} {expected}");
            }
        }
    }

    #[test]
    fn the_derivative_of_the_trace_is_the_transpose() {
        let (size, step) = (5, 1e-5);
        let matrix: Vec<f64> = (0..25).map(|k| 0.4 * (1.7 * f64::from(k)).sin()).collect();
        let trace = |matrix: &[f64]| -> f64 {
            let whole = matrix_exponential(matrix, size);
            (0..size).map(|i| whole[i * size + i]).sum()
        };
        let exponential = matrix_exponential(&matrix, size);
        for k in 0..size * size {
            let at = |change: f64| {
                let mut moved = matrix.clone();
                moved[k] += change;
                trace(&moved)
            };
            let slope = (at(step) - at(-step)) / (2.0 * step);
            assert!((slope - exponential[k % size * size + k / size]).abs() < 1e-8, "{k}");
        }
    }
}
