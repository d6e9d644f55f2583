//! What is left of kernels when a conditioning set has been regressed out.

use super::kernel::Points;
use crate::blocked_cholesky::blocked_cholesky;
use crate::column_steps::subtract_columns;
use crate::dense_product::{View, multiply};

/// ε of kernel ridge regression.
pub(super) const RIDGE: f64 = 1e-3;
/// Columns that are solved for together.
const BLOCK: usize = 48;
/// Rows of a kernel matrix that are held at a time.
const PANEL: usize = 64;

/// The kernel of a conditioning set is taken whole where its factor would have more than 3/5 of n columns: there the two
/// ways cost the same.
const THIN: (usize, usize) = (3, 5);

/// Why a factorisation cannot fail.
const POSITIVE: &str = "a positive semidefinite matrix with a ridge is positive definite";

/// C = R·H: centring H, then the residual R = ε(H·K_Z·H + εI)⁻¹ of kernel ridge regression on Z.
#[derive(Debug)]
pub(super) struct Residual {
    n: usize,
    form: Form,
}

#[derive(Debug)]
enum Form {
    /// P, n × r with columns one after the other, such that C = I − P·Pᵀ.
    Thin(Vec<f64>),
    /// C itself, n × n.
    Whole(Vec<f64>),
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
    pub fn new(points: &Points, tolerance: f64) -> Self {
        let n = points.len;
        let form = match points.factor(tolerance, n * THIN.0 / THIN.1) {
            Some(factor) => Form::Thin(thin(factor, n)),
            None => Form::Whole(whole(points)),
        };
        Self { n, form }
    }

    /// How many numbers it holds.
    pub fn size(&self) -> usize {
        match &self.form {
            Form::Thin(numbers) | Form::Whole(numbers) => numbers.len(),
        }
    }

    /// The moments of A ∘ B, A and B being what is left of the kernels of `first` and `second`.
    ///
    /// # Algorithm
    ///
    /// B = V·Vᵀ with V = C·G for the factor G of the second kernel (one dimension, so G is narrow). The first kernel has more
    /// dimensions and a rank that may be near n: it is taken as it is, in panels of rows. Panels need only the columns from
    /// their own first on, A and B being symmetric.
    ///
    /// # Cost
    ///
    /// 2n²r multiplications and 1½n² exponentials, memory for n·(2r + 2·64) numbers; 1½n³ and n² where the kernel of Z was taken
    /// whole.
    pub fn moments(&self, first: &Points, second: &Points, tolerance: f64) -> Moments {
        let n = self.n;
        let narrow = self.apply(&second.whole_factor(tolerance));
        let (v, width) = (View::columns(&narrow, n), narrow.len() / n);
        let spread = self.spread(first);
        let (mut a, mut b, mut moments) = (Vec::new(), Vec::new(), Moments::default());
        for start in (0..n).step_by(PANEL) {
            let (rows, columns) = (PANEL.min(n - start), n - start);
            self.panel(first, &spread, start..start + rows, &mut a);
            b.resize(rows * columns, 0.0);
            let v = v.below(start);
            multiply(&mut b[..rows * columns], (rows, width, columns), 0.0, 1.0, v, v.transposed());
            for (row, (a, b)) in a.chunks_exact(columns).zip(b.chunks_exact(columns)).enumerate() {
                moments.add_row(&a[row..], &b[row..]);
            }
        }
        moments
    }

    /// C·G for columns G, n numbers each.
    fn apply(&self, columns: &[f64]) -> Vec<f64> {
        let (n, m) = (self.n, columns.len() / self.n);
        let turned = View::rows(columns, n);
        let mut image = columns.to_vec();
        match &self.form {
            Form::Thin(basis) => {
                let (r, basis) = (basis.len() / n, View::columns(basis, n));
                let mut weights = vec![0.0; m * r];
                multiply(&mut weights, (m, n, r), 0.0, 1.0, turned, basis);
                multiply(&mut image, (m, r, n), 1.0, -1.0, View::rows(&weights, r), basis.transposed());
            }
            Form::Whole(residual) => {
                multiply(&mut image, (m, n, n), 0.0, 1.0, turned, View::rows(residual, n));
            }
        }
        image
    }

    /// What all panels of A = C·K·C need.
    ///
    /// With C = I − P·Pᵀ and T = K·P it is S = T − ½P(PᵀT), because A = K − P·Sᵀ − S·Pᵀ. With a whole C it is K·C.
    fn spread(&self, points: &Points) -> Vec<f64> {
        let n = self.n;
        let factor = match &self.form {
            Form::Thin(basis) => basis,
            Form::Whole(residual) => residual,
        };
        let (r, columns) = (factor.len() / n, View::columns(factor, n));
        // Tᵀ row by row is T column by column.
        let mut spread = vec![0.0; n * r];
        let (mut panel, mut part) = (Vec::new(), Vec::new());
        for start in (0..n).step_by(PANEL) {
            let rows = PANEL.min(n - start);
            points.panel(start..start + rows, 0, &mut panel);
            part.resize(r * rows, 0.0);
            let turned = View::rows(&panel, n).transposed();
            multiply(&mut part[..r * rows], (r, n, rows), 0.0, 1.0, columns.transposed(), turned);
            for (column, part) in spread.chunks_exact_mut(n).zip(part.chunks_exact(rows)) {
                column[start..start + rows].copy_from_slice(part);
            }
        }
        if let Form::Thin(_) = self.form {
            let mut inner = vec![0.0; r * r];
            let view = View::columns(&spread, n);
            multiply(&mut inner, (r, n, r), 0.0, 1.0, view.transposed(), columns);
            multiply(&mut spread, (r, r, n), 1.0, -0.5, View::rows(&inner, r), columns.transposed());
        }
        spread
    }

