//! What is left of kernels when a conditioning set has been regressed out.

use super::kernel::{Points, subtract_columns};
use crate::cholesky;
use crate::product::{View, multiply};

/// ε of kernel ridge regression.
pub(super) const RIDGE: f64 = 1e-3;
/// Columns that are solved for together.
const BLOCK: usize = 32;
/// Rows of a kernel matrix that are held at a time.
const PANEL: usize = 64;

/// R·H = I − P·Pᵀ: centring H, then the residual R = ε(K_Z + εI)⁻¹ of kernel ridge regression on Z.
#[derive(Debug)]
pub(super) struct Residual {
    n: usize,
    /// P, n × r with columns one after the other.
    basis: Vec<f64>,
}

/// The sums over a product of two residual kernels A ∘ B that the test needs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moments {
    /// Σᵢⱼ AᵢⱼBᵢⱼ.
    pub sum: f64,
    /// Σᵢ AᵢᵢBᵢᵢ.
    pub diagonal: f64,
    /// Σᵢⱼ (AᵢⱼBᵢⱼ)².
    pub squares: f64,
}

impl Residual {
    /// For the kernel of the points Z, factored to `tolerance`.
    ///
    /// # Model
    ///
    /// With K_Z = G·Gᵀ and G centred, the Woodbury identity gives R = I − G(εI + GᵀG)⁻¹Gᵀ. For the Cholesky factor
    /// L·Lᵀ = εI + GᵀG this is I − Q·Qᵀ with Q = G·L⁻ᵀ. The columns of Q have mean 0, so centring is one column more:
    /// P = [Q, 1/√n].
    pub fn new(points: &Points, tolerance: f64) -> Self {
        let n = points.len;
        let mut basis = points.factor(tolerance);
        centre_columns(&mut basis, n);
        let r = basis.len() / n;
        let mut gram = vec![0.0; r * r];
        let factor = View::columns(&basis, n);
        multiply(&mut gram, (r, n, r), 0.0, 1.0, factor.transposed(), factor);
        (0..r).for_each(|k| gram[k * r + k] += RIDGE);
        cholesky(&mut gram, r).expect("a Gram matrix with a ridge is positive definite");
        divide_by_transposed(&mut basis, n, &gram, r);
        basis.resize(n * (r + 1), 1.0 / (n as f64).sqrt());
        Self { n, basis }
    }

    /// How many numbers it holds.
    pub fn size(&self) -> usize {
        self.basis.len()
    }

    /// (I − P·Pᵀ)·G for columns G, n numbers each.
    fn apply(&self, columns: &mut [f64]) {
        let (n, r, m) = (self.n, self.basis.len() / self.n, columns.len() / self.n);
        let basis = View::columns(&self.basis, n);
        let mut coefficients = vec![0.0; m * r];
        multiply(&mut coefficients, (m, n, r), 0.0, 1.0, View::columns(columns, n).transposed(), basis);
        let weights = View::rows(&coefficients, r);
        multiply(columns, (m, r, n), 1.0, -1.0, weights, basis.transposed());
    }

    /// The moments of A ∘ B, A and B being what is left of the kernels of `first` and `second`.
    ///
    /// # Algorithm
    ///
    /// B = V·Vᵀ with V = R·H·G for the factor G of the second kernel (one dimension, so G is narrow). The first kernel has more
    /// dimensions and a rank that may be near n: it is taken as it is, in panels of rows. With T = K·P and
    /// S = T − ½P(PᵀT), A = K − P·Sᵀ − S·Pᵀ. Panels need only the columns from their own first on, A and B being symmetric.
    ///
    /// # Cost
    ///
    /// 2n²r multiplications and 1½n² exponentials; memory for n·(2r + 2·64) numbers, never n².
    pub fn moments(&self, first: &Points, second: &Points, tolerance: f64) -> Moments {
        let (n, r) = (self.n, self.basis.len() / self.n);
        let mut narrow = second.factor(tolerance);
        self.apply(&mut narrow);
        let width = narrow.len() / n;
        let spread = self.spread(first);
        let [p, s] = [&self.basis, &spread].map(|columns| View::columns(columns, n));
        let v = View::columns(&narrow, n);
        let (mut a, mut b, mut moments) = (Vec::new(), Vec::new(), Moments::default());
        for start in (0..n).step_by(PANEL) {
            let (rows, columns) = (PANEL.min(n - start), n - start);
            first.panel(start..start + rows, start, &mut a);
            let [p, s, v] = [p, s, v].map(|matrix| matrix.below(start));
            multiply(&mut a, (rows, r, columns), 1.0, -1.0, p, s.transposed());
            multiply(&mut a, (rows, r, columns), 1.0, -1.0, s, p.transposed());
            b.resize(rows * columns, 0.0);
            multiply(&mut b[..rows * columns], (rows, width, columns), 0.0, 1.0, v, v.transposed());
            for (row, (a, b)) in a.chunks_exact(columns).zip(b.chunks_exact(columns)).enumerate() {
                moments.add_row(&a[row..], &b[row..]);
            }
        }
        moments
    }

