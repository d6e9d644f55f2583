//! Thin plate regression splines of one variable.

use crate::products::dot;
use crate::symmetric_eigen;
use crate::symmetric_eigen::{SymmetricEigen, tridiagonal_eigen};

/// Up to this many distinct values the whole eigendecomposition is cheap.
const DENSE: usize = 48;
/// How small the residual of an eigenvector must be, relative to its eigenvalue.
const RESIDUAL: f64 = 1e-9;
/// What is left of an eigenvector's residual by rounding, relative to the largest eigenvalue.
const ROUNDING: f64 = 1e-15;
/// A function of which less is left beside the others is rounding.
const DEGENERATE: f64 = 1e-12;
/// Steps between two looks at the residuals.
const LOOK: usize = 12;

/// The leading eigenfunctions of the cubic kernel on the values of one variable: all that bases of any size are made of.
///
/// # Model
///
/// The spline that minimises Σ(y − f(x))² + λ∫f″² is f = α₀ + α₁x + Σⱼ δⱼ·|x − xⱼ|³/12 over the distinct values xⱼ, with
/// Σδⱼ = Σδⱼxⱼ = 0 and ∫f″² = δᵀEδ for Eᵢⱼ = |xᵢ − xⱼ|³/12. The regression spline with k coefficients restricts δ to the
/// span of the k eigenvectors of E with the largest |eigenvalue|.
///
/// # Algorithm
///
/// Lanczos iteration with full reorthogonalisation. On sorted values a product with E takes O(n): what lies to the left
/// acts through four moments that move along, Σδ, Σδh, Σδh², Σδh³ for the distances h. E is never formed.
///
/// # Reference
///
/// Wood: Thin plate regression splines. Journal of the Royal Statistical Society B 65:95-114, 2003.
#[derive(Clone, Debug)]
pub struct ThinPlate {
    /// The distinct values, sorted, shifted and scaled to mean 0 and a range of 1.
    knots: Vec<f64>,
    /// How many rows have each value.
    counts: Vec<f64>,
    /// The value of each row, as an index.
    knot_of_row: Vec<usize>,
    /// Eigenvalues by falling size.
    values: Vec<f64>,
    /// Their eigenvectors, one after the other.
    vectors: Vec<f64>,
}

/// A basis of smooth functions of one variable: orthonormal on the rows, each with mean 0, and with a diagonal penalty.
#[derive(Clone, Debug)]
pub struct SmoothBasis {
    /// The functions' values on the rows, one function after the other. The first is linear.
    pub functions: Vec<f64>,
    /// ∫f″² of each function, in units of their mean; 0 for the first. Those of combinations are sums of these.
    pub penalties: Vec<f64>,
}

impl ThinPlate {
    /// The eigenfunctions that bases with up to `most` coefficients need. `None` if all values are equal, or one is not finite.
    pub fn new(values: &[f64], most: usize) -> Option<Self> {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
        let (mut knots, mut counts) = (Vec::<f64>::new(), Vec::<f64>::new());
        let mut knot_of_row = vec![0; values.len()];
        for row in order {
            if knots.last().is_none_or(|&last| last != values[row]) {
                knots.push(values[row]);
                counts.push(0.0);
            }
            knot_of_row[row] = knots.len() - 1;
            counts[knots.len() - 1] += 1.0;
        }
        let range = knots.last()? - knots[0];
        if !(range > 0.0 && range.is_finite()) {
            return None;
        }
        let mean = knots.iter().map(|x| x / knots.len() as f64).sum::<f64>();
        knots.iter_mut().for_each(|x| *x = (*x - mean) / range);
        let eigen = leading(&knots, most.min(knots.len()))?;
        Some(Self { knots, counts, knot_of_row, values: eigen.values, vectors: eigen.vectors })
    }

    /// How many different values there are.
    pub fn distinct(&self) -> usize {
        self.knots.len()
    }

    /// The basis of the spline with k coefficients, less the constant: k − 1 functions. Where there are fewer than k
    /// distinct values, k is their number; 2 leaves the straight line. Values so far apart that rounding leaves nothing of the
    /// last functions get a smaller k, too.
    ///
    /// # Panics
    ///
    /// If k is below 2 or above what the eigenfunctions were made for.
    pub fn basis(&self, k: usize) -> Option<SmoothBasis> {
        assert!(k >= 2, "a smooth has at least a slope");
        let k = k.min(self.knots.len());
        assert!(k <= self.values.len(), "eigenfunctions for {} coefficients, not {k}", self.values.len());
        (2..=k).rev().find_map(|k| self.basis_of_size(k))
    }

