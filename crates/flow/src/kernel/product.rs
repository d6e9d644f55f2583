//! The one matrix product of the flow: `C += α·A·B` on strided blocks, without packing.
//!
//! Every product of a masked network (activations, their gradients, weight gradients) has a right factor
//! and a result whose rows are contiguous, and a left factor that is only ever read one number at a time.
//! So one register tile serves all of them, and weight blocks are used where they lie.

#![expect(unsafe_code, reason = "register tiles are read and written without a bounds check per number")]

use oslow_math::simd;
use pulp::{Simd, WithSimd};

/// The left factor: element `(i, l)` lies at `i·row + l·column`.
#[derive(Clone, Copy)]
pub struct Left<'a, T> {
    /// The numbers.
    pub data: &'a [T],
    /// Distance between rows.
    pub row: usize,
    /// Distance between columns.
    pub column: usize,
}

/// A block with contiguous rows.
#[derive(Clone, Copy)]
pub struct Rows<'a, T> {
    /// The numbers.
    pub data: &'a [T],
    /// Distance between rows.
    pub row: usize,
}

/// A block with contiguous rows, to be written.
pub struct RowsMut<'a, T> {
    /// The numbers.
    pub data: &'a mut [T],
    /// Distance between rows.
    pub row: usize,
}

/// Depth of one pass over the inner dimension: a panel of `B` this deep stays in the first-level cache.
const DEPTH: usize = 96;

/// `m × k` times `k × n`.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Rows of `A` and `C`.
    pub m: usize,
    /// Columns of `B` and `C`.
    pub n: usize,
    /// Columns of `A`, rows of `B`.
    pub k: usize,
}

/// A number type that the kernels know.
pub trait Multiply: Copy {
    /// `C += α·A·B`.
    fn product(shape: Shape, alpha: Self, a: Left<'_, Self>, b: Rows<'_, Self>, c: RowsMut<'_, Self>);
}

macro_rules! multiply {
    ($real:ty, $vector:ident, $lanes:ident, $splat:ident, $fma:ident, $mask:ident, $load:ident, $store:ident) => {
        impl Multiply for $real {
            fn product(
                shape: Shape,
                alpha: $real,
                a: Left<'_, $real>,
                b: Rows<'_, $real>,
                c: RowsMut<'_, $real>,
            ) {
                let Shape { m, n, k } = shape;
                if m == 0 || n == 0 || k == 0 {
                    return;
                }
                assert!(a.data.len() > (m - 1) * a.row + (k - 1) * a.column, "A is too short");
                assert!(b.data.len() >= (k - 1) * b.row + n, "B is too short");
                assert!(c.data.len() >= (m - 1) * c.row + n, "C is too short");

                struct Op<'a> {
                    shape: Shape,
                    alpha: $real,
                    a: Left<'a, $real>,
                    b: Rows<'a, $real>,
                    c: RowsMut<'a, $real>,
                }

                impl WithSimd for Op<'_> {
                    type Output = ();

                    #[inline(always)]
                    fn with_simd<S: Simd>(self, simd: S) {
                        let Shape { m, n, k } = self.shape;
                        let (a, b) = (self.a.data.as_ptr(), self.b.data.as_ptr());
                        let c = self.c.data.as_mut_ptr();
                        let lanes = S::$lanes;
                        let mut depth = 0;
                        while depth < k {
                            let deep = DEPTH.min(k - depth);
                            // SAFETY: the asserts above bound every address that these offsets can reach.
                            let block = unsafe {
                                Block {
                                    k: deep,
                                    alpha: self.alpha,
                                    a: a.add(depth * self.a.column),
                                    a_row: self.a.row,
                                    a_column: self.a.column,
                                    b: b.add(depth * self.b.row),
                                    b_row: self.b.row,
                                    c,
                                    c_row: self.c.row,
                                }
                            };
                            let mut column = 0;
                            // SAFETY: `column + width ≤ n` for each panel, and panels are `m` rows high.
                            unsafe {
                                if S::REGISTER_COUNT >= 32 {
                                    while column + 4 * lanes <= n {
                                        panel::<S, 6, 4>(simd, block, m, column, None);
                                        column += 4 * lanes;
                                    }
                                }
                                while column + 2 * lanes <= n {
                                    if S::REGISTER_COUNT >= 32 {
                                        panel::<S, 12, 2>(simd, block, m, column, None);
                                    } else {
                                        panel::<S, 6, 2>(simd, block, m, column, None);
                                    }
                                    column += 2 * lanes;
                                }
                                while column < n {
                                    let width = lanes.min(n - column);
                                    let partial = (width < lanes).then_some(width);
                                    panel::<S, 12, 1>(simd, block, m, column, partial);
                                    column += width;
                                }
                            }
                            depth += deep;
                        }
                    }
                }

                #[derive(Clone, Copy)]
                struct Block {
                    k: usize,
                    alpha: $real,
                    a: *const $real,
                    a_row: usize,
                    a_column: usize,
                    b: *const $real,
                    b_row: usize,
                    c: *mut $real,
                    c_row: usize,
                }

                /// All rows of `V` vectors of columns from `column` on (`width` columns if given).
                #[inline(always)]
                unsafe fn panel<S: Simd, const R: usize, const V: usize>(
                    simd: S,
                    block: Block,
                    m: usize,
                    column: usize,
                    width: Option<usize>,
                ) {
                    let mut row = 0;
                    // SAFETY: as the caller promises; `row + R ≤ m`.
                    unsafe {
                        while row + R <= m {
                            tile::<S, R, V>(simd, block, row, column, width);
                            row += R;
                        }
                        while row + 4 <= m {
                            tile::<S, 4, V>(simd, block, row, column, width);
                            row += 4;
                        }
                        while row < m {
                            tile::<S, 1, V>(simd, block, row, column, width);
                            row += 1;
                        }
                    }
                }

                /// `R` rows by `V` vectors of `C`, held in registers over the whole depth.
                #[inline(always)]
                unsafe fn tile<S: Simd, const R: usize, const V: usize>(
                    simd: S,
                    block: Block,
                    row: usize,
                    column: usize,
                    width: Option<usize>,
                ) {
                    let lanes = S::$lanes;
                    let mask = simd.$mask(0, width.unwrap_or(lanes) as _);
                    let mut sums = [[simd.$splat(0.0); V]; R];
                    // SAFETY: rows `row..row+R`, columns `column..column+V·lanes` (masked to `width`) are in bounds.
                    unsafe {
                        let mut a = block.a.add(row * block.a_row);
                        let mut b = block.b.add(column);
                        for _ in 0..block.k {
                            let mut right = [simd.$splat(0.0); V];
                            for v in 0..V {
                                right[v] = match width {
                                    None => b.add(v * lanes).cast::<S::$vector>().read_unaligned(),
                                    Some(_) => simd.$load(mask, b.add(v * lanes)),
                                };
                            }
                            for r in 0..R {
                                let left = simd.$splat(*a.add(r * block.a_row));
                                for v in 0..V {
                                    sums[r][v] = simd.$fma(left, right[v], sums[r][v]);
                                }
                            }
                            a = a.add(block.a_column);
                            b = b.add(block.b_row);
                        }
                        let alpha = simd.$splat(block.alpha);
                        for r in 0..R {
                            for v in 0..V {
                                let c = block.c.add((row + r) * block.c_row + column + v * lanes);
                                match width {
                                    None => {
                                        let c = c.cast::<S::$vector>();
                                        c.write_unaligned(simd.$fma(alpha, sums[r][v], c.read_unaligned()));
                                    }
                                    Some(_) => {
                                        let old = simd.$load(mask, c);
                                        simd.$store(mask, c, simd.$fma(alpha, sums[r][v], old));
                                    }
                                }
                            }
                        }
                    }
                }

                simd().dispatch(Op { shape, alpha, a, b, c });
            }
        }
    };
}

