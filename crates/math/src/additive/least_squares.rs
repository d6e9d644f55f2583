//! Least squares reduced to a triangle, once a regression.

use oslow_core::check_stop;

use crate::{cholesky, row_products, row_products_with};

/// Pivots of XᵀX, whose diagonal is 1, from which its Cholesky factor is exact enough. Below, squaring X costs too many digits.
const SAFE_PIVOT: f64 = 1e-4;
/// The same for the share of y that X leaves unexplained.
const SAFE_REST: f64 = 1e-6;

/// X and y in the coordinates of an orthonormal basis of X's columns: ‖y − Xβ‖² = ‖f − Rβ‖² + rest.
#[derive(Clone, Debug)]
pub(super) struct Triangle {
    /// R, upper triangular, row by row.
    pub r: Vec<f64>,
    /// f.
    pub f: Vec<f64>,
    /// ‖y‖² less ‖f‖².
    pub rest: f64,
}

impl Triangle {
    /// Of the columns of X, one after the other, each of length 1.
    ///
    /// From XᵀX where that is safe, which is several times cheaper; otherwise by Householder reflections. Columns with a common
    /// outlier are collinear to eight digits, and XᵀX would have none left.
    pub fn new(columns: &[f64], y: &[f64]) -> Self {
        Self::from_products(columns, y).unwrap_or_else(|| Self::by_reflections(columns.to_vec(), y.to_vec()))
    }

    fn from_products(columns: &[f64], y: &[f64]) -> Option<Self> {
        let q = columns.len() / y.len();
        let mut factor = row_products(columns, q);
        cholesky(&mut factor, q).ok()?;
        let mut f = row_products_with(columns, y);
        let mut r = vec![0.0; q * q];
        for i in 0..q {
            let pivot = factor[i * q + i];
            if pivot < SAFE_PIVOT {
                return None;
            }
            let known: f64 = (0..i).map(|j| factor[i * q + j] * f[j]).sum();
            f[i] = (f[i] - known) / pivot;
            (0..=i).for_each(|j| r[j * q + i] = factor[i * q + j]);
        }
        let square = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
        let rest = square(y) - square(&f);
        (rest > SAFE_REST * square(y)).then_some(Self { r, f, rest })
    }

    fn by_reflections(mut columns: Vec<f64>, mut y: Vec<f64>) -> Self {
        let n = y.len();
        let q = columns.len() / n;
        let mut r = vec![0.0; q * q];
        for j in 0..q {
            check_stop();
            let (done, right) = columns.split_at_mut((j + 1) * n);
            let v = &mut done[j * n + j..];
            let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            let pivot = if v[0] > 0.0 { -norm } else { norm };
            r[j * q + j] = pivot;
            v[0] -= pivot;
            let square = v.iter().map(|x| x * x).sum::<f64>();
            let others = right.chunks_exact_mut(n).chain(std::iter::once(&mut y[..]));
            for (index, other) in others.enumerate() {
                let part = &mut other[j..];
                if square > 0.0 {
                    let along = 2.0 * row_products_with(part, v)[0] / square;
                    part.iter_mut().zip(&*v).for_each(|(x, v)| *x -= along * v);
                }
                if j + 1 + index < q {
                    r[j * q + j + 1 + index] = part[0];
                }
            }
        }
        let rest = y[q..].iter().map(|x| x * x).sum();
        y.truncate(q);
        Self { r, f: y, rest }
    }
}

/// A triangle with a diagonal below: R̃ and f̃ of the least squares problem ‖f − Rβ‖² + Σ dᵢβᵢ², given the roots of the dᵢ.
///
/// The reflection of column j touches row j of R and the first j rows below, so all of it costs q³/3 multiplications.
pub(super) fn with_diagonal(triangle: &Triangle, roots: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let q = roots.len();
    let (mut r, mut f) = (triangle.r.clone(), triangle.f.clone());
    let mut below = vec![0.0; q * q];
    let mut f_below = vec![0.0; q];
    let mut along = vec![0.0; q];
    for j in 0..q {
        below[j * q + j] = roots[j];
        let head = r[j * q + j];
        let square = (0..=j).map(|i| below[i * q + j] * below[i * q + j]).sum::<f64>();
        if square == 0.0 {
            continue;
        }
        let norm = (head * head + square).sqrt();
        let pivot = if head > 0.0 { -norm } else { norm };
        let first = head - pivot;
        let scale = 2.0 / (first * first + square);
        // along = vᵀ·(what is right of the column), and of f.
        let along = &mut along[j + 1..];
        along.iter_mut().zip(&r[j * q + j + 1..(j + 1) * q]).for_each(|(a, x)| *a = first * x);
        let mut along_f = first * f[j];
        for i in 0..=j {
            let weight = below[i * q + j];
            if weight != 0.0 {
                along.iter_mut().zip(&below[i * q + j + 1..(i + 1) * q]).for_each(|(a, x)| *a += weight * x);
                along_f += weight * f_below[i];
            }
        }
        r[j * q + j] = pivot;
        r[j * q + j + 1..(j + 1) * q].iter_mut().zip(&*along).for_each(|(x, a)| *x -= scale * first * a);
        f[j] -= scale * first * along_f;
        for i in 0..=j {
            let weight = scale * below[i * q + j];
            if weight != 0.0 {
                below[i * q + j + 1..(i + 1) * q].iter_mut().zip(&*along).for_each(|(x, a)| *x -= weight * a);
                f_below[i] -= weight * along_f;
            }
        }
    }
    (r, f)
}

