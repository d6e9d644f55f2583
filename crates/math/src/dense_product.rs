//! Products of dense matrices in double precision.

#![expect(unsafe_code, reason = "gemm takes pointers and strides")]

use gemm::{Parallelism, gemm};

/// A matrix within a slice: number (i, j) is `data[i * down + j * across]`.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub data: &'a [f64],
    /// From a row to the next.
    pub down: usize,
    /// From a column to the next.
    pub across: usize,
}

impl<'a> View<'a> {
    /// Columns that lie one after the other.
    pub fn columns(data: &'a [f64], rows: usize) -> Self {
        Self { data, down: 1, across: rows }
    }

    /// Rows that lie one after the other.
    pub fn rows(data: &'a [f64], columns: usize) -> Self {
        Self { data, down: columns, across: 1 }
    }

    /// The same matrix from row `row` on.
    pub fn below(self, row: usize) -> Self {
        Self { data: &self.data[(row * self.down).min(self.data.len())..], ..self }
    }

    /// The transposed matrix.
    pub fn transposed(self) -> Self {
        Self { data: self.data, down: self.across, across: self.down }
    }

    fn holds(&self, rows: usize, columns: usize) -> bool {
        rows * columns == 0 || (rows - 1) * self.down + (columns - 1) * self.across < self.data.len()
    }
}

/// C ← `kept`·C + `factor`·A·B on the calling thread, where C is `rows` × `columns` with rows one after the other and
/// A has `inner` columns.
///
/// # Panics
///
/// If a slice is too short for its matrix.
pub(crate) fn multiply(
    c: &mut [f64],
    (rows, inner, columns): (usize, usize, usize),
    kept: f64,
    factor: f64,
    a: View<'_>,
    b: View<'_>,
) {
    assert_eq!(c.len(), rows * columns, "C does not have this shape");
    assert!(a.holds(rows, inner) && b.holds(inner, columns), "a factor is too short");
    if c.is_empty() {
        return;
    }
    // SAFETY: the strides were checked above to stay within the slices, and C is borrowed alone.
    unsafe {
        gemm(
            rows,
            columns,
            inner,
            c.as_mut_ptr(),
            1,
            columns as isize,
            kept != 0.0,
            a.data.as_ptr(),
            a.across as isize,
            a.down as isize,
            b.data.as_ptr(),
            b.across as isize,
            b.down as isize,
            kept,
            factor,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

/// A·Bᵀ, row by row: the inner product of each row of A with each row of B, all of which hold `length` numbers.
///
/// ```
/// let products = oslow_math::cross_products(&[1.0, 2.0], &[3.0, 4.0, 5.0, 6.0], 2);
/// assert_eq!(products, [11.0, 17.0]);
/// ```
///
/// # Panics
///
/// If the numbers do not fill whole rows.
pub fn cross_products(a: &[f64], b: &[f64], length: usize) -> Vec<f64> {
    assert!(a.len().is_multiple_of(length) && b.len().is_multiple_of(length), "rows hold `length` numbers");
    let (rows, columns) = (a.len() / length, b.len() / length);
    let mut products = vec![0.0; rows * columns];
    let (a, b) = (View::rows(a, length), View::rows(b, length).transposed());
    multiply(&mut products, (rows, length, columns), 0.0, 1.0, a, b);
    products
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_layouts_give_the_product() {
        let (rows, inner, columns) = (3, 4, 5);
        let a: Vec<f64> = (0..rows * inner).map(|k| (k as f64).sin()).collect();
        let b: Vec<f64> = (0..inner * columns).map(|k| (k as f64).cos()).collect();
        let mut c = vec![1.0; rows * columns];
        let (left, right) = (View::rows(&a, inner), View::columns(&b, inner));
        multiply(&mut c, (rows, inner, columns), 2.0, -1.0, left, right);
        for i in 0..rows {
            for j in 0..columns {
                let sum: f64 = (0..inner).map(|k| a[i * inner + k] * b[j * inner + k]).sum();
                assert!((c[i * columns + j] - (2.0 - sum)).abs() < 1e-14);
            }
        }
        let mut turned = vec![0.0; columns * rows];
        multiply(&mut turned, (columns, inner, rows), 0.0, 1.0, right.transposed(), left.transposed());
        assert!((turned[rows] - (2.0 - c[1])).abs() < 1e-14);
    }

    #[test]
    #[should_panic(expected = "too short")]
    fn short_factors_are_refused() {
        multiply(&mut [0.0; 4], (2, 2, 2), 0.0, 1.0, View::rows(&[1.0; 3], 2), View::rows(&[1.0; 4], 2));
    }
}
