//! The two precisions: f32 for training, f64 for checks and statistics.

use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub};

/// A floating-point number.
pub trait Real:
    Copy
    + Default
    + PartialOrd
    + Send
    + Sync
    + std::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + MulAssign
    + 'static
{
    /// The nearest representable number.
    fn from_f64(value: f64) -> Self;
    /// The same number in double precision.
    fn to_f64(self) -> f64;
    /// e to this power: a polynomial that vectorises, good to 2e-7 in f32 and 1e-15 in f64.
    fn exp(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
}

/// 1/13!, 1/12!, …, 1/2!.
pub(crate) const EXP_SERIES: [f64; 12] = [
    1.0 / 6_227_020_800.0,
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
];

/// 1.5·2⁵²: adding and subtracting it rounds to the nearest integer.
pub(crate) const ROUND: f64 = 6_755_399_441_055_744.0;
/// ln 2 in two parts, the first of which has few digits.
pub(crate) const LN2_HIGH: f64 = 0.693_147_180_369_123_8;
pub(crate) const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

impl Real for f64 {
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn exp(self) -> Self {
        // As below, with the series to the thirteenth power.
        let x = self.clamp(-708.0, 709.0);
        let shifted = x * std::f64::consts::LOG2_E + ROUND;
        let n = shifted - ROUND;
        let r = x - n * LN2_HIGH - n * LN2_LOW;
        let series = EXP_SERIES.iter().fold(0.0, |sum, coefficient| sum * r + coefficient);
        let exponent = shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(1023);
        (1.0 + r * (1.0 + r * series)) * f64::from_bits(exponent << 52)
    }

    #[inline(always)]
    fn tanh(self) -> Self {
        f64::tanh(self)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
}

impl Real for f32 {
    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        value as f32
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn exp(self) -> Self {
        // exp(x) = 2ⁿ·exp(r) with |r| ≤ ln2/2; adding and subtracting 1.5·2²³ rounds to the nearest integer.
        const ROUND: f32 = 12_582_912.0;
        const LN2_HIGH: f32 = 0.693_359_4;
        const LN2_LOW: f32 = -2.121_944_4e-4;
        let x = self.clamp(-87.0, 88.0);
        let shifted = x * std::f32::consts::LOG2_E + ROUND;
        let n = shifted - ROUND;
        let r = x - n * LN2_HIGH - n * LN2_LOW;
        let tail = r * (1.0 / 5040.0) + 1.0 / 720.0;
        let tail = r * (r * (r * (r * tail + 1.0 / 120.0) + 1.0 / 24.0) + 1.0 / 6.0) + 0.5;
        // The same integer from the bits: a cast would have to saturate, which does not vectorise.
        let exponent = shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127);
        let power = f32::from_bits(exponent << 23);
        (1.0 + r * (1.0 + r * tail)) * power
    }

    #[inline(always)]
    fn tanh(self) -> Self {
        // Near 0 the quotient below cancels, so the odd series takes over.
        let square = self * self;
        let series = self * (1.0 - square * (1.0 / 3.0 - square * (2.0 / 15.0 - square * (17.0 / 315.0))));
        let e = Real::exp(2.0 * self);
        if square < 0.01 { series } else { (e - 1.0) / (e + 1.0) }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }
}

#[cfg(test)]
mod tests {
    use super::Real;

    #[test]
    fn the_double_precision_exponential_is_accurate() {
        let worst = (-70_000..70_000)
            .map(|step| f64::from(step) * 1.01e-2)
            .map(|x| (Real::exp(x) / x.exp() - 1.0).abs())
            .fold(0.0, f64::max);
        assert!(worst < 1e-15, "{worst}");
        assert!(Real::exp(1e9f64).is_finite() && Real::exp(-1e9f64) >= 0.0);
    }

    #[test]
    fn single_precision_functions_are_accurate() {
        let (mut worst_exp, mut worst_tanh) = (0f64, 0f64);
        for step in -80_000..80_000 {
            let x = step as f32 * 1e-3;
            let exact = f64::from(x).exp();
            worst_exp = worst_exp.max((f64::from(Real::exp(x)) / exact - 1.0).abs());
            let exact = f64::from(x).tanh();
            worst_tanh = worst_tanh.max((f64::from(Real::tanh(x)) - exact).abs() / exact.abs().max(1e-3));
        }
        assert!(worst_exp < 4e-7, "{worst_exp}");
        assert!(worst_tanh < 2e-6, "{worst_tanh}");
        assert!(Real::exp(1e9f32).is_finite() && Real::exp(-1e9f32) >= 0.0);
    }
}