    fn basis_of_size(&self, k: usize) -> Option<SmoothBasis> {
        let n = self.knots.len();
        let free = self.free_directions(k);
        let inner = k - 2;
        // The line first, so that it stays itself when the rest is made orthogonal to it.
        let mut columns = vec![self.knots.clone()];
        columns.extend(free.iter().map(|z| self.combination(k, z)));
        let penalty =
            |a: usize, b: usize| -> f64 { (0..k).map(|i| free[a][i] * self.values[i] * free[b][i]).sum() };
        let mut gram = vec![0.0; inner * inner];
        (0..inner * inner).for_each(|i| gram[i] = penalty(i / inner, i % inner));
        let orthonormal = self.orthonormalise(&columns, &mut gram)?;
        let eigen = symmetric_eigen(gram, inner)?;
        let mut functions = self.on_rows(&orthonormal[0]);
        for index in 0..inner {
            let mut function = vec![0.0; n];
            for (weight, column) in eigen.vector(index).iter().zip(&orthonormal[1..]) {
                function.iter_mut().zip(column).for_each(|(f, x)| *f += weight * x);
            }
            functions.extend(self.on_rows(&function));
        }
        let mean = eigen.values.iter().sum::<f64>() / inner.max(1) as f64;
        let penalties =
            std::iter::once(0.0).chain(eigen.values.iter().map(|value| value.max(0.0) / mean)).collect();
        Some(SmoothBasis { functions, penalties })
    }

    /// An orthonormal basis of the combinations z of k eigenvectors whose δ = Uz has Σδ = Σδx = 0.
    fn free_directions(&self, k: usize) -> Vec<Vec<f64>> {
        let n = self.knots.len();
        let vector = |i: usize| &self.vectors[i * n..(i + 1) * n];
        let sum: Vec<f64> = (0..k).map(|i| vector(i).iter().sum()).collect();
        let moment: Vec<f64> = (0..k).map(|i| dot(vector(i), &self.knots)).collect();
        let mut basis: Vec<Vec<f64>> = Vec::new();
        for constraint in [sum, moment] {
            basis.extend(normalised(orthogonal_to(constraint, &basis)));
        }
        let constraints = basis.len();
        // Complete the basis with the unit vector that sticks out most, time after time.
        while basis.len() < k {
            let rest = |i: usize| 1.0 - basis.iter().map(|b| b[i] * b[i]).sum::<f64>();
            let longest = (0..k).max_by(|&a, &b| rest(a).total_cmp(&rest(b))).unwrap_or(0);
            let mut unit = vec![0.0; k];
            unit[longest] = 1.0;
            match normalised(orthogonal_to(unit, &basis)) {
                Some(next) => basis.push(next),
                None => break,
            }
        }
        let free = basis.split_off(constraints);
        free.into_iter().take(k - 2).collect()
    }

    /// Σ zᵢ·dᵢ·uᵢ: the function of δ = Uz at the knots, up to a straight line.
    fn combination(&self, k: usize, z: &[f64]) -> Vec<f64> {
        let n = self.knots.len();
        let mut function = vec![0.0; n];
        for i in 0..k {
            let weight = z[i] * self.values[i];
            let vector = &self.vectors[i * n..(i + 1) * n];
            function.iter_mut().zip(vector).for_each(|(f, u)| *f += weight * u);
        }
        function
    }

    /// Functions at the knots with mean 0 and orthonormal on the rows, spanning the same as `columns`; the penalty matrix
    /// of all but the first follows. `None` where a column is a combination of earlier ones up to rounding.
    fn orthonormalise(&self, columns: &[Vec<f64>], penalty: &mut [f64]) -> Option<Vec<Vec<f64>>> {
        let rows = self.knot_of_row.len() as f64;
        let inner = |a: &[f64], b: &[f64]| {
            a.iter().zip(b).zip(&self.counts).map(|((x, y), c)| x * y * c).sum::<f64>()
        };
        let size = columns.len() - 1;
        let mut done: Vec<Vec<f64>> = Vec::new();
        for index in 0..columns.len() {
            let mean = columns[index].iter().zip(&self.counts).map(|(x, c)| x * c).sum::<f64>() / rows;
            let mut column: Vec<f64> = columns[index].iter().map(|x| x - mean).collect();
            let length = inner(&column, &column).sqrt();
            let mut share = vec![0.0; index];
            // Twice is enough: the second pass removes what rounding left of the first.
            for _ in 0..2 {
                for (other, share) in done.iter().zip(&mut share) {
                    let along = inner(&column, other);
                    *share += along;
                    column.iter_mut().zip(other).for_each(|(x, o)| *x -= along * o);
                }
            }
            let norm = inner(&column, &column).sqrt();
            if !(norm > DEGENERATE * length && norm.is_finite()) {
                return None;
            }
            column.iter_mut().for_each(|x| *x /= norm);
            done.push(column);
            if index > 0 {
                // The new function is (old − Σ share·done)/norm: the same step on rows and columns of the penalty. The line's
                // share (the first) has no penalty.
                let me = index - 1;
                for row in 0..2 {
                    let at = |i: usize, j: usize| if row == 0 { i * size + j } else { j * size + i };
                    for j in 0..size {
                        let known: f64 = (0..me).map(|i| share[i + 1] * penalty[at(i, j)]).sum();
                        penalty[at(me, j)] = (penalty[at(me, j)] - known) / norm;
                    }
                }
            }
        }
        Some(done)
    }

