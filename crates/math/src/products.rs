//! Inner products of all pairs of rows: where the time of dense statistics goes.

use std::array::from_fn;

use pulp::{Simd, with_simd};

use crate::simd::simd;

/// Rows of the left side that are multiplied at once.
const LEFT: usize = 4;

/// Σ aᵢbᵢ, summed from first to last.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// A·Aᵀ for A with `rows` rows, row by row: the inner product of each pair of rows.
///
/// ```
/// let gram = oslow_math::row_products(&[1.0, 2.0, 3.0, 4.0], 2);
/// assert_eq!(gram, [5.0, 11.0, 11.0, 25.0]);
/// ```
///
/// # Panics
///
/// If the numbers do not fill whole rows.
pub fn row_products(matrix: &[f64], rows: usize) -> Vec<f64> {
    products(matrix, rows, false)
}

/// U·Uᵀ for an upper triangular U (row i is 0 before column i), in a third of the time.
pub(crate) fn triangular_row_products(matrix: &[f64], rows: usize) -> Vec<f64> {
    products(matrix, rows, true)
}

/// A·x: the inner product of each row with a vector.
///
/// # Panics
///
/// If the vector is empty or the numbers do not fill whole rows of its length.
pub fn row_products_with(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
    assert_eq!(matrix.len() % vector.len(), 0, "rows are as long as the vector");
    let mut products = vec![0.0; matrix.len() / vector.len()];
    with_vector(matrix, vector, &mut products);
    products
}

fn products(matrix: &[f64], rows: usize, triangular: bool) -> Vec<f64> {
    let mut gram = vec![0.0; rows * rows];
    if rows > 0 {
        assert_eq!(matrix.len() % rows, 0, "a matrix has rows of one length");
        lower_triangle(matrix, rows, triangular, &mut gram);
    }
    for i in 0..rows {
        for j in 0..i {
            gram[j * rows + i] = gram[i * rows + j];
        }
    }
    gram
}

/// The lower triangle of the products, compiled for the widest vectors of the machine.
#[with_simd(lower_triangle = simd())]
#[inline(always)]
fn lower_triangle_simd<'a, S: Simd>(
    simd: S,
    matrix: &'a [f64],
    rows: usize,
    triangular: bool,
    gram: &'a mut [f64],
) {
    // As many sums as registers can hold beside the factors.
    if S::REGISTER_COUNT >= 32 {
        tiles::<S, 4>(simd, matrix, rows, triangular, gram);
    } else {
        tiles::<S, 2>(simd, matrix, rows, triangular, gram);
    }
}

#[inline(always)]
fn tiles<S: Simd, const RIGHT: usize>(
    simd: S,
    matrix: &[f64],
    rows: usize,
    triangular: bool,
    gram: &mut [f64],
) {
    for i in (0..rows).step_by(LEFT) {
        let start = if triangular { i } else { 0 };
        match rows - i {
            1 => strip::<S, 1, RIGHT>(simd, matrix, rows, (i, start), gram),
            2 => strip::<S, 2, RIGHT>(simd, matrix, rows, (i, start), gram),
            3 => strip::<S, 3, RIGHT>(simd, matrix, rows, (i, start), gram),
            _ => strip::<S, LEFT, RIGHT>(simd, matrix, rows, (i, start), gram),
        }
    }
}

/// The products of `COUNT` rows with all up to the last of them, from a column on.
#[inline(always)]
fn strip<S: Simd, const COUNT: usize, const RIGHT: usize>(
    simd: S,
    matrix: &[f64],
    rows: usize,
    (i, start): (usize, usize),
    gram: &mut [f64],
) {
    let width = matrix.len() / rows;
    let row = |i: usize| &matrix[i * width + start..(i + 1) * width];
    let (last, whole) = (i + COUNT, (i + COUNT) / RIGHT * RIGHT);
    for j in (0..whole).step_by(RIGHT) {
        let tile: [[f64; RIGHT]; COUNT] = tile(simd, from_fn(|a| row(i + a)), from_fn(|b| row(j + b)));
        for (a, sums) in tile.iter().enumerate() {
            gram[(i + a) * rows + j..][..RIGHT].copy_from_slice(sums);
        }
    }
    for j in whole..last {
        let tile: [[f64; 1]; COUNT] = tile(simd, from_fn(|a| row(i + a)), [row(j)]);
        tile.iter().enumerate().for_each(|(a, [sum])| gram[(i + a) * rows + j] = *sum);
    }
}

/// The products with a vector, compiled for the widest vectors of the machine.
#[with_simd(with_vector = simd())]
#[inline(always)]
fn with_vector_simd<'a, S: Simd>(simd: S, matrix: &'a [f64], vector: &'a [f64], products: &'a mut [f64]) {
    let width = vector.len();
    let (fours, rest) = products.as_chunks_mut::<LEFT>();
    let (many, few) = matrix.split_at(fours.len() * LEFT * width);
    for (rows, products) in many.chunks_exact(LEFT * width).zip(fours) {
        *products = tile(simd, from_fn(|a| &rows[a * width..(a + 1) * width]), [vector]).map(|[sum]| sum);
    }
    for (row, product) in few.chunks_exact(width).zip(rest) {
        *product = tile(simd, [row], [vector])[0][0];
    }
}

/// The inner products of some rows with some others.
#[inline(always)]
fn tile<S: Simd, const A: usize, const B: usize>(
    simd: S,
    left: [&[f64]; A],
    right: [&[f64]; B],
) -> [[f64; B]; A] {
    let mut sums = [[simd.splat_f64s(0.0); B]; A];
    let left = left.map(S::as_simd_f64s);
    let right = right.map(S::as_simd_f64s);
    for chunk in 0..left[0].0.len() {
        let factors = right.map(|(body, _)| body[chunk]);
        for (sums, (body, _)) in sums.iter_mut().zip(left) {
            for (sum, factor) in sums.iter_mut().zip(factors) {
                *sum = simd.mul_add_f64s(body[chunk], factor, *sum);
            }
        }
    }
    let mut whole = [[0.0; B]; A];
    for a in 0..A {
        for b in 0..B {
            let tail: f64 = left[a].1.iter().zip(right[b].1).map(|(x, y)| x * y).sum();
            whole[a][b] = simd.reduce_sum_f64s(sums[a][b]) + tail;
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_agrees_with_the_plain_sum() {
        for rows in 0..14 {
            for width in [1, 7, 8, 9, 33] {
                for triangular in [false, true] {
                    let at =
                        |k: usize| if triangular && k % width < k / width { 0.0 } else { (k as f64).sin() };
                    let matrix: Vec<f64> = (0..rows * width).map(at).collect();
                    let gram = products(&matrix, rows, triangular && width >= rows);
                    for (k, value) in gram.iter().enumerate() {
                        let row = |i: usize| &matrix[i * width..(i + 1) * width];
                        let plain: f64 = row(k / rows).iter().zip(row(k % rows)).map(|(x, y)| x * y).sum();
                        assert!((value - plain).abs() < 1e-13, "{rows} × {width}");
                    }
                }
            }
        }
    }
}
