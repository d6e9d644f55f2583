//! Loops over rows for mixtures, compiled for the widest vectors of the machine.

use oslow_math::Real;
use pulp::{Arch, Simd, with_simd};

use crate::mixture::PARTS;

/// A normal part in comparison with the wide one: exp(a + z·(b + c·z)); with its mean and one over its variance.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub a: f64,
    pub b: f64,
    pub c: f64,
    pub mean: f64,
    pub precision: f64,
}

impl Part {
    #[inline(always)]
    fn ratio(&self, z: f64) -> f64 {
        Real::exp(self.a + z * (self.b + self.c * z))
    }
}

/// What EM needs to know of some rows.
#[derive(Default)]
pub(crate) struct Moments {
    /// For each part the sums of its shares of rows, of shares times z, and times z².
    pub parts: [[f64; 3]; PARTS],
    /// Σ ln of the sum of all ratios.
    pub log_sum: f64,
    /// Σ z².
    pub squares: f64,
}

/// Writes 1 + Σₖ ratioₖ at each z.
#[with_simd(sums = Arch::new())]
#[inline(always)]
pub(crate) fn sums_simd<'a, S: Simd>(_simd: S, parts: &'a [Part; PARTS], z: &'a [f64], sums: &'a mut [f64]) {
    for (sum, z) in sums.iter_mut().zip(z) {
        *sum = 1.0;
        for part in parts {
            *sum += part.ratio(*z);
        }
    }
}

/// Writes the slope of −ln p at each z, given one over the variance of the wide part.
#[with_simd(slopes = Arch::new())]
#[inline(always)]
pub(crate) fn slopes_simd<'a, S: Simd>(
    _simd: S,
    parts: &'a [Part; PARTS],
    wide_precision: f64,
    z: &'a [f64],
    slopes: &'a mut [f64],
) {
    for (slope, z) in slopes.iter_mut().zip(z) {
        let (mut sum, mut pull) = (1.0, wide_precision * z);
        for part in parts {
            let ratio = part.ratio(*z);
            sum += ratio;
            pull += ratio * part.precision * (z - part.mean);
        }
        *slope = pull / sum;
    }
}

/// Rows whose ratios are computed before they are added up.
const TILE: usize = 64;

/// What EM needs to know.
#[with_simd(moments = Arch::new())]
#[inline(always)]
pub(crate) fn moments_simd<'a, S: Simd>(_simd: S, parts: &'a [Part; PARTS], z: &'a [f64]) -> Moments {
    let mut moments = Moments::default();
    let (mut ratios, mut sums) = ([[0.0; TILE]; PARTS], [0.0; TILE]);
    for z in z.chunks(TILE) {
        sums.fill(1.0);
        for (part, ratios) in parts.iter().zip(&mut ratios) {
            for ((ratio, sum), z) in ratios.iter_mut().zip(&mut sums).zip(z) {
                *ratio = part.ratio(*z);
                *sum += *ratio;
            }
        }
        for (row, z) in z.iter().enumerate() {
            let share = 1.0 / sums[row];
            moments.squares += z * z;
            for (sum, ratios) in moments.parts.iter_mut().zip(&ratios) {
                let share = share * ratios[row];
                *sum = [sum[0] + share, sum[1] + share * z, sum[2] + share * z * z];
            }
        }
        moments.log_sum += sums[..z.len()].iter().map(|sum| sum.ln()).sum::<f64>();
    }
    moments
}
