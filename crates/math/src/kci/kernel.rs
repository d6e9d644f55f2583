//! Gaussian kernels: panels of the matrix, and its low-rank factor.

use pulp::{Simd, with_simd};

use crate::column_steps::{add_squares, subtract_columns};
use crate::exponentials::exponentials;
use crate::simd::simd;

/// Points whose squared distances are the kernel's exponents: k(a, b) = exp(−‖a − b‖²).
#[derive(Clone, Debug)]
pub(super) struct Points {
    /// Number of points, n.
    pub len: usize,
    /// Coordinate after coordinate, n numbers each.
    coordinates: Vec<f64>,
}

impl Points {
    /// The columns scaled so that k(a, b) = exp(−½ · precision · ‖a − b‖²).
    pub fn new<'a>(columns: impl IntoIterator<Item = &'a [f64]>, len: usize, precision: f64) -> Self {
        let scale = (0.5 * precision).sqrt();
        let coordinates = columns.into_iter().flatten().map(|value| scale * value).collect();
        Self { len, coordinates }
    }

    /// Rows `rows` and columns `from..` of the kernel matrix, row after row.
    pub fn panel(&self, rows: std::ops::Range<usize>, from: usize, panel: &mut Vec<f64>) {
        panel.clear();
        panel.resize(rows.len() * (self.len - from), 0.0);
        for (row, out) in rows.zip(panel.chunks_exact_mut(self.len - from)) {
            self.row(row, from, out);
        }
    }

    /// Row `row` of the kernel matrix from column `from` on.
    fn row(&self, row: usize, from: usize, out: &mut [f64]) {
        out.fill(0.0);
        for coordinate in self.coordinates.chunks_exact(self.len) {
            add_squares(out, &coordinate[from..], coordinate[row]);
        }
        exponentials(out);
    }

    /// G, n × r with columns one after the other, such that K − G·Gᵀ is positive semidefinite with a trace of at
    /// most `tolerance`. `None` if that takes more than `widest` columns.
    ///
    /// # Algorithm
    ///
    /// Cholesky factorisation with complete pivoting that ends early: the next pivot is the point with the largest
    /// rest of the diagonal (the first of equal ones), and the rests are the error that is left. Only r columns of K are
    /// ever evaluated.
    ///
    /// # Cost
    ///
    /// n·r²/2 multiplications and n·r exponentials. At r = n it is an ordinary Cholesky factorisation.
    ///
    /// # Reference
    ///
    /// Fine, Scheinberg: Efficient SVM training using low-rank kernel representations. JMLR 2001.
    pub fn factor(&self, tolerance: f64, widest: usize) -> Option<Vec<f64>> {
        let n = self.len;
        let mut rest = vec![1.0; n];
        let mut factor: Vec<f64> = Vec::new();
        let mut weights = Vec::new();
        while factor.len() < n * n && rest.iter().sum::<f64>() > tolerance {
            if factor.len() >= n * widest {
                return None;
            }
            let pivot = (0..n).fold(0, |best, i| if rest[i] > rest[best] { i } else { best });
            weights.clear();
            weights.extend(factor.chunks_exact(n).map(|column| column[pivot]));
            let known = factor.len();
            factor.resize(known + n, 0.0);
            let (columns, new) = factor.split_at_mut(known);
            self.row(pivot, 0, new);
            subtract_columns(new, columns, &weights);
            let scale = 1.0 / rest[pivot].sqrt();
            finish_column(new, &mut rest, scale);
            // Rounding may leave a crumb, and a point must not be taken twice.
            rest[pivot] = 0.0;
        }
        Some(factor)
    }

    /// The same however many columns it takes.
    pub fn whole_factor(&self, tolerance: f64) -> Vec<f64> {
        self.factor(tolerance, self.len).expect("no factor has more than n columns")
    }
}

/// Scales a new column, and takes its squares from what is left of the diagonal.
#[with_simd(finish_column = simd())]
#[inline(always)]
fn finish_column_simd<'a, S: Simd>(_simd: S, column: &'a mut [f64], rest: &'a mut [f64], scale: f64) {
    for (value, rest) in column.iter_mut().zip(rest) {
        *value *= scale;
        *rest = (*rest - *value * *value).max(0.0);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Points that need no generator.
    pub fn points(n: usize, dimensions: usize) -> Points {
        let column = |j: usize| (0..n).map(|i| ((i * i + 7 * i * j + j) as f64).sin() * 2.0).collect();
        let columns: Vec<Vec<f64>> = (0..dimensions).map(column).collect();
        Points::new(columns.iter().map(Vec::as_slice), n, 1.7)
    }

    #[test]
    fn what_the_factor_leaves_out_is_as_small_as_asked_for() {
        for (n, dimensions, tolerance) in [(1, 1, 0.0), (60, 1, 1e-8), (150, 2, 1e-6), (80, 3, 0.0)] {
            let points = points(n, dimensions);
            let factor = points.whole_factor(tolerance);
            let mut kernel = Vec::new();
            points.panel(0..n, 0, &mut kernel);
            let mut trace = 0.0;
            for i in 0..n {
                for j in 0..n {
                    let product: f64 = factor.chunks_exact(n).map(|column| column[i] * column[j]).sum();
                    let rest = kernel[i * n + j] - product;
                    assert!(rest.abs() <= tolerance + 1e-12, "({i}, {j}): {rest:e}");
                    trace += if i == j { rest } else { 0.0 };
                }
            }
            assert!(trace <= tolerance + 1e-12 && factor.len() <= n * n);
            assert!(points.factor(tolerance, factor.len() / n - 1).is_none());
        }
    }
}
