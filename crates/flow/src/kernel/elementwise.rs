//! Loops over single numbers, compiled for the widest vectors of the machine.

use std::ops::Range;

use pulp::Arch;

use crate::Real;
use crate::config::Activation;

/// Activates columns `columns` of a matrix whose rows lie `stride` apart, and keeps the slopes there.
pub fn activate<T: Real>(kind: Activation, stride: usize, columns: Range<usize>, values: &mut [T], slopes: &mut [T]) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (values, slopes) in values.chunks_exact_mut(stride).zip(slopes.chunks_exact_mut(stride)) {
                let pairs = values[columns.clone()].iter_mut().zip(&mut slopes[columns.clone()]);
                match kind {
                    Activation::Silu => pairs.for_each(|(value, slope)| (*value, *slope) = silu(*value)),
                    Activation::Tanh => pairs.for_each(|(value, slope)| (*value, *slope) = tanh(*value)),
                    Activation::LeakyRelu => pairs.for_each(|(value, slope)| (*value, *slope) = leaky(*value)),
                }
            }
        },
    );
}

/// x·σ(x) and its slope.
#[inline(always)]
fn silu<T: Real>(x: T) -> (T, T) {
    let one = T::from_f64(1.0);
    let sigmoid = one / (one + (-x).exp());
    let value = x * sigmoid;
    (value, sigmoid + value * (one - sigmoid))
}

#[inline(always)]
fn tanh<T: Real>(x: T) -> (T, T) {
    let value = x.tanh();
    (value, T::from_f64(1.0) - value * value)
}

/// max(x, 0.01·x) and its slope.
#[inline(always)]
fn leaky<T: Real>(x: T) -> (T, T) {
    let slope = if x > T::from_f64(0.0) { T::from_f64(1.0) } else { T::from_f64(0.01) };
    (x * slope, slope)
}

/// Multiplies `values` by `slopes` in the given columns.
pub fn scale_by_slopes<T: Real>(stride: usize, columns: Range<usize>, values: &mut [T], slopes: &[T]) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (values, slopes) in values.chunks_exact_mut(stride).zip(slopes.chunks_exact(stride)) {
                for (value, slope) in values[columns.clone()].iter_mut().zip(&slopes[columns.clone()]) {
                    *value *= *slope;
                }
            }
        },
    );
}

/// Adds `from` to `into` in the given columns.
pub fn add_columns<T: Real>(stride: usize, columns: Range<usize>, into: &mut [T], from: &[T]) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (into, from) in into.chunks_exact_mut(stride).zip(from.chunks_exact(stride)) {
                add(&mut into[columns.clone()], &from[columns.clone()]);
            }
        },
    );
}

/// Sets the given columns of every row to the same numbers.
pub fn broadcast<T: Real>(stride: usize, columns: Range<usize>, row: &[T], values: &mut [T]) {
    for values in values.chunks_exact_mut(stride) {
        values[columns.clone()].copy_from_slice(row);
    }
}

/// Adds the sum over rows of the given columns to `sums`.
pub fn add_column_sums<T: Real>(stride: usize, columns: Range<usize>, values: &[T], sums: &mut [T]) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for values in values.chunks_exact(stride) {
                add(sums, &values[columns.clone()]);
            }
        },
    );
}

/// `into += from`.
#[inline(always)]
fn add<T: Real>(into: &mut [T], from: &[T]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into += *from;
    }
}

/// `into += factor·from`.
pub fn add_scaled<T: Real>(into: &mut [T], factor: T, from: &[T]) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (into, from) in into.iter_mut().zip(from) {
                *into += factor * *from;
            }
        },
    );
}

/// For each row: `out[row] += factor·⟨values[row][columns], weights⟩`; `out` lies `out_stride` apart.
pub fn add_dots<T: Real>(
    stride: usize,
    columns: Range<usize>,
    factor: T,
    values: &[T],
    weights: &[T],
    out_stride: usize,
    out: &mut [T],
) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (values, out) in values.chunks_exact(stride).zip(out.chunks_mut(out_stride)) {
                out[0] += factor * dot(&values[columns.clone()], weights);
            }
        },
    );
}

/// The inner product, summed in 32 independent lanes.
#[inline(always)]
fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    const LANES: usize = 32;
    let mut sums = [T::from_f64(0.0); LANES];
    let (a_body, a_tail) = a.as_chunks::<LANES>();
    let (b_body, b_tail) = b.as_chunks::<LANES>();
    for (a, b) in a_body.iter().zip(b_body) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    for (lane, (a, b)) in a_tail.iter().zip(b_tail).enumerate() {
        sums[lane] += *a * *b;
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            let other = sums[lane + width];
            sums[lane] += other;
        }
        width /= 2;
    }
    sums[0]
}

/// ⟨a, b⟩ in double precision.
pub fn dot_f64<T: Real>(a: &[T], b: &[T]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.to_f64() * b.to_f64()).sum()
}

/// The transpose of a `rows × columns` matrix.
pub fn transpose<T: Real>(rows: usize, columns: usize, from: &[T], into: &mut [T]) {
    const TILE: usize = 16;
    for r0 in (0..rows).step_by(TILE) {
        for c0 in (0..columns).step_by(TILE) {
            for r in r0..rows.min(r0 + TILE) {
                for c in c0..columns.min(c0 + TILE) {
                    into[c * rows + r] = from[r * columns + c];
                }
            }
        }
    }
}