    /// Rows `range` of A = C·K·C from column `range.start` on.
    fn panel(&self, points: &Points, spread: &[f64], range: std::ops::Range<usize>, a: &mut Vec<f64>) {
        let (n, start) = (self.n, range.start);
        let (rows, columns) = (range.len(), n - start);
        let spread = View::columns(spread, n);
        match &self.form {
            Form::Thin(basis) => {
                points.panel(range, start, a);
                let (r, p, s) = (basis.len() / n, View::columns(basis, n).below(start), spread.below(start));
                multiply(a, (rows, r, columns), 1.0, -1.0, p, s.transposed());
                multiply(a, (rows, r, columns), 1.0, -1.0, s, p.transposed());
            }
            Form::Whole(residual) => {
                a.clear();
                a.resize(rows * columns, 0.0);
                let (rows_of_c, right) =
                    (View::rows(residual, n).below(start), spread.transposed().below(start));
                multiply(a, (rows, n, columns), 0.0, 1.0, rows_of_c, right.transposed());
            }
        }
    }
}

/// P, from the factor G of the kernel of Z.
///
/// With H·K_Z·H = G·Gᵀ for centred G, the Woodbury identity gives R = I − G(εI + GᵀG)⁻¹Gᵀ. For the Cholesky factor
/// L·Lᵀ = εI + GᵀG this is I − Q·Qᵀ with Q = G·L⁻ᵀ. The columns of Q have mean 0, so centring is one column more:
/// P = [Q, 1/√n].
fn thin(mut factor: Vec<f64>, n: usize) -> Vec<f64> {
    centre_columns(&mut factor, n);
    let r = factor.len() / n;
    let mut gram = vec![0.0; r * r];
    let columns = View::columns(&factor, n);
    multiply(&mut gram, (r, n, r), 0.0, 1.0, columns.transposed(), columns);
    (0..r).for_each(|k| gram[k * r + k] += RIDGE);
    blocked_cholesky(&mut gram, r).expect(POSITIVE);
    divide_by_transposed(&mut factor, n, &gram, r);
    factor.resize(n * (r + 1), 1.0 / (n as f64).sqrt());
    factor
}

/// C = R − 11ᵀ/n by a Cholesky factorisation of H·K_Z·H + εI: L·Lᵀ, whose inverse is X·Xᵀ for X = L⁻ᵀ.
fn whole(points: &Points) -> Vec<f64> {
    let n = points.len;
    let mut matrix = Vec::new();
    points.panel(0..n, 0, &mut matrix);
    centre_columns(&mut matrix, n);
    for row in 0..n {
        let mean = (0..n).map(|column| matrix[column * n + row]).sum::<f64>() / n as f64;
        (0..n).for_each(|column| matrix[column * n + row] -= mean);
        matrix[row * n + row] += RIDGE;
    }
    blocked_cholesky(&mut matrix, n).expect(POSITIVE);
    let mut x = vec![0.0; n * n];
    (0..n).for_each(|k| x[k * n + k] = 1.0);
    divide_by_transposed(&mut x, n, &matrix, n);
    let mut residual = matrix;
    let mut part = Vec::new();
    for start in (0..n).step_by(PANEL) {
        let (rows, columns) = (PANEL.min(n - start), n - start);
        part.resize(rows * columns, 0.0);
        let part = &mut part[..rows * columns];
        // X is upper triangular: rows from `start` on are 0 in earlier columns.
        let view = View::columns(&x[start * n..], n).below(start);
        multiply(part, (rows, columns, columns), 0.0, RIDGE, view, view.transposed());
        for (i, row) in part.chunks_exact(columns).enumerate() {
            for (j, value) in row.iter().enumerate() {
                let value = value - 1.0 / n as f64;
                residual[(start + i) * n + start + j] = value;
                residual[(start + j) * n + start + i] = value;
            }
        }
    }
    residual
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kci::kernel::tests::points;

    #[test]
    fn both_forms_are_the_same_matrix() {
        for n in [1, 2, 31, 64, 150] {
            let points = points(n, 2);
            let basis = thin(points.whole_factor(0.0), n);
            for (k, value) in whole(&points).into_iter().enumerate() {
                let (i, j) = (k / n, k % n);
                let product: f64 = basis.chunks_exact(n).map(|column| column[i] * column[j]).sum();
                let expected = f64::from(u8::from(i == j)) - product;
                assert!((value - expected).abs() < 1e-10, "n = {n}, ({i}, {j}): {value} {expected}");
            }
        }
    }

    #[test]
    fn both_forms_have_the_same_moments() {
        let (z, x, y) = (points(130, 2), points(130, 3), points(130, 1));
        let forms = [Form::Thin(thin(z.whole_factor(1e-12), 130)), Form::Whole(whole(&z))];
        let [a, b] = forms.map(|form| Residual { n: 130, form }.moments(&x, &y, 1e-9));
        for (a, b) in [(a.sum, b.sum), (a.diagonal, b.diagonal), (a.squares, b.squares)] {
            assert!((a / b - 1.0).abs() < 1e-8, "{a} {b}");
        }
    }
}
