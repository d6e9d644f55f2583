//! Many exponentials at once.

use pulp::{Arch, Simd, with_simd};

/// t ← exp(−t) for t ≥ 0, to about 10⁻¹⁵ of itself.
///
/// exp(−t) = 2ᵏ·exp(r) with a whole k and |r| ≤ ½·ln 2; exp(r) by its series. Written out because the library's function
/// is called for one number at a time, which would be the larger part of a test.
#[with_simd(exponentials = Arch::new())]
#[inline(always)]
pub(crate) fn exponentials_simd<S: Simd>(_simd: S, values: &mut [f64]) {
    /// 1.5·2⁵²: adding it rounds to a whole number, which is then in the low bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    /// ln 2 in two parts, the first with so few digits that k times it is exact.
    const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    /// Beyond it the exponential is below the smallest normal number.
    const LARGEST: f64 = 708.0;
    for value in values {
        let t = -value.min(LARGEST);
        let shifted = t * std::f64::consts::LOG2_E + ROUND;
        let k = shifted - ROUND;
        let r = (t - k * LN_2_HIGH) - k * LN_2_LOW;
        let mut series = 1.0 / 6_227_020_800.0;
        for coefficient in SERIES {
            series = series * r + coefficient;
        }
        let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
        *value = series * power;
    }
}

/// 1/12!, …, 1/1!, 1/0!.
const SERIES: [f64; 13] = [
    1.0 / 479_001_600.0,
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
    1.0,
    1.0,
];

#[cfg(test)]
mod tests {
    use super::*;

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
}
