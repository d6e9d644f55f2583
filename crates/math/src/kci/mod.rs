//! The kernel conditional independence test.

mod gamma_tail;
mod kernel;
#[cfg(test)]
mod reference;
mod residual;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use oslow_core::{Error, Result};

use crate::dense_product::{View, multiply};
use gamma_tail::gamma_tail;
use kernel::Points;
use residual::{Residual, centre_columns};

/// Largest trace that the factor of a kernel matrix may leave out; see [`Kci`] for what follows from it.
const TOLERANCE: f64 = 1e-9;
/// Weight of the conditioning variables beside x.
const WEIGHT_OF_Z: f64 = 0.5;
/// Most numbers that are kept of conditioning sets: 256 MiB.
const KEPT: usize = 1 << 25;

/// The outcome of a kernel independence test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KciResult {
    /// The statistic, Σᵢⱼ AᵢⱼBᵢⱼ of the two centred or residual kernel matrices.
    pub statistic: f64,
    /// How often independent data would show a statistic at least this large, in [0, 1].
    pub p_value: f64,
}

/// Tests whether x and y are independent given z, or independent if z is empty.
///
/// For many tests on the columns of one table use [`Kci`], which keeps what they share and documents the mathematics.
///
/// ```
/// # fn main() -> oslow_core::Result<()> {
/// // x → z → y: dependent, and independent given z.
/// let noise = |i: usize, j: u64| {
///     let mut bits = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (j << 32);
///     for _ in 0..3 {
///         bits = (bits ^ (bits >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
///     }
///     (bits >> 11) as f64 / (1u64 << 53) as f64 - 0.5
/// };
/// let x: Vec<f64> = (0..300).map(|i| noise(i, 1)).collect();
/// let z: Vec<f64> = x.iter().enumerate().map(|(i, x)| (3.0 * x).sin() + noise(i, 2)).collect();
/// let y: Vec<f64> = z.iter().enumerate().map(|(i, z)| z * z + z + noise(i, 3)).collect();
/// assert!(oslow_math::kci_test(&x, &y, &[])?.p_value < 1e-4);
/// assert!(oslow_math::kci_test(&x, &y, &[&z])?.p_value > 0.05);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Where the columns have different lengths or fewer than 2 numbers, where one is constant or a number is not finite.
///
/// # Reference
///
/// Zhang, Peters, Janzing, Schölkopf: Kernel-based conditional independence test and application in causal discovery. UAI
/// 2011.
pub fn kci_test(x: &[f64], y: &[f64], z: &[&[f64]]) -> Result<KciResult> {
    let columns: Vec<&[f64]> = [x, y].into_iter().chain(z.iter().copied()).collect();
    Kci::new(&columns)?.test(0, 1, &(2..columns.len()).collect::<Vec<_>>())
}

