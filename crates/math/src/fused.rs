//! Operations for loops that are compiled for vectors.

use pulp::Simd;

use crate::real::{EXP_SERIES, LN2_HIGH, LN2_LOW, ROUND};

/// a·b + c, rounded once where vectors can do that; without vectors it is rounded twice, as the library's function would be slow.
#[inline(always)]
pub fn fused<S: Simd>(a: f64, b: f64, c: f64) -> f64 {
    if S::IS_SCALAR { a * b + c } else { a.mul_add(b, c) }
}

/// e to this power, good to 1e-14; below −708 and beyond 709 it is that of these. Half of the operations of [`Real::exp`](crate::Real::exp), where
/// vectors have fused ones.
#[inline(always)]
pub fn fused_exponential<S: Simd>(x: f64) -> f64 {
    // As in `Real::exp`: x = n·ln 2 + r, n being an integer. Two terms of the series less.
    let x = x.clamp(-708.0, 709.0);
    let shifted = fused::<S>(x, std::f64::consts::LOG2_E, ROUND);
    let n = shifted - ROUND;
    let r = fused::<S>(n, -LN2_LOW, fused::<S>(n, -LN2_HIGH, x));
    let [_, _, first, rest @ ..] = EXP_SERIES;
    let series = rest.iter().fold(first, |sum, coefficient| fused::<S>(sum, r, *coefficient));
    let exponent = shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(1023);
    fused::<S>(fused::<S>(series, r, 1.0), r, 1.0) * f64::from_bits(exponent << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::simd;
    use pulp::{Scalar, with_simd};

    #[with_simd(fused_on_this_machine = simd())]
    #[inline(always)]
    fn fused_on_this_machine_simd<S: Simd>(_simd: S, x: f64) -> f64 {
        fused_exponential::<S>(x)
    }

    #[test]
    fn fused_exponentials_are_those_of_the_library() {
        for k in -20_000..=20_000 {
            let x = f64::from(k) * 0.0371;
            let expected = x.clamp(-708.0, 709.0).exp();
            for value in [fused_exponential::<Scalar>(x), fused_on_this_machine(x)] {
                assert!((value - expected).abs() <= 1e-14 * expected, "{x}: {value:e} {expected:e}");
            }
        }
    }
}
