//! Loops over rows for mixtures, compiled for the widest vectors of the machine.
//!
//! Rows are taken in tiles, and sums run in lanes side by side: whatever the width of vectors, they are the same.

use oslow_math::{fused, fused_exponential, simd};
use pulp::{Simd, with_simd};

use super::PARTS;

/// Rows of a tile.
const TILE: usize = 64;
/// Sums side by side.
const LANES: usize = 8;

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
    fn ratio<S: Simd>(&self, z: f64) -> f64 {
        fused_exponential::<S>(fused::<S>(z, fused::<S>(z, self.c, self.b), self.a))
    }
}

/// What EM needs to know of some rows.
pub(super) struct Moments {
    /// For each part the sums of its shares of rows, of shares times z, and times z².
    pub parts: [[f64; 3]; PARTS],
    /// Σ ln of the sum of all ratios.
    pub log_sum: f64,
    /// Σ z².
    pub squares: f64,
}

/// What slopes ψ of −ln p tell, summed over some rows.
pub(super) struct Information {
    /// Σ ψ².
    pub location: f64,
    /// Σ (zψ − 1)².
    pub scale: f64,
    /// Σ ln of the sum of all ratios.
    pub log_sum: f64,
    /// Σ z².
    pub squares: f64,
}

/// A tile, filled up with zeros.
#[inline(always)]
fn tile(z: &[f64]) -> [f64; TILE] {
    let mut tile = [0.0; TILE];
    tile[..z.len()].copy_from_slice(z);
    tile
}

/// Adds x·y, row by row of a tile, to sums in lanes.
#[inline(always)]
fn add_products<S: Simd>(lanes: &mut [f64; LANES], x: &[f64; TILE], y: &[f64; TILE]) {
    for start in (0..TILE).step_by(LANES) {
        for lane in 0..LANES {
            lanes[lane] = fused::<S>(x[start + lane], y[start + lane], lanes[lane]);
        }
    }
}

/// Σ ln(x) of numbers from 1 to 10¹⁵, in lanes: products, whose powers of two are taken out tile by tile, as one logarithm is dearer than many products.
struct LogSum {
    products: [f64; LANES],
    powers: [u64; LANES],
}

impl LogSum {
    const EXPONENT: u64 = 0x7ff << 52;

    #[inline(always)]
    fn new() -> Self {
        Self { products: [1.0; LANES], powers: [0; LANES] }
    }

    /// Adds the logarithms of the first of some numbers.
    #[inline(always)]
    fn add(&mut self, numbers: &mut [f64; TILE], count: usize) {
        numbers[count..].fill(1.0);
        for start in (0..TILE).step_by(LANES) {
            for lane in 0..LANES {
                self.products[lane] *= numbers[start + lane];
            }
        }
        for (product, power) in self.products.iter_mut().zip(&mut self.powers) {
            let bits = product.to_bits();
            *power += (bits >> 52) - 1023;
            *product = f64::from_bits(bits & !Self::EXPONENT | 1023 << 52);
        }
    }

    fn sum(&self) -> f64 {
        let powers: u64 = self.powers.iter().sum();
        self.products.iter().product::<f64>().ln() + powers as f64 * std::f64::consts::LN_2
    }
}

/// Σ ln(1 + Σₖ ratioₖ), and Σ z².
#[with_simd(log_sums = simd())]
#[inline(always)]
pub(super) fn log_sums_simd<'a, S: Simd>(_simd: S, parts: &'a [Part; PARTS], z: &'a [f64]) -> (f64, f64) {
    let (mut logs, mut squares) = (LogSum::new(), [0.0; LANES]);
    for z in z.chunks(TILE) {
        let values = tile(z);
        let mut sums = [1.0; TILE];
        for part in parts {
            for (sum, z) in sums.iter_mut().zip(&values) {
                *sum += part.ratio::<S>(*z);
            }
        }
        add_products::<S>(&mut squares, &values, &values);
        logs.add(&mut sums, z.len());
    }
    (logs.sum(), squares.iter().sum())
}

