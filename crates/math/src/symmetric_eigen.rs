//! Eigenvalues and eigenvectors of symmetric matrices.

use crate::products::dot;

/// Rounds of the QL iteration after which an eigenvalue counts as not found; two or three are usual.
const ROUNDS: usize = 60;

/// An eigendecomposition, by falling eigenvalue.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetricEigen {
    /// The eigenvalues, largest first.
    pub values: Vec<f64>,
    /// The eigenvectors, one after the other in the order of their values, each of length 1.
    pub vectors: Vec<f64>,
}

impl SymmetricEigen {
    /// The eigenvector of the value at `index`.
    pub fn vector(&self, index: usize) -> &[f64] {
        let n = self.values.len();
        &self.vectors[index * n..(index + 1) * n]
    }
}

/// The eigendecomposition of a symmetric matrix (row by row, n × n; only its lower triangle is read). `None` if it holds
/// numbers that are not finite.
///
/// ```
/// let eigen = oslow_math::symmetric_eigen(vec![2.0, 1.0, 1.0, 2.0], 2).unwrap();
/// assert!((eigen.values[0] - 3.0).abs() < 1e-14 && (eigen.values[1] - 1.0).abs() < 1e-14);
/// ```
///
/// # Algorithm
///
/// Householder reflections to a tridiagonal matrix, then the implicit QL iteration with Wilkinson's shift. Own code
/// and not a library's: the matrices here are small (at most a few hundred rows), and this is all that is needed.
///
/// # Cost
///
/// About 5 n³ multiplications.
///
/// # Panics
///
/// If `matrix` does not hold n × n numbers.
///
/// # Reference
///
/// Golub, Van Loan: Matrix computations, sections 8.3.1 and 8.3.3. Johns Hopkins 2013.
pub fn symmetric_eigen(mut matrix: Vec<f64>, n: usize) -> Option<SymmetricEigen> {
    assert_eq!(matrix.len(), n * n, "an n × n matrix holds n² numbers");
    let (diagonal, beside, basis) = tridiagonal(&mut matrix, n);
    tridiagonal_eigen(diagonal, beside, basis)
}

/// T, as its diagonal and what stands beside it, and Qᵀ (row by row) with A = Q·T·Qᵀ.
fn tridiagonal(matrix: &mut [f64], n: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    for i in 0..n {
        for j in 0..i {
            matrix[j * n + i] = matrix[i * n + j];
        }
    }
    let mut beside = vec![0.0; n.saturating_sub(1)];
    let mut reflectors: Vec<Vec<f64>> = Vec::new();
    for column in 0..n.saturating_sub(2) {
        let start = column + 1;
        let mut v: Vec<f64> = (start..n).map(|row| matrix[row * n + column]).collect();
        let norm = dot(&v, &v).sqrt();
        beside[column] = if v[0] > 0.0 { -norm } else { norm };
        v[0] -= beside[column];
        let length = dot(&v, &v).sqrt();
        if length > 0.0 {
            v.iter_mut().for_each(|x| *x /= length);
            reflect_both_sides(matrix, n, start, &v);
        }
        reflectors.push(v);
    }
    if n >= 2 {
        beside[n - 2] = matrix[(n - 1) * n + n - 2];
    }
    let mut basis = vec![0.0; n * n];
    (0..n).for_each(|i| basis[i * n + i] = 1.0);
    // Qᵀ is the product of the reflections, the last one leftmost: each acts on the rows it was made from.
    for (column, v) in reflectors.iter().enumerate().rev() {
        for row in basis.chunks_exact_mut(n) {
            let part = &mut row[column + 1..];
            let along = 2.0 * dot(part, v);
            part.iter_mut().zip(v).for_each(|(x, v)| *x -= along * v);
        }
    }
    ((0..n).map(|i| matrix[i * n + i]).collect(), beside, basis)
}

/// A ← (I − 2vvᵀ)·A·(I − 2vvᵀ) on rows and columns from `start`.
fn reflect_both_sides(matrix: &mut [f64], n: usize, start: usize, v: &[f64]) {
    let mut image: Vec<f64> = (start..n).map(|row| dot(&matrix[row * n + start..(row + 1) * n], v)).collect();
    let along = dot(&image, v);
    image.iter_mut().zip(v).for_each(|(x, v)| *x -= along * v);
    for row in start..n {
        let (p, q) = (2.0 * v[row - start], 2.0 * image[row - start]);
        let part = &mut matrix[row * n + start..(row + 1) * n];
        part.iter_mut().zip(v.iter().zip(&image)).for_each(|(x, (v, w))| *x -= p * w + q * v);
    }
}