    fn on_rows(&self, function: &[f64]) -> Vec<f64> {
        self.knot_of_row.iter().map(|&knot| function[knot]).collect()
    }
}

/// The eigenvectors of E with the largest |eigenvalue|.
fn leading(knots: &[f64], count: usize) -> Option<SymmetricEigen> {
    let n = knots.len();
    if n <= DENSE {
        let kernel = |k: usize| (knots[k / n] - knots[k % n]).abs().powi(3) / 12.0;
        let eigen = symmetric_eigen((0..n * n).map(kernel).collect(), n)?;
        return Some(largest(&eigen, n, count));
    }
    lanczos(knots, count)
}

fn lanczos(knots: &[f64], count: usize) -> Option<SymmetricEigen> {
    let n = knots.len();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let (mut diagonal, mut beside) = (Vec::new(), Vec::<f64>::new());
    // Any start with a share of every eigenvector; this one is neither even nor odd, nor smooth.
    let mut next = normalised((0..n).map(|i| ((i * i + 1) as f64).sin()).collect())?;
    loop {
        let mut image = kernel_product(knots, &next);
        diagonal.push(dot(&image, &next));
        basis.push(next);
        for _ in 0..2 {
            image = orthogonal_to(image, &basis);
        }
        let rest = dot(&image, &image).sqrt();
        let steps = basis.len();
        let exhausted = steps == n || rest == 0.0;
        if exhausted || (steps >= 2 * count && steps.is_multiple_of(LOOK)) {
            let mut identity = vec![0.0; steps * steps];
            (0..steps).for_each(|i| identity[i * steps + i] = 1.0);
            let eigen = tridiagonal_eigen(diagonal.clone(), beside.clone(), identity)?;
            let ritz = largest(&eigen, steps, count);
            let left = |i: usize| rest * ritz.vectors[(i + 1) * steps - 1].abs();
            let small = |i: usize| RESIDUAL * ritz.values[i].abs() + ROUNDING * ritz.values[0].abs();
            let settled = (0..count).all(|i| left(i) <= small(i));
            if exhausted || settled {
                return Some(in_full(&ritz, &basis, n));
            }
        }
        beside.push(rest);
        next = normalised(image)?;
    }
}

/// From combinations of a basis to vectors.
fn in_full(ritz: &SymmetricEigen, basis: &[Vec<f64>], n: usize) -> SymmetricEigen {
    let mut vectors = Vec::with_capacity(ritz.values.len() * n);
    for weights in ritz.vectors.chunks_exact(basis.len()) {
        let mut vector = vec![0.0; n];
        for (weight, other) in weights.iter().zip(basis) {
            vector.iter_mut().zip(other).for_each(|(x, o)| *x += weight * o);
        }
        vectors.extend(vector);
    }
    SymmetricEigen { values: ritz.values.clone(), vectors }
}

/// The eigenpairs with the largest |eigenvalue|, largest first.
fn largest(eigen: &SymmetricEigen, width: usize, count: usize) -> SymmetricEigen {
    let mut order: Vec<usize> = (0..eigen.values.len()).collect();
    order.sort_by(|&a, &b| eigen.values[b].abs().total_cmp(&eigen.values[a].abs()));
    order.truncate(count);
    let vector = |i: usize| eigen.vectors[i * width..(i + 1) * width].iter().copied();
    SymmetricEigen {
        values: order.iter().map(|&i| eigen.values[i]).collect(),
        vectors: order.iter().flat_map(|&i| vector(i)).collect(),
    }
}

/// E·δ for sorted knots.
fn kernel_product(knots: &[f64], delta: &[f64]) -> Vec<f64> {
    let n = knots.len();
    let mut image = vec![0.0; n];
    for reversed in [false, true] {
        let mut moments = [0.0; 4];
        let mut before: Option<usize> = None;
        for step in 0..n {
            let i = if reversed { n - 1 - step } else { step };
            if let Some(last) = before {
                let h = f64::abs(knots[i] - knots[last]);
                let [m0, m1, m2, m3] = moments;
                // Moving by h: Σδ(g + h)ᵖ by the binomial theorem; all terms of one sign where δ is.
                moments = [
                    m0,
                    m1 + h * m0,
                    m2 + h * (2.0 * m1 + h * m0),
                    m3 + h * (3.0 * m2 + h * (3.0 * m1 + h * m0)),
                ];
            }
            image[i] += moments[3] / 12.0;
            moments[0] += delta[i];
            before = Some(i);
        }
    }
    image
}

