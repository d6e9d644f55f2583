//! Many exponentials at once.

use pulp::{Simd, with_simd};

use crate::Real;
use crate::simd::simd;

/// t ← exp(−t), to about 10⁻¹⁵ of itself; below −709 and beyond 708 it is that of these. The library's function is called for one number at a
/// time, which would be the larger part of a test.
#[with_simd(exponentials = simd())]
#[inline(always)]
pub fn exponentials_simd<S: Simd>(_simd: S, values: &mut [f64]) {
    for value in values {
        *value = Real::exp(-*value);
    }
}

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