/// Kernel independence tests between the columns of one table.
///
/// # Assumes
///
/// Rows are independent draws. Dependence is visible to Gaussian kernels of the given widths.
///
/// # Model
///
/// Columns are scaled to mean 0 and variance 1 (divisor n − 1). Kernels are k(a, b) = exp(−‖a − b‖²/(2w²)), H is the centring
/// matrix I − 11ᵀ/n.
///
/// *Without conditioning.* w = 0.8, 0.5, 0.3 for n < 200, n < 1200 and above. The statistic is V = tr(A·B) with A = H·K_x·H and
/// B = H·K_y·H. Under independence it is about gamma distributed with mean tr(A)·tr(B)/n and variance 2‖A‖²‖B‖²/n².
///
/// *Given z*, with d_z columns: kernels of x' = (x, z/2), of y and of z, all with w² = d_z·(1.2², 0.7², 0.4²) for the same n.
/// R = ε(H·K_z·H + εI)⁻¹ with ε = 10⁻³ takes from a function what kernel ridge regression on z explains. V = Σᵢⱼ AᵢⱼBᵢⱼ with
/// A = R·H·K_x'·H·R and B = R·H·K_y·H·R. Under independence V is about Σ λₖχ²ₖ, where λ are the eigenvalues of the matrix whose
/// rows' inner products are AᵢⱼBᵢⱼ. This matrix is A ∘ B itself, so Σλ = Σᵢ AᵢᵢBᵢᵢ and Σλ² = Σᵢⱼ (AᵢⱼBᵢⱼ)²: the gamma
/// distribution with mean Σλ and variance 2Σλ² needs no eigenvalues.
///
/// Given z the test is *not* symmetric in x and y: only the first is joined with z.
///
/// # Error
///
/// K_y and K_z are replaced by factors whose traces are at most 10⁻⁹ too small. So the entries of B change by at most 10⁻⁹
/// through K_y, and R by at most 10⁻⁶ (10⁻⁹/ε) in operator norm through K_z. K_x' is used as it is. p-values were within 10⁻⁷ of those of the plain
/// formulas in every case tried.
///
/// # Cost
///
/// Without conditioning O(n·r²), given z O(n²·r) time and O(n·r) memory, where r is the numerical rank of the kernel of y or z. For
/// standard normal columns and n = 853 it is 26 for one conditioning column, 192 for two, 614 for three and 849 for four.
/// Above 3n/5 the kernel of z is not factored: the time is then O(n³) and the memory O(n²). What depends on one column or on a
/// conditioning set alone is kept, up to 256 MiB.
///
/// # Reference
///
/// Zhang, Peters, Janzing, Schölkopf: Kernel-based conditional independence test and application in causal discovery. UAI
/// 2011. Widths, the factor ½ and ε are the defaults of causal-learn 0.1.4.8, with which the p-values agree.
#[derive(Debug)]
pub struct Kci {
    /// Rows, n.
    n: usize,
    /// Scaled to mean 0 and variance 1.
    columns: Vec<Vec<f64>>,
    centred: Vec<OnceLock<Centred>>,
    residuals: Mutex<Residuals>,
}

/// The centred kernel matrix of one column.
#[derive(Debug)]
struct Centred {
    /// Its factor, columns one after the other.
    factor: Vec<f64>,
    trace: f64,
    /// The sum of its squared entries.
    squares: f64,
}

/// What was computed for conditioning sets.
#[derive(Debug, Default)]
struct Residuals {
    by_set: HashMap<Vec<usize>, Arc<Residual>>,
    /// Numbers held.
    size: usize,
}