/// What is left of a vector when its shares along orthonormal others are taken away.
fn orthogonal_to(mut vector: Vec<f64>, others: &[Vec<f64>]) -> Vec<f64> {
    for other in others {
        let along = dot(&vector, other);
        vector.iter_mut().zip(other).for_each(|(x, o)| *x -= along * o);
    }
    vector
}

fn normalised(mut vector: Vec<f64>) -> Option<Vec<f64>> {
    let norm = dot(&vector, &vector).sqrt();
    vector.iter_mut().for_each(|x| *x /= norm);
    (norm > 0.0 && norm.is_finite()).then_some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(n: usize) -> Vec<f64> {
        (0..n).map(|i| ((i * i) as f64 * 0.37).sin() + 0.3 * (i as f64 * 1.7).cos()).collect()
    }

    #[test]
    fn a_product_with_the_kernel_is_that_of_the_matrix() {
        let mut knots = values(60);
        knots.sort_by(f64::total_cmp);
        let delta: Vec<f64> = (0..60).map(|i| (i as f64).cos()).collect();
        for (x, got) in knots.iter().zip(kernel_product(&knots, &delta)) {
            let plain: f64 = knots.iter().zip(&delta).map(|(y, d)| d * (x - y).abs().powi(3) / 12.0).sum();
            assert!((plain - got).abs() < 1e-12, "{plain} {got}");
        }
    }

    #[test]
    fn lanczos_finds_what_the_whole_decomposition_finds() {
        let mut knots = values(120);
        knots.sort_by(f64::total_cmp);
        let kernel = |k: usize| (knots[k / 120] - knots[k % 120]).abs().powi(3) / 12.0;
        let dense = symmetric_eigen((0..120 * 120).map(kernel).collect(), 120).unwrap();
        let (dense, found) = (largest(&dense, 120, 10), lanczos(&knots, 10).unwrap());
        for i in 0..10 {
            assert!((found.values[i] / dense.values[i] - 1.0).abs() < 1e-9, "{i}");
            let vector = |e: &SymmetricEigen| e.vectors[i * 120..(i + 1) * 120].to_vec();
            assert!((dot(&vector(&found), &vector(&dense)).abs() - 1.0).abs() < 1e-9, "{i}");
        }
    }

    #[test]
    fn functions_are_orthonormal_and_have_mean_0() {
        // 40 distinct values, some of them twice or thrice.
        let x: Vec<f64> = (0..75).map(|i| values(40)[i * 3 % 40]).collect();
        let plate = ThinPlate::new(&x, 10).unwrap();
        for k in 2..=10 {
            let basis = plate.basis(k).unwrap();
            let functions: Vec<&[f64]> = basis.functions.chunks_exact(75).collect();
            assert_eq!((functions.len(), basis.penalties.len()), (k - 1, k - 1));
            for (a, f) in functions.iter().enumerate() {
                assert!(f.iter().sum::<f64>().abs() < 1e-10);
                for (b, g) in functions.iter().enumerate() {
                    assert!((dot(f, g) - f64::from(u8::from(a == b))).abs() < 1e-10, "{k}: {a} {b}");
                }
            }
            // The first is the line.
            let slope = (functions[0][1] - functions[0][0]) / (x[1] - x[0]);
            assert!(
                functions[0]
                    .iter()
                    .zip(&x)
                    .all(|(f, x)| (f - functions[0][0] - slope * (x - values(40)[0])).abs() < 1e-10)
            );
        }
    }

    #[test]
    fn few_values_and_far_ones_have_smaller_bases() {
        let two: Vec<f64> = (0..20).map(|i| f64::from(i % 2)).collect();
        assert_eq!(ThinPlate::new(&two, 10).unwrap().basis(10).unwrap().penalties, [0.0]);
        let three: Vec<f64> = (0..20).map(|i| f64::from(i % 3)).collect();
        assert_eq!(ThinPlate::new(&three, 10).unwrap().basis(10).unwrap().penalties, [0.0, 1.0]);
        for far in [1e6, 1e12, 1e300] {
            for n in [30, 100] {
                let mut x = values(n);
                x[7] = far;
                let basis = ThinPlate::new(&x, 10).unwrap().basis(10).unwrap();
                assert!(basis.functions.iter().all(|f| f.abs() <= 1.0 + 1e-9), "{far}");
            }
        }
        assert!(ThinPlate::new(&[2.0; 5], 10).is_none() && ThinPlate::new(&[1.0, f64::NAN], 10).is_none());
    }
}
