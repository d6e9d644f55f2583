//! Many exponentials at once, and operations for loops that are compiled for vectors.

use pulp::{Arch, Simd, with_simd};

use crate::Real;

/// t ← exp(−t), to about 10⁻¹⁵ of itself; below −709 and beyond 708 it is that of these. The library's function is called for one number at a
/// time, which would be the larger part of a test.
#[with_simd(exponentials = Arch::new())]
#[inline(always)]
pub fn exponentials_simd<S: Simd>(_simd: S, values: &mut [f64]) {
    for value in values {
        *value = Real::exp(-*value);
    }
}

/// 1/11!, 1/10!, …, 1/2!.
const SERIES: [f64; 10] = [
    1.0 / 39_916_800.0,
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
];

/// a·b + c, rounded once where vectors can do that; without vectors it is rounded twice, as the library's function would be slow.
#[inline(always)]
pub fn fused<S: Simd>(a: f64, b: f64, c: f64) -> f64 {
    if S::IS_SCALAR { a * b + c } else { a.mul_add(b, c) }
}

/// e to this power, good to 1e-14; below −708 and beyond 709 it is that of these. Half of the operations of [`Real::exp`], where
/// vectors have fused ones.
#[inline(always)]
pub fn fused_exponential<S: Simd>(x: f64) -> f64 {
    // As in `Real::exp`: x = n·ln 2 + r, n being an integer.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    const LN2_HIGH: f64 = 0.693_147_180_369_123_8;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let x = x.clamp(-708.0, 709.0);
    let shifted = fused::<S>(x, std::f64::consts::LOG2_E, ROUND);
    let n = shifted - ROUND;
    let r = fused::<S>(n, -LN2_LOW, fused::<S>(n, -LN2_HIGH, x));
    let [first, rest @ ..] = SERIES;
    let series = rest.iter().fold(first, |sum, coefficient| fused::<S>(sum, r, *coefficient));
    let exponent = shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(1023);
    fused::<S>(fused::<S>(series, r, 1.0), r, 1.0) * f64::from_bits(exponent << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulp::Scalar;

    #[with_simd(fused_on_this_machine = Arch::new())]
    #[inline(always)]
    fn fused_on_this_machine_simd<S: Simd>(_simd: S, x: f64) -> f64 {
        fused_exponential::<S>(x)
    }

    #[test]
    fn exponentials_are_those_of_the_library() {
        let arguments: Vec<f64> = (0..20_000).map(|k| f64::from(k) * 0.0351).collect();
        let mut values = arguments.clone();
        exponentials(&mut values);
        for (t, value) in arguments.iter().zip(values) {
            let expected = (-t.min(708.0)).exp();
            assert!((value - expected).abs() <= 2e-15 * expected, "{t}: {value:e} {expected:e}");
        }
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