multiply!(
    f32,
    f32s,
    F32_LANES,
    splat_f32s,
    mul_add_e_f32s,
    mask_between_m32s,
    mask_load_ptr_f32s,
    mask_store_ptr_f32s
);
multiply!(
    f64,
    f64s,
    F64_LANES,
    splat_f64s,
    mul_add_e_f64s,
    mask_between_m64s,
    mask_load_ptr_f64s,
    mask_store_ptr_f64s
);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, element by element.
    fn plain(shape: Shape, alpha: f64, a: &[f64], b: &[f64], c: &[f64]) -> Vec<f64> {
        let Shape { m, n, k } = shape;
        let dot = |i: usize, j: usize| (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum::<f64>();
        (0..m * n).map(|x| c[x] + alpha * dot(x / n, x % n)).collect()
    }

    proptest! {
        #[test]
        fn equals_the_definition(m in 1..20usize, n in 1..150usize, k in 1..120usize, transposed: bool, salt in 0..1000u64) {
            let shape = Shape { m, n, k };
            let number = |x: usize| (((x as u64 + 1) * (salt + 7919)) % 2003) as f64 / 1001.5 - 1.0;
            let a: Vec<f64> = (0..m * k).map(number).collect();
            let b: Vec<f64> = (0..k * n).map(|x| number(x + 17)).collect();
            let c: Vec<f64> = (0..m * n).map(|x| number(x + 31)).collect();
            let expected = plain(shape, 0.5, &a, &b, &c);
            let (layout, row, column) = if transposed {
                ((0..k * m).map(|x| a[(x % m) * k + x / m]).collect(), 1, m)
            } else {
                (a, k, 1)
            };
            let mut got = c.clone();
            f64::product(
                shape,
                0.5,
                Left { data: &layout, row, column },
                Rows { data: &b, row: n },
                RowsMut { data: &mut got, row: n },
            );
            for (x, y) in got.iter().zip(&expected) {
                prop_assert!((x - y).abs() < 1e-12 * (k as f64));
            }
            let narrow = |v: &[f64]| v.iter().map(|&x| x as f32).collect::<Vec<_>>();
            let (layout, b, mut got) = (narrow(&layout), narrow(&b), narrow(&c));
            f32::product(
                shape,
                0.5,
                Left { data: &layout, row, column },
                Rows { data: &b, row: n },
                RowsMut { data: &mut got, row: n },
            );
            for (x, y) in got.iter().zip(&expected) {
                prop_assert!((f64::from(*x) - y).abs() < 1e-6 * (k as f64 + 1.0));
            }
        }
    }
}
