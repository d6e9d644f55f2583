//! The Cholesky factor of a dense matrix, and systems solved with it.

use pulp::{Simd, with_simd};

use crate::simd::simd;

/// Columns that are factored together.
const BLOCK: usize = 64;

/// The matrix has a pivot that is not positive: it is singular, indefinite or not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPositiveDefinite {
    /// The row of the first such pivot.
    pub pivot: usize,
}

impl std::fmt::Display for NotPositiveDefinite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the matrix is not positive definite at row {}", self.pivot)
    }
}

impl std::error::Error for NotPositiveDefinite {}

/// Replaces a symmetric positive definite matrix (row by row, only its lower triangle is read) by the
/// lower triangular L with L·Lᵀ = A; the part above the diagonal becomes 0.
///
/// After an error the matrix holds an unfinished factor.
///
/// # Algorithm
///
/// Lᵀ is built above the diagonal and moved below it at the end: from each row, multiples of the rows above it are
/// subtracted, a block of those at a time so that they stay in the cache. This runs along rows, so the compiler can
/// vectorise it without changing the order of any sum.
///
/// # Cost
///
/// n³/6 multiplications: 0.03 ms at n = 100 and 1.5 s at n = 4000 on one core.
///
/// # Panics
///
/// If `matrix` does not hold n × n numbers.
pub fn cholesky(matrix: &mut [f64], n: usize) -> Result<(), NotPositiveDefinite> {
    assert_eq!(matrix.len(), n * n, "an n × n matrix holds n² numbers");
    factor(matrix, n)
}

/// The factor, compiled for the widest vectors of the machine.
#[with_simd(factor = simd())]
#[inline(always)]
fn factor_simd<S: Simd>(_simd: S, matrix: &mut [f64], n: usize) -> Result<(), NotPositiveDefinite> {
    for row in 1..n {
        for column in 0..row {
            matrix[column * n + row] = matrix[row * n + column];
        }
    }
    for start in (0..n).step_by(BLOCK) {
        let end = (start + BLOCK).min(n);
        for row in start..n {
            let (above, below) = matrix.split_at_mut(row * n);
            let rest = &mut below[row..n];
            subtract_multiples(rest, &above[start * n..end.min(row) * n], n, row);
            if row < end {
                if !(rest[0] > 0.0 && rest[0].is_finite()) {
                    return Err(NotPositiveDefinite { pivot: row });
                }
                let root = rest[0].sqrt();
                rest.iter_mut().for_each(|value| *value /= root);
            }
        }
    }
    for row in 0..n {
        for column in row + 1..n {
            matrix[column * n + row] = std::mem::take(&mut matrix[row * n + column]);
        }
    }
    Ok(())
}

/// Subtracts from (the end of) a row each of the given rows of Lᵀ, times its number in column `row`.
#[inline(always)]
fn subtract_multiples(rest: &mut [f64], known: &[f64], n: usize, row: usize) {
    // Four rows at a time: a number of `rest` is loaded and stored once for four products.
    let mut fours = known.chunks_exact(4 * n);
    for four in &mut fours {
        let [p, q, r, s] = [0, 1, 2, 3].map(|k| &four[k * n + row..(k + 1) * n]);
        let factors = [p[0], q[0], r[0], s[0]];
        for ((((value, p), q), r), s) in rest.iter_mut().zip(p).zip(q).zip(r).zip(s) {
            *value -= factors[0] * p + factors[1] * q + factors[2] * r + factors[3] * s;
        }
    }
    for one in fours.remainder().chunks_exact(n) {
        let factor = one[row];
        rest.iter_mut().zip(&one[row..]).for_each(|(value, p)| *value -= factor * p);
    }
}