/// Writes the slope of −ln p at each z, given one over the variance of the wide part.
#[with_simd(slopes = simd())]
#[inline(always)]
pub(super) fn slopes_simd<'a, S: Simd>(
    _simd: S,
    parts: &'a [Part; PARTS],
    wide_precision: f64,
    z: &'a [f64],
    slopes: &'a mut [f64],
) -> Information {
    let (mut logs, mut squares) = (LogSum::new(), [0.0; LANES]);
    let (mut location, mut scale) = ([0.0; LANES], [0.0; LANES]);
    for (z, slopes) in z.chunks(TILE).zip(slopes.chunks_mut(TILE)) {
        let values = tile(z);
        let (mut sums, mut pulls, mut errors) = ([1.0; TILE], [0.0; TILE], [0.0; TILE]);
        for (pull, z) in pulls.iter_mut().zip(&values) {
            *pull = wide_precision * z;
        }
        for part in parts {
            for ((sum, pull), z) in sums.iter_mut().zip(&mut pulls).zip(&values) {
                let ratio = part.ratio::<S>(*z);
                *sum += ratio;
                *pull = fused::<S>(ratio * part.precision, z - part.mean, *pull);
            }
        }
        for (((pull, error), sum), z) in pulls.iter_mut().zip(&mut errors).zip(&sums).zip(&values) {
            *pull /= sum;
            *error = fused::<S>(*z, *pull, -1.0);
        }
        slopes.copy_from_slice(&pulls[..z.len()]);
        pulls[z.len()..].fill(0.0);
        errors[z.len()..].fill(0.0);
        add_products::<S>(&mut location, &pulls, &pulls);
        add_products::<S>(&mut scale, &errors, &errors);
        add_products::<S>(&mut squares, &values, &values);
        logs.add(&mut sums, z.len());
    }
    Information {
        location: location.iter().sum(),
        scale: scale.iter().sum(),
        log_sum: logs.sum(),
        squares: squares.iter().sum(),
    }
}

/// What EM needs to know.
#[with_simd(moments = simd())]
#[inline(always)]
pub(super) fn moments_simd<'a, S: Simd>(_simd: S, parts: &'a [Part; PARTS], z: &'a [f64]) -> Moments {
    let (mut logs, mut squares) = (LogSum::new(), [0.0; LANES]);
    let mut lanes = [[[0.0; LANES]; 3]; PARTS];
    for z in z.chunks(TILE) {
        let values = tile(z);
        let (mut sums, mut ratios) = ([1.0; TILE], [[0.0; TILE]; PARTS]);
        for (part, ratios) in parts.iter().zip(&mut ratios) {
            for ((ratio, sum), z) in ratios.iter_mut().zip(&mut sums).zip(&values) {
                *ratio = part.ratio::<S>(*z);
                *sum += *ratio;
            }
        }
        // Rows beyond the end have no weight.
        let mut weights = [0.0; TILE];
        weights[..z.len()].iter_mut().zip(&sums).for_each(|(weight, sum)| *weight = 1.0 / sum);
        for ([counts, firsts, seconds], ratios) in lanes.iter_mut().zip(&ratios) {
            for start in (0..TILE).step_by(LANES) {
                for lane in 0..LANES {
                    let z = values[start + lane];
                    let share = ratios[start + lane] * weights[start + lane];
                    let first = share * z;
                    counts[lane] += share;
                    firsts[lane] += first;
                    seconds[lane] = fused::<S>(first, z, seconds[lane]);
                }
            }
        }
        add_products::<S>(&mut squares, &values, &values);
        logs.add(&mut sums, z.len());
    }
    Moments {
        parts: lanes.map(|sums| sums.map(|lanes| lanes.iter().sum())),
        log_sum: logs.sum(),
        squares: squares.iter().sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_of_products_are_sums_of_logarithms() {
        let numbers: Vec<f64> = (0..300).map(|k| 10f64.powf(f64::from(k * 7 % 300) / 20.0)).collect();
        let mut logs = LogSum::new();
        for some in numbers.chunks(TILE) {
            logs.add(&mut tile(some), some.len());
        }
        let expected: f64 = numbers.iter().map(|x| x.ln()).sum();
        assert!((logs.sum() / expected - 1.0).abs() < 1e-13);
    }
}
