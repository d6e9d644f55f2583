//! Steps over whole columns, compiled for the widest vectors of the machine.

use pulp::{Simd, with_simd};

use crate::simd::simd;

/// out += (coordinate − centre)².
#[with_simd(add_squares = simd())]
#[inline(always)]
pub(crate) fn add_squares_simd<'a, S: Simd>(
    _simd: S,
    out: &'a mut [f64],
    coordinate: &'a [f64],
    centre: f64,
) {
    for (sum, value) in out.iter_mut().zip(coordinate) {
        *sum += (value - centre) * (value - centre);
    }
}

/// out −= Σₖ weights[k] · column k.
#[with_simd(subtract_columns = simd())]
#[inline(always)]
pub(crate) fn subtract_columns_simd<'a, S: Simd>(
    _simd: S,
    out: &'a mut [f64],
    columns: &'a [f64],
    weights: &'a [f64],
) {
    let n = out.len();
    let (fours, last) = weights.as_chunks::<4>();
    for (weights, four) in fours.iter().zip(columns.chunks_exact(4 * n)) {
        let (a, rest) = four.split_at(n);
        let (b, rest) = rest.split_at(n);
        let (c, d) = rest.split_at(n);
        for ((value, (a, b)), (c, d)) in out.iter_mut().zip(a.iter().zip(b)).zip(c.iter().zip(d)) {
            *value -= (weights[0] * a + weights[1] * b) + (weights[2] * c + weights[3] * d);
        }
    }
    for (weight, column) in last.iter().zip(columns[fours.len() * 4 * n..].chunks_exact(n)) {
        for (value, number) in out.iter_mut().zip(column) {
            *value -= weight * number;
        }
    }
}
