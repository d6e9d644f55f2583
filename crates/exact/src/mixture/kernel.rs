//! Loops over rows for mixtures, compiled for the widest vectors of the machine.

use oslow_math::Real;
use pulp::{Arch, Simd, with_simd};

use super::PARTS;

/// A normal part in comparison with the wide one: exp(a + z·(b + c·z)); with its mean and one over its variance.
#[derive(Clone, Copy)]
pub(super) struct Part {
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
pub(super) struct Moments {
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
pub(super) fn sums_simd<'a, S: Simd>(_simd: S, parts: &'a [Part; PARTS], z: &'a [f64], sums: &'a mut [f64]) {
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
pub(super) fn slopes_simd<'a, S: Simd>(
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

/// Rows whose ratios are computed before they are added up …
const TILE: usize = 64;
/// … in so many sums side by side.
const LANES: usize = 8;

/// What EM needs to know.
#[with_simd(moments = Arch::new())]
#[inline(always)]
pub(super) fn moments_simd<'a, S: Simd>(_simd: S, parts: &'a [Part; PARTS], z: &'a [f64]) -> Moments {
    let mut moments = Moments::default();
    let mut lanes = [[[0.0; LANES]; 3]; PARTS];
    for z in z.chunks(TILE) {
        // Rows beyond the end have no weight.
        let (mut values, mut sums) = ([0.0; TILE], [1.0; TILE]);
        values[..z.len()].copy_from_slice(z);
        let mut ratios = [[0.0; TILE]; PARTS];
        for (part, ratios) in parts.iter().zip(&mut ratios) {
            for ((ratio, sum), z) in ratios.iter_mut().zip(&mut sums).zip(&values) {
                *ratio = part.ratio(*z);
                *sum += *ratio;
            }
        }
        moments.log_sum += log_of_product(&sums[..z.len()]);
        moments.squares += z.iter().map(|z| z * z).sum::<f64>();
        let mut weights = [0.0; TILE];
        weights[..z.len()].iter_mut().zip(&sums).for_each(|(weight, sum)| *weight = 1.0 / sum);
        for ([counts, firsts, seconds], ratios) in lanes.iter_mut().zip(&ratios) {
            for start in (0..TILE).step_by(LANES) {
                for lane in 0..LANES {
                    let share = ratios[start + lane] * weights[start + lane];
                    let first = share * values[start + lane];
                    counts[lane] += share;
                    firsts[lane] += first;
                    seconds[lane] += first * values[start + lane];
                }
            }
        }
    }
    for (part, lanes) in moments.parts.iter_mut().zip(&lanes) {
        *part = [lanes[0].iter().sum(), lanes[1].iter().sum(), lanes[2].iter().sum()];
    }
    moments
}

/// Σ ln(x) of numbers from 1 to 10¹⁵, few at a time: one logarithm is dearer than many products.
#[inline(always)]
pub(super) fn log_of_product(numbers: &[f64]) -> f64 {
    numbers.chunks(16).map(|some| some.iter().product::<f64>().ln()).sum()
}