impl Kci {
    /// For tests between these columns.
    ///
    /// # Errors
    ///
    /// Where the columns have different lengths or fewer than 2 numbers, where one is constant or a number is not finite.
    pub fn new(columns: &[&[f64]]) -> Result<Self> {
        let n = columns.first().map_or(0, |column| column.len());
        if n < 2 {
            return Err(Error::input(format!("{n} rows: at least 2 are needed")));
        }
        let scaled = |(j, column): (usize, &&[f64])| {
            if column.len() != n {
                return Err(Error::input(format!("column {j} has {} rows, column 0 has {n}", column.len())));
            }
            standardised(column).ok_or_else(|| {
                let message = format!("column {j} is constant or has a number that is not finite");
                Error::input(message).with_hint("drop it")
            })
        };
        let columns: Vec<_> = columns.iter().enumerate().map(scaled).collect::<Result<_>>()?;
        let centred = columns.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { n, columns, centred, residuals: Mutex::default() })
    }

    /// Tests whether columns x and y are independent given the others named. May be called from many threads.
    ///
    /// # Errors
    ///
    /// Where a number is not finite.
    ///
    /// # Panics
    ///
    /// If there is no such column, or one is named twice.
    pub fn test(&self, x: usize, y: usize, given: &[usize]) -> Result<KciResult> {
        let mut set = given.to_vec();
        set.sort_unstable();
        let twice = set.windows(2).any(|pair| pair[0] == pair[1]);
        assert!(x != y && !twice && !set.contains(&x) && !set.contains(&y), "a column is named twice");
        let (statistic, mean, variance) =
            if set.is_empty() { self.marginal(x, y) } else { self.conditional(x, y, &set) };
        let p_value = gamma_tail(statistic, mean, variance);
        if !(statistic.is_finite() && p_value.is_finite()) {
            return Err(Error::non_finite("the statistic", "kernel independence test"));
        }
        Ok(KciResult { statistic, p_value })
    }

    /// The statistic, and its mean and variance under independence.
    fn marginal(&self, x: usize, y: usize) -> (f64, f64, f64) {
        let [a, b] = [x, y].map(|j| self.centred(j));
        let n = self.n as f64;
        let statistic = sum_of_squared_products(&a.factor, &b.factor, self.n);
        (statistic, a.trace * b.trace / n, 2.0 * a.squares * b.squares / (n * n))
    }

    fn centred(&self, j: usize) -> &Centred {
        self.centred[j].get_or_init(|| {
            let width = width(self.n, [0.8, 0.5, 0.3]);
            let mut factor = self.points(&[j], 1.0 / (width * width)).whole_factor(TOLERANCE);
            centre_columns(&mut factor, self.n);
            let trace = factor.iter().map(|value| value * value).sum();
            let squares = sum_of_squared_products(&factor, &factor, self.n);
            Centred { factor, trace, squares }
        })
    }

    /// The statistic, and its mean and variance under independence given the set.
    fn conditional(&self, x: usize, y: usize, given: &[usize]) -> (f64, f64, f64) {
        let precision = self.precision(given);
        let residual = self.residual(given);
        let weighted: Vec<Vec<f64>> = given
            .iter()
            .map(|&j| self.columns[j].iter().map(|value| WEIGHT_OF_Z * value).collect())
            .collect();
        let joined = std::iter::once(&self.columns[x]).chain(&weighted).map(Vec::as_slice);
        let joined = Points::new(joined, self.n, precision);
        let moments = residual.moments(&joined, &self.points(&[y], precision), TOLERANCE);
        (moments.sum, moments.diagonal, 2.0 * moments.squares)
    }

    /// 1/w² of the kernels of a test given this set.
    fn precision(&self, given: &[usize]) -> f64 {
        let width = width(self.n, [1.2, 0.7, 0.4]);
        1.0 / (width * width * given.len() as f64)
    }

    /// What the set leaves over, from the store or made now.
    fn residual(&self, given: &[usize]) -> Arc<Residual> {
        let store = || self.residuals.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = store().by_set.get(given) {
            return Arc::clone(known);
        }
        // Not while the store is locked; two threads may make the same, with the same result.
        let residual = Arc::new(Residual::new(&self.points(given, self.precision(given)), TOLERANCE));
        let mut store = store();
        if store.size + residual.size() > KEPT {
            *store = Residuals::default();
        }
        if residual.size() <= KEPT && store.by_set.insert(given.to_vec(), Arc::clone(&residual)).is_none() {
            store.size += residual.size();
        }
        residual
    }

    fn points(&self, columns: &[usize], precision: f64) -> Points {
        Points::new(columns.iter().map(|&j| self.columns[j].as_slice()), self.n, precision)
    }
}

/// The width for this many rows: the first of three below 200, the second below 1200.
fn width(n: usize, widths: [f64; 3]) -> f64 {
    widths[usize::from(n >= 200) + usize::from(n >= 1200)]
}

/// The column with mean 0 and variance 1; `None` if it is constant or not finite.
fn standardised(column: &[f64]) -> Option<Vec<f64>> {
    let n = column.len() as f64;
    let mean = column.iter().sum::<f64>() / n;
    let variance = column.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0);
    let deviation = variance.sqrt();
    let varies = column.iter().any(|value| *value != column[0]);
    (varies && deviation.is_normal()).then(|| column.iter().map(|v| (v - mean) / deviation).collect())
}

/// ‖GᵀF‖², which is tr(G·Gᵀ·F·Fᵀ), for columns of n numbers.
fn sum_of_squared_products(g: &[f64], f: &[f64], n: usize) -> f64 {
    let (rows, columns) = (g.len() / n, f.len() / n);
    let mut products = vec![0.0; rows * columns];
    let (g, f) = (View::columns(g, n), View::columns(f, n));
    multiply(&mut products, (rows, n, columns), 0.0, 1.0, g.transposed(), f);
    products.iter().map(|product| product * product).sum()
}

#[cfg(test)]
mod tests;
