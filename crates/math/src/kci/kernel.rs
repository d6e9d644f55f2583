//! Gaussian kernels: panels of the matrix, and its low-rank factor.

use pulp::{Arch, Simd, with_simd};

/// Points whose squared distances are the kernel's exponents: k(a, b) = exp(−‖a − b‖²).
#[derive(Clone, Debug)]
pub(super) struct Points {
    /// Number of points, n.
    pub len: usize,
    /// Coordinate after coordinate, n numbers each.
    coordinates: Vec<f64>,
}

impl Points {
    /// The columns scaled so that k(a, b) = exp(−½ · precision · ‖a − b‖²).
    pub fn new<'a>(columns: impl IntoIterator<Item = &'a [f64]>, len: usize, precision: f64) -> Self {
        let scale = (0.5 * precision).sqrt();
        let coordinates = columns.into_iter().flatten().map(|value| scale * value).collect();
        Self { len, coordinates }
    }

    /// Rows `rows` and columns `from..` of the kernel matrix, row after row.
    pub fn panel(&self, rows: std::ops::Range<usize>, from: usize, panel: &mut Vec<f64>) {
        panel.clear();
        panel.resize(rows.len() * (self.len - from), 0.0);
        for (row, out) in rows.zip(panel.chunks_exact_mut(self.len - from)) {
            self.row(row, from, out);
        }
    }

    /// Row `row` of the kernel matrix from column `from` on.
    fn row(&self, row: usize, from: usize, out: &mut [f64]) {
        out.fill(0.0);
        for coordinate in self.coordinates.chunks_exact(self.len) {
            add_squares(out, &coordinate[from..], coordinate[row]);
        }
        exponentials(out);
    }

    /// G, n × r with columns one after the other, such that K − G·Gᵀ is positive semidefinite with a trace of at
    /// most `tolerance`. `None` if that takes more than `widest` columns.
    ///
    /// # Algorithm
    ///
    /// Cholesky factorisation with complete pivoting that ends early: the next pivot is the point with the largest
    /// rest of the diagonal (the first of equal ones), and the rests are the error that is left. Only r columns of K are
    /// ever evaluated.
    ///
    /// # Cost
    ///
    /// n·r²/2 multiplications and n·r exponentials. At r = n it is an ordinary Cholesky factorisation.
    ///
    /// # Reference
    ///
    /// Fine, Scheinberg: Efficient SVM training using low-rank kernel representations. JMLR 2001.
    pub fn factor(&self, tolerance: f64, widest: usize) -> Option<Vec<f64>> {
        let n = self.len;
        let mut rest = vec![1.0; n];
        let mut factor: Vec<f64> = Vec::new();
        let mut weights = Vec::new();
        while factor.len() < n * n && rest.iter().sum::<f64>() > tolerance {
            if factor.len() >= n * widest {
                return None;
            }
            let pivot = (0..n).fold(0, |best, i| if rest[i] > rest[best] { i } else { best });
            weights.clear();
            weights.extend(factor.chunks_exact(n).map(|column| column[pivot]));
            let known = factor.len();
            factor.resize(known + n, 0.0);
            let (columns, new) = factor.split_at_mut(known);
            self.row(pivot, 0, new);
            subtract_columns(new, columns, &weights);
            let scale = 1.0 / rest[pivot].sqrt();
            finish_column(new, &mut rest, scale);
            // Rounding may leave a crumb, and a point must not be taken twice.
            rest[pivot] = 0.0;
        }
        Some(factor)
    }

    /// The same however many columns it takes.
    pub fn whole_factor(&self, tolerance: f64) -> Vec<f64> {
        self.factor(tolerance, self.len).expect("no factor has more than n columns")
    }
}

/// out += (coordinate − centre)².
#[with_simd(add_squares = Arch::new())]
#[inline(always)]
fn add_squares_simd<'a, S: Simd>(_simd: S, out: &'a mut [f64], coordinate: &'a [f64], centre: f64) {
    for (sum, value) in out.iter_mut().zip(coordinate) {
        *sum += (value - centre) * (value - centre);
    }
}

/// t ← exp(−t) for t ≥ 0, to about 10⁻¹⁵ of itself.
///
/// exp(−t) = 2ᵏ·exp(r) with a whole k and |r| ≤ ½·ln 2; exp(r) by its series. Written out because the library's function
/// is called for one number at a time, which would be the larger part of a test.
#[with_simd(exponentials = Arch::new())]
#[inline(always)]
fn exponentials_simd<S: Simd>(_simd: S, values: &mut [f64]) {
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

/// out −= Σₖ weights[k] · column k.
#[with_simd(subtract_columns = Arch::new())]
#[inline(always)]
pub(super) fn subtract_columns_simd<'a, S: Simd>(
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

/// Scales a new column, and takes its squares from what is left of the diagonal.
#[with_simd(finish_column = Arch::new())]
#[inline(always)]
fn finish_column_simd<'a, S: Simd>(_simd: S, column: &'a mut [f64], rest: &'a mut [f64], scale: f64) {
    for (value, rest) in column.iter_mut().zip(rest) {
        *value *= scale;
        *rest = (*rest - *value * *value).max(0.0);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Points that need no generator.
    pub fn points(n: usize, dimensions: usize) -> Points {
        let column = |j: usize| (0..n).map(|i| ((i * i + 7 * i * j + j) as f64).sin() * 2.0).collect();
        let columns: Vec<Vec<f64>> = (0..dimensions).map(column).collect();
        Points::new(columns.iter().map(Vec::as_slice), n, 1.7)
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
    fn what_the_factor_leaves_out_is_as_small_as_asked_for() {
        for (n, dimensions, tolerance) in [(1, 1, 0.0), (60, 1, 1e-8), (150, 2, 1e-6), (80, 3, 0.0)] {
            let points = points(n, dimensions);
            let factor = points.whole_factor(tolerance);
            let mut kernel = Vec::new();
            points.panel(0..n, 0, &mut kernel);
            let mut trace = 0.0;
            for i in 0..n {
                for j in 0..n {
                    let product: f64 = factor.chunks_exact(n).map(|column| column[i] * column[j]).sum();
                    let rest = kernel[i * n + j] - product;
                    assert!(rest.abs() <= tolerance + 1e-12, "({i}, {j}): {rest:e}");
                    trace += if i == j { rest } else { 0.0 };
                }
            }
            assert!(trace <= tolerance + 1e-12 && factor.len() <= n * n);
            assert!(points.factor(tolerance, factor.len() / n - 1).is_none());
        }
    }
}