/// R⁻¹ of an upper triangular R, row by row; `None` where it is singular.
pub(super) fn inverse(r: &[f64], q: usize) -> Option<Vec<f64>> {
    let mut inverse = vec![0.0; q * q];
    for i in (0..q).rev() {
        let (above, below) = inverse.split_at_mut((i + 1) * q);
        let row = &mut above[i * q..];
        row[i] = 1.0;
        for j in i + 1..q {
            let weight = r[i * q + j];
            let other = &below[(j - i - 1) * q + j..(j - i) * q];
            row[j..].iter_mut().zip(other).for_each(|(x, o)| *x -= weight * o);
        }
        let pivot = r[i * q + i];
        row[i..].iter_mut().for_each(|x| *x /= pivot);
        if !row[i..].iter().all(|x| x.is_finite()) {
            return None;
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(q: usize, n: usize, near: f64) -> Vec<f64> {
        // Column j is the first one plus `near` times something of its own.
        let at = |j: usize, i: usize| {
            ((i * i + 1) as f64).sin() + if j == 0 { 0.0 } else { near * ((i * (j + 2)) as f64).cos() }
        };
        (0..q)
            .flat_map(|j| {
                let column: Vec<f64> = (0..n).map(|i| at(j, i)).collect();
                let norm = column.iter().map(|x| x * x).sum::<f64>().sqrt();
                column.into_iter().map(move |x| x / norm)
            })
            .collect()
    }

    #[test]
    fn both_ways_give_the_same_triangle_up_to_signs() {
        let (q, n) = (5, 40);
        let x = columns(q, n, 1.0);
        let y: Vec<f64> = (0..n).map(|i| (i as f64 * 0.7).cos()).collect();
        let a = Triangle::from_products(&x, &y).unwrap();
        let b = Triangle::by_reflections(x, y);
        assert!((a.rest - b.rest).abs() < 1e-12);
        for i in 0..q {
            assert!((a.f[i].abs() - b.f[i].abs()).abs() < 1e-12);
            assert!((0..q).all(|j| (a.r[i * q + j].abs() - b.r[i * q + j].abs()).abs() < 1e-12));
        }
    }

    #[test]
    fn columns_that_are_nearly_one_are_told_apart() {
        let (q, n) = (3, 40);
        let x = columns(q, n, 1e-9);
        // y is the third column less the second: 1e-9 of their size.
        let y: Vec<f64> = (0..n).map(|i| x[2 * n + i] - x[n + i]).collect();
        assert!(Triangle::from_products(&x, &y).is_none());
        let triangle = Triangle::new(&x, &y);
        let inverse = inverse(&triangle.r, q).unwrap();
        let beta: Vec<f64> =
            (0..q).map(|i| (0..q).map(|j| inverse[i * q + j] * triangle.f[j]).sum()).collect();
        assert!((beta[1] + 1.0).abs() < 1e-6 && (beta[2] - 1.0).abs() < 1e-6, "{beta:?}");
        let total: f64 = y.iter().map(|y| y * y).sum();
        assert!(triangle.rest < 1e-12 * total);
    }

    #[test]
    fn a_diagonal_below_is_a_penalty() {
        let (q, n) = (4, 30);
        let x = columns(q, n, 0.5);
        let y: Vec<f64> = (0..n).map(|i| (i as f64 * 0.3).sin()).collect();
        let roots = [0.0, 0.5, 2.0, 1e4];
        let triangle = Triangle::new(&x, &y);
        let (r, f) = with_diagonal(&triangle, &roots);
        let inverse = inverse(&r, q).unwrap();
        let beta: Vec<f64> = (0..q).map(|i| (0..q).map(|j| inverse[i * q + j] * f[j]).sum()).collect();
        let (gram, moment) = (row_products(&x, q), row_products_with(&x, &y));
        for i in 0..q {
            let left: f64 =
                (0..q).map(|j| gram[i * q + j] * beta[j]).sum::<f64>() + roots[i] * roots[i] * beta[i];
            assert!((left - moment[i]).abs() < 1e-11, "{left} {}", moment[i]);
        }
    }
}