/// The eigendecomposition of Q·T·Qᵀ for a tridiagonal T; `basis` holds Qᵀ row by row (rows may be longer than T is).
pub(crate) fn tridiagonal_eigen(
    mut diagonal: Vec<f64>,
    mut beside: Vec<f64>,
    mut basis: Vec<f64>,
) -> Option<SymmetricEigen> {
    let n = diagonal.len();
    if n == 0 {
        return Some(SymmetricEigen { values: diagonal, vectors: basis });
    }
    let width = basis.len() / n;
    beside.push(0.0);
    for low in 0..n {
        for round in 0.. {
            let negligible = |i: usize| {
                let around = diagonal[i].abs() + diagonal[i + 1].abs();
                beside[i].abs() <= f64::EPSILON * around
            };
            let high = (low..n - 1).find(|&i| negligible(i)).unwrap_or(n - 1);
            if high == low {
                break;
            }
            if round == ROUNDS || !diagonal[low].is_finite() {
                return None;
            }
            ql_step(&mut diagonal, &mut beside, &mut basis, width, low, high);
        }
    }
    if diagonal.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| diagonal[b].total_cmp(&diagonal[a]));
    let vectors = order.iter().flat_map(|&i| basis[i * width..(i + 1) * width].iter().copied()).collect();
    Some(SymmetricEigen { values: order.iter().map(|&i| diagonal[i]).collect(), vectors })
}

/// One implicit QL step on rows `low..=high`, where nothing beside the diagonal is negligible.
fn ql_step(
    diagonal: &mut [f64],
    beside: &mut [f64],
    basis: &mut [f64],
    width: usize,
    low: usize,
    high: usize,
) {
    let half = (diagonal[low + 1] - diagonal[low]) / (2.0 * beside[low]);
    let root = half.hypot(1.0).copysign(half);
    // The eigenvalue of the upper left 2 × 2 block that is nearer to its first number.
    let shift = diagonal[low] - beside[low] / (half + root);
    let (mut sine, mut cosine, mut moved) = (1.0, 1.0, 0.0);
    let mut bulge = diagonal[high] - shift;
    for i in (low..high).rev() {
        let (f, b) = (sine * beside[i], cosine * beside[i]);
        let length = f.hypot(bulge);
        beside[i + 1] = length;
        if length == 0.0 {
            diagonal[i + 1] -= moved;
            beside[high] = 0.0;
            return;
        }
        (sine, cosine) = (f / length, bulge / length);
        let rest = diagonal[i + 1] - moved;
        let mixed = (diagonal[i] - rest) * sine + 2.0 * cosine * b;
        moved = sine * mixed;
        diagonal[i + 1] = rest + moved;
        bulge = cosine * mixed - b;
        let (upper, lower) = basis[i * width..(i + 2) * width].split_at_mut(width);
        for (x, y) in upper.iter_mut().zip(lower) {
            (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
        }
    }
    diagonal[low] -= moved;
    beside[low] = bulge;
    beside[high] = 0.0;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(matrix: &[f64], n: usize) {
        let eigen = symmetric_eigen(matrix.to_vec(), n).unwrap();
        let size = matrix.iter().fold(1e-300, |largest: f64, x| largest.max(x.abs())) * n as f64;
        assert!(eigen.values.windows(2).all(|pair| pair[0] >= pair[1]));
        for a in 0..n {
            for b in 0..n {
                let product = dot(eigen.vector(a), eigen.vector(b));
                assert!((product - f64::from(u8::from(a == b))).abs() < 1e-12, "{n}: {a} {b} {product}");
            }
            for row in 0..n {
                let image = dot(&matrix[row * n..(row + 1) * n], eigen.vector(a));
                assert!((image - eigen.values[a] * eigen.vector(a)[row]).abs() < 1e-13 * size);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn vectors_are_orthonormal_and_belong_to_their_values(n in 0usize..14, salt: u64, steps in 1u64..40) {
            let mut state = salt;
            let mut matrix = vec![0.0; n * n];
            for i in 0..n {
                for j in 0..=i {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    // Few different numbers: zeros and equal eigenvalues happen.
                    let value = ((state >> 40) % steps) as f64 - (steps / 2) as f64;
                    (matrix[i * n + j], matrix[j * n + i]) = (value, value);
                }
            }
            check(&matrix, n);
        }
    }

    #[test]
    fn known_eigenvalues() {
        // The second difference has 2 − 2·cos(jπ/(n + 1)).
        let n = 30;
        let entry = |i: usize, j: usize| [2.0, -1.0, 0.0][i.abs_diff(j).min(2)];
        let matrix: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
        let eigen = symmetric_eigen(matrix, n).unwrap();
        for (j, value) in eigen.values.iter().rev().enumerate() {
            let angle = (j + 1) as f64 * std::f64::consts::PI / (n + 1) as f64;
            assert!((value - (2.0 - 2.0 * angle.cos())).abs() < 1e-13);
        }
        assert_eq!(symmetric_eigen(vec![f64::NAN], 1), None);
        assert_eq!(symmetric_eigen(vec![1.0, f64::NAN, f64::NAN, 2.0], 2), None);
    }

    #[test]
    fn very_different_sizes() {
        let n = 5;
        let entry = |i: usize, j: usize| 10f64.powi(-3 * (i + j) as i32) / (1 + i + j) as f64;
        check(&(0..n * n).map(|k| entry(k / n, k % n)).collect::<Vec<_>>(), n);
    }
}
