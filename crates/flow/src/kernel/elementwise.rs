//! Loops over single numbers, compiled for the widest vectors of the machine.
//!
//! Each kernel is one function that takes a (zero-sized) proof of what the machine can do; the attribute makes
//! the function that asks the machine and calls it. Matrices have rows `stride` apart.

use std::ops::Range;

use oslow_math::simd;
use pulp::{Simd, with_simd};

use crate::Real;
use crate::config::{Activation, Head};

/// Activates some columns of a matrix in place and keeps the slopes.
#[with_simd(activate = simd())]
#[inline(always)]
pub(crate) fn activate_simd<'a, S: Simd, T: Real>(
    _simd: S,
    kind: Activation,
    stride: usize,
    columns: Range<usize>,
    values: &'a mut [T],
    slopes: &'a mut [T],
) {
    match kind {
        Activation::Silu => each(stride, columns, values, slopes, silu),
        Activation::Tanh => each(stride, columns, values, slopes, tanh),
        Activation::LeakyRelu => each(stride, columns, values, slopes, leaky),
    }
}

#[inline(always)]
fn each<T: Real>(
    stride: usize,
    columns: Range<usize>,
    values: &mut [T],
    slopes: &mut [T],
    function: impl Fn(T) -> (T, T),
) {
    for (values, slopes) in values.chunks_exact_mut(stride).zip(slopes.chunks_exact_mut(stride)) {
        let (values, slopes) = (&mut values[columns.clone()], &mut slopes[columns.clone()]);
        for k in 0..values.len() {
            (values[k], slopes[k]) = function(values[k]);
        }
    }
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

/// The log-scale from a scale network's outputs, and its slope.
#[with_simd(apply_head = simd())]
#[inline(always)]
pub(crate) fn apply_head_simd<'a, S: Simd, T: Real>(
    _simd: S,
    head: Head,
    raw: &'a [T],
    log_scale: &'a mut [T],
    slope: &'a mut [T],
) {
    match head {
        Head::Raw => {
            log_scale.copy_from_slice(raw);
            slope.fill(T::from_f64(1.0));
        }
        Head::Bounded { a, b } => {
            let (inverse, limit, steepness) = (T::from_f64(1.0 / a), T::from_f64(b), T::from_f64(b / a));
            for k in 0..raw.len() {
                let t = (raw[k] * inverse).tanh();
                log_scale[k] = limit * t;
                slope[k] = steepness * (T::from_f64(1.0) - t * t);
            }
        }
    }
}

/// `u = (x − t)·exp(−s)`; keeps exp(−s).
#[with_simd(affine = simd())]
#[inline(always)]
pub(crate) fn affine_simd<'a, S: Simd, T: Real>(
    _simd: S,
    x: &'a [T],
    shift: &'a [T],
    log_scale: &'a [T],
    inverse_scale: &'a mut [T],
    u: &'a mut [T],
) {
    for k in 0..u.len() {
        let inverse = (-log_scale[k]).exp();
        inverse_scale[k] = inverse;
        u[k] = (x[k] - shift[k]) * inverse;
    }
}

/// Multiplies some columns by the slopes there.
#[with_simd(scale_by_slopes = simd())]
#[inline(always)]
pub(crate) fn scale_by_slopes_simd<'a, S: Simd, T: Real>(
    _simd: S,
    stride: usize,
    columns: Range<usize>,
    values: &'a mut [T],
    slopes: &'a [T],
) {
    for (values, slopes) in values.chunks_exact_mut(stride).zip(slopes.chunks_exact(stride)) {
        for (value, slope) in values[columns.clone()].iter_mut().zip(&slopes[columns.clone()]) {
            *value *= *slope;
        }
    }
}

/// Adds some columns of one matrix to another.
#[with_simd(add_columns = simd())]
#[inline(always)]
pub(crate) fn add_columns_simd<'a, S: Simd, T: Real>(
    _simd: S,
    stride: usize,
    columns: Range<usize>,
    into: &'a mut [T],
    from: &'a [T],
) {
    for (into, from) in into.chunks_exact_mut(stride).zip(from.chunks_exact(stride)) {
        add(&mut into[columns.clone()], &from[columns.clone()]);
    }
}

/// Sets some columns of every row to the same numbers.
pub(crate) fn broadcast<T: Real>(stride: usize, columns: Range<usize>, row: &[T], values: &mut [T]) {
    for values in values.chunks_exact_mut(stride) {
        values[columns.clone()].copy_from_slice(row);
    }
}

/// Adds the sum over rows of some columns.
#[with_simd(add_column_sums = simd())]
#[inline(always)]
pub(crate) fn add_column_sums_simd<'a, S: Simd, T: Real>(
    _simd: S,
    stride: usize,
    columns: Range<usize>,
    values: &'a [T],
    sums: &'a mut [T],
) {
    for values in values.chunks_exact(stride) {
        add(sums, &values[columns.clone()]);
    }
}

/// `into += from`.
#[with_simd(add_all = simd())]
#[inline(always)]
pub(crate) fn add_all_simd<'a, S: Simd, T: Real>(_simd: S, into: &'a mut [T], from: &'a [T]) {
    add(into, from);
}

#[inline(always)]
fn add<T: Real>(into: &mut [T], from: &[T]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into += *from;
    }
}

/// Where [`add_dots`] reads and writes.
pub(crate) struct Dots {
    /// Distance between rows of values.
    pub stride: usize,
    /// The columns of a row that count.
    pub columns: Range<usize>,
    /// Distance between results.
    pub out_stride: usize,
}

/// For each row: `out[row] += factor·⟨values[row][columns], weights⟩`.
#[with_simd(add_dots = simd())]
#[inline(always)]
pub(crate) fn add_dots_simd<'a, S: Simd, T: Real>(
    _simd: S,
    place: Dots,
    factor: T,
    values: &'a [T],
    weights: &'a [T],
    out: &'a mut [T],
) {
    for (values, out) in values.chunks_exact(place.stride).zip(out.chunks_mut(place.out_stride)) {
        out[0] += factor * dot(&values[place.columns.clone()], weights);
    }
}

/// The inner product, summed in 16 independent lanes.
#[inline(always)]
fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    const LANES: usize = 16;
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
pub(crate) fn dot_f64<T: Real>(a: &[T], b: &[T]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.to_f64() * b.to_f64()).sum()
}

/// The transpose of a `rows × columns` matrix.
pub(crate) fn transpose<T: Real>(rows: usize, columns: usize, from: &[T], into: &mut [T]) {
    const TILE: usize = 16;
    for r0 in (0..rows).step_by(TILE) {
        for c0 in (0..columns).step_by(TILE) {
            // Contiguous writes: a tile's rows stay in the first-level cache for the reads.
            for c in c0..columns.min(c0 + TILE) {
                for r in r0..rows.min(r0 + TILE) {
                    into[c * rows + r] = from[r * columns + c];
                }
            }
        }
    }
}
