//! Loops over rows, compiled for the widest vectors of the machine.

use oslow_math::{fused, fused_exponential, simd};
use pulp::{Simd, with_simd};

/// y ← y + a·x.
#[inline(always)]
fn add_scaled<S: Simd>(y: &mut [f64], a: f64, x: &[f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y = fused::<S>(a, *x, *y);
    }
}

/// A smooth step from slope 0 to slope 1, (z + √(z² + 1))/2, and its slope: algebraic, so that it vectorises.
#[inline(always)]
fn unit(z: f64) -> (f64, f64) {
    let root = (z * z + 1.0).sqrt();
    (0.5 * (z + root), 0.5 + 0.5 * z / root)
}

/// Writes w·x + b: `weights` holds w and, at its end, b; `values` one variable after the other.
#[inline(always)]
fn project<S: Simd>(out: &mut [f64], weights: &[f64], values: &[f64]) {
    let (bias, weights) = weights.split_last().expect("a unit has a bias");
    out.fill(*bias);
    for (weight, x) in weights.iter().zip(values.chunks_exact(out.len())) {
        add_scaled::<S>(out, *weight, x);
    }
}

/// Adds v·unit(w·x + b) to `out`.
#[with_simd(add_unit = simd())]
#[inline(always)]
pub(super) fn add_unit_simd<'a, S: Simd>(
    _simd: S,
    out: &'a mut [f64],
    v: f64,
    weights: &'a [f64],
    values: &'a [f64],
    scratch: &'a mut [f64],
) {
    project::<S>(scratch, weights, values);
    for (out, z) in out.iter_mut().zip(scratch) {
        *out = fused::<S>(v, unit(*z).0, *out);
    }
}

/// Adds v·unit(w·x + b) to `out` and writes the derivatives: in v to `by_output`, in w and b to `by_weights`.
#[with_simd(add_unit_and_slopes = simd())]
#[inline(always)]
pub(super) fn add_unit_and_slopes_simd<'a, S: Simd>(
    _simd: S,
    out: &'a mut [f64],
    v: f64,
    weights: &'a [f64],
    values: &'a [f64],
    by_output: &'a mut [f64],
    by_weights: &'a mut [f64],
) {
    let n = out.len();
    project::<S>(by_output, weights, values);
    let (by_inputs, by_bias) = by_weights.split_at_mut(by_weights.len() - n);
    for ((out, z), slope) in out.iter_mut().zip(by_output).zip(by_bias.iter_mut()) {
        let (value, steepness) = unit(*z);
        *out = fused::<S>(v, value, *out);
        (*z, *slope) = (value, v * steepness);
    }
    for (by_input, x) in by_inputs.chunks_exact_mut(n).zip(values.chunks_exact(n)) {
        for ((by_input, x), slope) in by_input.iter_mut().zip(x).zip(by_bias.iter()) {
            *by_input = slope * x;
        }
    }
}

/// Adds Σ aᵢ·xᵢ to `out`.
#[with_simd(add_terms = simd())]
#[inline(always)]
pub(super) fn add_terms_simd<'a, S: Simd>(_simd: S, out: &'a mut [f64], a: &'a [f64], x: &'a [f64]) {
    let n = out.len();
    for (a, x) in a.iter().zip(x.chunks_exact(n)) {
        add_scaled::<S>(out, *a, x);
    }
}

/// Multiplies each run of numbers by `factors`.
#[with_simd(scale_rows = simd())]
#[inline(always)]
pub(super) fn scale_rows_simd<'a, S: Simd>(_simd: S, runs: &'a mut [f64], factors: &'a [f64]) {
    for run in runs.chunks_exact_mut(factors.len()) {
        for (x, factor) in run.iter_mut().zip(factors) {
            *x *= factor;
        }
    }
}

/// Replaces each column c of a matrix (given by rows, `width` numbers each) by L⁻¹·c and writes |L⁻¹·c|² to `squares`.
#[with_simd(solve_and_square = simd())]
#[inline(always)]
pub(super) fn solve_and_square_simd<'a, S: Simd>(
    _simd: S,
    factor: &'a [f64],
    matrix: &'a mut [f64],
    squares: &'a mut [f64],
) {
    let width = squares.len();
    let p = matrix.len() / width;
    squares.fill(0.0);
    for i in 0..p {
        let (above, below) = matrix.split_at_mut(i * width);
        let row = &mut below[..width];
        let coefficients = &factor[i * p..=i * p + i];
        for (coefficient, known) in coefficients.iter().zip(above.chunks_exact(width)) {
            add_scaled::<S>(row, -coefficient, known);
        }
        for (x, square) in row.iter_mut().zip(squares.iter_mut()) {
            *x /= coefficients[i];
            *square += *x * *x;
        }
    }
}

/// Writes y around its location, in units of its scale, one over which is given.
#[with_simd(standardize = simd())]
#[inline(always)]
pub(super) fn standardize_simd<'a, S: Simd>(
    _simd: S,
    y: &'a [f64],
    location: &'a [f64],
    inverse: &'a [f64],
    z: &'a mut [f64],
) {
    for (((y, location), inverse), z) in y.iter().zip(location).zip(inverse).zip(z) {
        *z = (y - location) * inverse;
    }
}

/// Writes residuals in units of their scales, whose logarithms are given.
#[with_simd(divide_by_scales = simd())]
#[inline(always)]
pub(super) fn divide_by_scales_simd<'a, S: Simd>(
    _simd: S,
    residuals: &'a [f64],
    log_scales: &'a [f64],
    z: &'a mut [f64],
) {
    for ((r, s), z) in residuals.iter().zip(log_scales).zip(z) {
        *z = r * fused_exponential::<S>(-s);
    }
}
