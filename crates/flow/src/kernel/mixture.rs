//! Mixtures of normal densities at one variable of many rows, compiled for the widest vectors of the machine.

use oslow_math::simd;
use pulp::{Simd, with_simd};

use crate::Real;
use crate::mixture::{Mixture, Moments, PARTS, WIDE_SQUARE};

/// Rows that are looked at together.
const LANES: usize = 16;

/// One number for each of some rows.
type Lanes<T> = [T; LANES];

/// A mixture as the loops need it: a normal part is exp(log_height − ½·((z − mean)·inverse_deviation)²).
pub(crate) struct Parts<T> {
    log_heights: [T; PARTS],
    means: [T; PARTS],
    inverse_deviations: [T; PARTS],
    wide_height: T,
    inverse_wide_square: T,
}

/// The parts at some rows.
struct Values<T> {
    normal: [Lanes<T>; PARTS],
    /// (z − mean)/deviation.
    u: [Lanes<T>; PARTS],
    wide: Lanes<T>,
    /// 1/(1 + z²/WIDE_SQUARE).
    inverse: Lanes<T>,
    /// The density.
    sum: Lanes<T>,
}

impl<T: Real> Parts<T> {
    pub fn new(mixture: &Mixture) -> Self {
        Self {
            log_heights: mixture.log_heights().map(T::from_f64),
            means: mixture.means.map(T::from_f64),
            inverse_deviations: mixture.deviations.map(|deviation| T::from_f64(1.0 / deviation)),
            wide_height: T::from_f64(Mixture::wide_height()),
            inverse_wide_square: T::from_f64(1.0 / WIDE_SQUARE),
        }
    }

    /// The wide part falls so slowly that the sum never becomes 0: no logarithms of parts have to be compared.
    #[inline(always)]
    fn at(&self, z: &Lanes<T>) -> Values<T> {
        let (zero, half, one) = (T::from_f64(0.0), T::from_f64(0.5), T::from_f64(1.0));
        let (mut normal, mut u) = ([[zero; LANES]; PARTS], [[zero; LANES]; PARTS]);
        let (mut wide, mut inverse, mut sum) = ([zero; LANES], [zero; LANES], [zero; LANES]);
        for lane in 0..LANES {
            inverse[lane] = one / (one + z[lane] * z[lane] * self.inverse_wide_square);
            wide[lane] = self.wide_height * inverse[lane] * inverse[lane];
            // 0·z is no number where z is not finite; the exponential, which is limited, would hide that.
            sum[lane] = wide[lane] + zero * z[lane];
        }
        for k in 0..PARTS {
            for lane in 0..LANES {
                u[k][lane] = (z[lane] - self.means[k]) * self.inverse_deviations[k];
                normal[k][lane] = (self.log_heights[k] - half * u[k][lane] * u[k][lane]).exp();
                sum[lane] += normal[k][lane];
            }
        }
        Values { normal, u, wide, inverse, sum }
    }
}

/// Which numbers of a matrix belong to a variable: every `stride`th from `start` on.
#[derive(Clone, Copy)]
pub(crate) struct Column {
    pub start: usize,
    pub stride: usize,
}

impl Column {
    /// The numbers of `count` rows from `first` on; the remaining lanes are 0.
    #[inline(always)]
    fn read<T: Real>(self, values: &[T], first: usize, count: usize) -> Lanes<T> {
        let mut lanes = [T::from_f64(0.0); LANES];
        for lane in 0..count {
            lanes[lane] = values[(first + lane) * self.stride + self.start];
        }
        lanes
    }
}

/// Adds −ln p of a variable to each row's.
#[with_simd(add_nll = simd())]
#[inline(always)]
pub(crate) fn add_nll_simd<'a, S: Simd, T: Real>(
    _simd: S,
    parts: &'a Parts<T>,
    column: Column,
    z: &'a [T],
    nll: &'a mut [f64],
) {
    for (chunk, nll) in nll.chunks_mut(LANES).enumerate() {
        let z = column.read(z, chunk * LANES, nll.len());
        let Values { sum, .. } = parts.at(&z);
        for (nll, sum) in nll.iter_mut().zip(sum) {
            *nll -= sum.to_f64().ln();
        }
    }
}

/// Writes `weight` times the slope of −ln p of a variable for each row, and returns the sums over rows of each normal part.
#[with_simd(slopes = simd())]
#[inline(always)]
pub(crate) fn slopes_simd<'a, S: Simd, T: Real>(
    _simd: S,
    parts: &'a Parts<T>,
    column: Column,
    weight: T,
    z: &'a [T],
    slopes: &'a mut [T],
) -> [Moments; PARTS] {
    let (zero, one, four) = (T::from_f64(0.0), T::from_f64(1.0), T::from_f64(4.0));
    let mut counts = [[zero; LANES]; PARTS];
    let (mut sums, mut squares) = (counts, counts);
    let rows = z.len() / column.stride;
    for first in (0..rows).step_by(LANES) {
        let count = LANES.min(rows - first);
        let z = column.read(z, first, count);
        let Values { normal, u, wide, inverse, sum } = parts.at(&z);
        let (mut share_per_density, mut slope) = ([zero; LANES], [zero; LANES]);
        for lane in 0..LANES {
            let keep = if lane < count { one } else { zero };
            share_per_density[lane] = keep / sum[lane];
            let fall = four * z[lane] * parts.inverse_wide_square * inverse[lane];
            slope[lane] = share_per_density[lane] * wide[lane] * fall;
        }
        for k in 0..PARTS {
            for lane in 0..LANES {
                let share = share_per_density[lane] * normal[k][lane];
                let product = share * u[k][lane];
                slope[lane] += product * parts.inverse_deviations[k];
                counts[k][lane] += share;
                sums[k][lane] += product;
                squares[k][lane] += product * u[k][lane];
            }
        }
        for lane in 0..count {
            slopes[(first + lane) * column.stride + column.start] = weight * slope[lane];
        }
    }
    let total = |lanes: &Lanes<T>| lanes.iter().map(|value| value.to_f64()).sum();
    std::array::from_fn(|k| Moments {
        count: total(&counts[k]),
        sum: total(&sums[k]),
        squares: total(&squares[k]),
    })
}
