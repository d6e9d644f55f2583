//! The Cholesky factor of a large matrix, and systems with many right sides.

use oslow_core::check_stop;

use crate::column_steps::subtract_columns;
use crate::dense_product::{View, multiply};
use crate::{NotPositiveDefinite, cholesky};

/// Columns that are factored, and rows that are solved for, together.
const BLOCK: usize = 48;

/// Replaces a symmetric positive definite matrix by its lower Cholesky factor. Only the lower triangle is read and written.
///
/// [`cholesky`] for blocks on the diagonal, and products of matrices for the rest: several times faster from a few hundred rows
/// on, and not the same in the last digits on every machine, as the products are not. After an error the matrix holds an
/// unfinished factor.
pub(crate) fn blocked_cholesky(matrix: &mut [f64], n: usize) -> Result<(), NotPositiveDefinite> {
    let mut panel = Vec::new();
    let mut corner = Vec::new();
    for start in (0..n).step_by(BLOCK) {
        check_stop();
        let (width, height) = (BLOCK.min(n - start), n - start);
        // The block's columns lie one after the other: a step over one of them goes along memory.
        panel.clear();
        panel.resize(width * height, 0.0);
        for (i, row) in matrix[start * n..].chunks_exact(n).enumerate() {
            (0..width).for_each(|j| panel[j * height + i] = row[start + j]);
        }
        let known = View::rows(&matrix[start * n..], n);
        multiply(&mut panel, (width, start, height), 1.0, -1.0, known, known.transposed());
        corner.clear();
        (0..width).for_each(|i| corner.extend((0..width).map(|j| panel[j * height + i])));
        cholesky(&mut corner, width).map_err(|bad| NotPositiveDefinite { pivot: start + bad.pivot })?;
        for (k, weights) in corner.chunks_exact(width).enumerate() {
            let (done, column) = panel.split_at_mut(k * height);
            let column = &mut column[..height];
            subtract_columns(column, done, &weights[..k]);
            column.iter_mut().for_each(|value| *value /= weights[k]);
        }
        for (i, row) in matrix[start * n..].chunks_exact_mut(n).enumerate() {
            (0..width.min(i + 1)).for_each(|j| row[start + j] = panel[j * height + i]);
        }
    }
    Ok(())
}

/// Replaces B (n rows, one after the other) by the X with L·Lᵀ·X = B, for a factor L as [`blocked_cholesky`] leaves it.
///
/// # Panics
///
/// If a matrix does not have n rows.
pub(crate) fn solve_blocked(factor: &[f64], n: usize, right: &mut [f64]) {
    solve_lower(factor, n, right);
    let m = right.len() / n;
    for start in (0..n).step_by(BLOCK).rev() {
        let end = n.min(start + BLOCK);
        let (rest, done) = right.split_at_mut(end * m);
        let block = &mut rest[start * m..];
        if end < n {
            let weights = View::rows(&factor[end * n + start..], n).transposed();
            multiply(block, (end - start, n - end, m), 1.0, -1.0, weights, View::rows(done, m));
        }
        for i in (start..end).rev() {
            let (row, known) = block[(i - start) * m..].split_at_mut(m);
            let weights: Vec<f64> = (i + 1..end).map(|k| factor[k * n + i]).collect();
            subtract_columns(row, known, &weights);
            row.iter_mut().for_each(|value| *value /= factor[i * n + i]);
        }
    }
}

/// Replaces B (n rows, one after the other) by the X with L·X = B.
///
/// # Panics
///
/// If a matrix does not have n rows.
pub(crate) fn solve_lower(factor: &[f64], n: usize, right: &mut [f64]) {
    assert_eq!(factor.len(), n * n, "an n × n matrix holds n² numbers");
    assert_eq!(right.len() % n, 0, "as many rows as the factor has");
    let m = right.len() / n;
    for start in (0..n).step_by(BLOCK) {
        let end = n.min(start + BLOCK);
        let (done, rest) = right.split_at_mut(start * m);
        let weights = View::rows(&factor[start * n..], n);
        let shape = (end - start, start, m);
        multiply(&mut rest[..(end - start) * m], shape, 1.0, -1.0, weights, View::rows(done, m));
        for i in start..end {
            let (known, row) = rest.split_at_mut((i - start) * m);
            subtract_columns(&mut row[..m], known, &factor[i * n + start..i * n + i]);
            row[..m].iter_mut().for_each(|value| *value /= factor[i * n + i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// |i − j| decays: positive definite, and no two rows alike.
    fn matrix(n: usize) -> Vec<f64> {
        let entry = |i: usize, j: usize| {
            (-0.1 * i.abs_diff(j) as f64).exp() + f64::from(u8::from(i == j)) * (0.5 + i as f64 / 50.0)
        };
        (0..n * n).map(|k| entry(k / n, k % n)).collect()
    }

    #[test]
    fn the_factor_is_that_of_the_plain_algorithm() {
        for n in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7] {
            let (mut plain, mut blocked) = (matrix(n), matrix(n));
            cholesky(&mut plain, n).unwrap();
            blocked_cholesky(&mut blocked, n).unwrap();
            for (k, (a, b)) in plain.iter().zip(&blocked).enumerate() {
                assert!(k / n < k % n || (a - b).abs() < 1e-12, "n = {n}, {k}: {a} {b}");
            }
        }
    }

    #[test]
    fn the_first_bad_pivot_is_named() {
        let mut bad = matrix(100);
        bad[70 * 100 + 70] = -1.0;
        assert_eq!(blocked_cholesky(&mut bad, 100), Err(NotPositiveDefinite { pivot: 70 }));
    }

    #[test]
    fn systems_with_many_right_sides_are_solved() {
        for (n, m) in [(1, 1), (BLOCK, 3), (2 * BLOCK + 5, 7)] {
            let expected: Vec<f64> = (0..n * m).map(|k| (k as f64).sin()).collect();
            let mut right = vec![0.0; n * m];
            let matrix = matrix(n);
            multiply(&mut right, (n, n, m), 0.0, 1.0, View::rows(&matrix, n), View::rows(&expected, m));
            let mut factor = matrix;
            blocked_cholesky(&mut factor, n).unwrap();
            solve_blocked(&factor, n, &mut right);
            assert!(right.iter().zip(&expected).all(|(x, y)| (x - y).abs() < 1e-11), "{n} {m}");
        }
    }
}