/// Replaces b by the x with Lᵀ·x = b, for a lower triangular L as [`cholesky`] leaves it.
///
/// If b is white noise, x has the covariance (L·Lᵀ)⁻¹.
///
/// # Cost
///
/// n²/2 multiplications. L is read row by row although its transpose is solved: as soon as x_i is known,
/// its share is subtracted from all that are not.
///
/// # Panics
///
/// If `factor` does not hold n × n numbers, n being the length of `b`.
pub fn solve_transposed(factor: &[f64], b: &mut [f64]) {
    let n = b.len();
    assert_eq!(factor.len(), n * n, "an n × n matrix holds n² numbers");
    for i in (0..n).rev() {
        let row = &factor[i * n..=i * n + i];
        b[i] /= row[i];
        let x = b[i];
        b[..i].iter_mut().zip(row).for_each(|(rest, l)| *rest -= l * x);
    }
}

/// Replaces b by the x with L·Lᵀ·x = b.
///
/// # Panics
///
/// If `factor` does not hold n × n numbers.
pub fn solve_factored(factor: &[f64], b: &mut [f64]) {
    let n = b.len();
    assert_eq!(factor.len(), n * n, "an n × n matrix holds n² numbers");
    for i in 0..n {
        let known: f64 = factor[i * n..i * n + i].iter().zip(&*b).map(|(l, x)| l * x).sum();
        b[i] = (b[i] - known) / factor[i * n + i];
    }
    solve_transposed(factor, b);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::products::dot;
    use proptest::prelude::*;

    /// B·Bᵀ + I for pseudo-random B.
    fn positive_definite(n: usize, salt: u64) -> Vec<f64> {
        let mut state = salt;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let b: Vec<f64> = (0..n * n).map(|_| next()).collect();
        let mut matrix = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                matrix[i * n + j] = dot(&b[i * n..][..n], &b[j * n..][..n]) + f64::from(u8::from(i == j));
            }
        }
        matrix
    }

    fn check(n: usize, salt: u64) {
        let matrix = positive_definite(n, salt);
        let mut factor = matrix.clone();
        cholesky(&mut factor, n).unwrap();
        for i in 0..n {
            for j in 0..n {
                let product = dot(&factor[i * n..][..n], &factor[j * n..][..n]);
                assert!((product - matrix[i * n + j]).abs() < 1e-11 * n as f64, "n = {n}, ({i}, {j})");
                assert!(j <= i || factor[i * n + j] == 0.0);
            }
            assert!(factor[i * n + i] > 0.0);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn the_factor_times_its_transpose_is_the_matrix(n in 0usize..40, salt: u64) {
            check(n, salt);
        }
    }

    #[test]
    fn the_transposed_system_is_solved() {
        for n in [0, 1, 2, 7, 100] {
            let mut factor = positive_definite(n, 5);
            cholesky(&mut factor, n).unwrap();
            let expected: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
            let column = |j: usize| factor.iter().skip(j).step_by(n.max(1));
            let mut b: Vec<f64> =
                (0..n).map(|j| column(j).zip(&expected).map(|(l, x)| l * x).sum()).collect();
            solve_transposed(&factor, &mut b);
            assert!(b.iter().zip(&expected).all(|(x, y)| (x - y).abs() < 1e-10), "n = {n}");
        }
    }

    #[test]
    fn the_whole_system_is_solved() {
        for n in [0, 1, 2, 7, 100] {
            let matrix = positive_definite(n, 5);
            let mut factor = matrix.clone();
            cholesky(&mut factor, n).unwrap();
            let expected: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
            let mut b: Vec<f64> = matrix.chunks(n.max(1)).map(|row| dot(row, &expected)).collect();
            solve_factored(&factor, &mut b);
            assert!(b.iter().zip(&expected).all(|(x, y)| (x - y).abs() < 1e-10), "n = {n}");
        }
    }

    #[test]
    fn blocks_meet_without_a_seam() {
        for n in [BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3, 200] {
            check(n, 7);
        }
    }

    #[test]
    fn the_first_bad_pivot_is_named() {
        let mut indefinite = vec![1.0, 2.0, 2.0, 1.0];
        assert_eq!(cholesky(&mut indefinite, 2), Err(NotPositiveDefinite { pivot: 1 }));
        assert_eq!(cholesky(&mut [f64::NAN], 1), Err(NotPositiveDefinite { pivot: 0 }));
    }
}