    /// S = T − ½P(PᵀT) with T = K·P.
    fn spread(&self, points: &Points) -> Vec<f64> {
        let (n, r) = (self.n, self.basis.len() / self.n);
        let basis = View::columns(&self.basis, n);
        // Tᵀ row by row is T column by column.
        let mut spread = vec![0.0; n * r];
        let (mut panel, mut part) = (Vec::new(), Vec::new());
        for start in (0..n).step_by(PANEL) {
            let rows = PANEL.min(n - start);
            points.panel(start..start + rows, 0, &mut panel);
            part.resize(r * rows, 0.0);
            let turned = View::rows(&panel, n).transposed();
            multiply(&mut part[..r * rows], (r, n, rows), 0.0, 1.0, basis.transposed(), turned);
            for (column, part) in spread.chunks_exact_mut(n).zip(part.chunks_exact(rows)) {
                column[start..start + rows].copy_from_slice(part);
            }
        }
        let mut inner = vec![0.0; r * r];
        let view = View::columns(&spread, n);
        multiply(&mut inner, (r, n, r), 0.0, 1.0, view.transposed(), basis);
        multiply(&mut spread, (r, r, n), 1.0, -0.5, View::rows(&inner, r), basis.transposed());
        spread
    }
}

impl Moments {
    /// Adds a row from the diagonal on; what is right of the diagonal also stands below it.
    fn add_row(&mut self, a: &[f64], b: &[f64]) {
        let corner = a[0] * b[0];
        let (sum, squares) = sums_of_products(&a[1..], &b[1..]);
        self.diagonal += corner;
        self.sum += corner + 2.0 * sum;
        self.squares += corner * corner + 2.0 * squares;
    }
}

/// Σ ab and Σ (ab)², in eight independent lanes.
fn sums_of_products(a: &[f64], b: &[f64]) -> (f64, f64) {
    let (mut sums, mut squares) = ([0.0; 8], [0.0; 8]);
    let ((a, a_tail), (b, b_tail)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (a, b) in a.iter().zip(b) {
        for lane in 0..8 {
            let product = a[lane] * b[lane];
            sums[lane] += product;
            squares[lane] += product * product;
        }
    }
    for (lane, (a, b)) in a_tail.iter().zip(b_tail).enumerate() {
        sums[lane] += a * b;
        squares[lane] += (a * b) * (a * b);
    }
    (sums.iter().sum(), squares.iter().sum())
}

/// Subtracts from each column its mean.
pub(super) fn centre_columns(columns: &mut [f64], n: usize) {
    for column in columns.chunks_exact_mut(n) {
        let mean = column.iter().sum::<f64>() / n as f64;
        column.iter_mut().for_each(|value| *value -= mean);
    }
}

/// G ← G·L⁻ᵀ for the lower triangular L, in blocks of columns.
fn divide_by_transposed(columns: &mut [f64], n: usize, lower: &[f64], r: usize) {
    for start in (0..r).step_by(BLOCK) {
        let width = BLOCK.min(r - start);
        let (done, rest) = columns.split_at_mut(start * n);
        let block = &mut rest[..width * n];
        let weights = View::rows(&lower[start * r..], r);
        multiply(block, (width, start, n), 1.0, -1.0, weights, View::rows(done, n));
        for k in 0..width {
            let (known, column) = block.split_at_mut(k * n);
            let column = &mut column[..n];
            let row = &lower[(start + k) * r + start..];
            subtract_columns(column, known, &row[..k]);
            column.iter_mut().for_each(|value| *value /= row[k]);
        }
    }
}
