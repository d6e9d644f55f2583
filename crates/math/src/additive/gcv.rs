//! Generalised cross-validation of a penalised regression, with its derivatives.

use std::ops::Range;

use crate::products::triangular_row_products;
use crate::{cholesky, row_products};

/// A penalised least squares problem in normal form: minimise ‖y − Xβ‖² + Σⱼ λⱼ Σ_{i∈j} sᵢβᵢ², with an intercept that is
/// orthogonal to everything else.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    /// Rows.
    pub n: f64,
    /// ‖y − ȳ‖².
    pub total: f64,
    /// XᵀX.
    pub gram: Vec<f64>,
    /// Xᵀy.
    pub moment: Vec<f64>,
    /// sᵢ of each coefficient.
    pub penalties: Vec<f64>,
    /// The coefficients of each term.
    pub blocks: Vec<Range<usize>>,
}

/// The solution for given smoothing parameters.
///
/// With D = diag(λs): β = P·Xᵀy for P = (XᵀX + D)⁻¹, and the matrix F = P·XᵀX that takes unpenalised coefficients to
/// penalised ones is I − PD. So all degrees of freedom are sums over P and W = PDP.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    /// λᵢsᵢ of each coefficient.
    pub weights: Vec<f64>,
    /// The coefficients.
    pub beta: Vec<f64>,
    /// P.
    pub inverse: Vec<f64>,
    /// W.
    pub spread: Vec<f64>,
    /// Residual sum of squares; of a perfect fit, what rounding leaves of ‖y − ȳ‖².
    pub rss: f64,
    /// tr F + 1, the intercept's.
    pub edf: f64,
}

/// log GCV = log(n·RSS/(n − edf)²), its gradient and its Hessian by the logs of the smoothing parameters.
#[derive(Clone, Debug)]
pub(super) struct Gcv {
    pub value: f64,
    pub gradient: Vec<f64>,
    pub hessian: Vec<f64>,
}

impl Problem {
    /// The solution for these log λ; `None` where the matrix is numerically singular.
    pub fn solve(&self, log_lambda: &[f64]) -> Option<Solution> {
        let q = self.penalties.len();
        let mut weights = vec![0.0; q];
        for (block, rho) in self.blocks.iter().zip(log_lambda) {
            block.clone().for_each(|i| weights[i] = rho.exp() * self.penalties[i]);
        }
        let mut factor = self.gram.clone();
        (0..q).for_each(|i| factor[i * q + i] += weights[i]);
        cholesky(&mut factor, q).ok()?;
        let inverse = triangular_row_products(&transposed_inverse(&factor, q), q);
        let beta: Vec<f64> = inverse.chunks_exact(q.max(1)).map(|row| dot(row, &self.moment)).collect();
        let mut scaled = inverse.clone();
        for row in scaled.chunks_exact_mut(q.max(1)) {
            row.iter_mut().zip(&weights).for_each(|(x, d)| *x *= d.sqrt());
        }
        let spread = row_products(&scaled, q);
        let explained: f64 = (0..q).map(|i| beta[i] * (self.moment[i] + weights[i] * beta[i])).sum();
        let edf = 1.0 + (0..q).map(|i| 1.0 - inverse[i * q + i] * weights[i]).sum::<f64>();
        let rss = (self.total - explained).max(f64::EPSILON * self.total);
        (edf.is_finite() && explained.is_finite()).then_some(Solution {
            weights,
            beta,
            inverse,
            spread,
            rss,
            edf,
        })
    }

    /// log GCV of a solution; `None` where nothing is left to fit.
    pub fn log_gcv(&self, solution: &Solution) -> Option<f64> {
        let left = self.n - solution.edf;
        (left > 0.0 && solution.rss > 0.0).then(|| (self.n * solution.rss).ln() - 2.0 * left.ln())
    }

    /// log GCV of a solution with its derivatives.
    ///
    /// With v = Dβ and u = Pv, and all sums over the coefficients of terms j and k:
    /// ∂RSS/∂ρⱼ = 2Σ uᵢvᵢ, ∂edf/∂ρⱼ = Σ dᵢ(Wᵢᵢ − Pᵢᵢ),
    /// ∂²RSS/∂ρⱼ∂ρₖ = 2[δⱼₖΣuᵢvᵢ + ΣΣ vᵢ(Pᵢₗ − Wᵢₗ)vₗ − (uᵢdᵢvₗ + vᵢuₗdₗ)Pᵢₗ],
    /// ∂²edf/∂ρⱼ∂ρₖ = δⱼₖ∂edf/∂ρⱼ + 2ΣΣ dᵢdₗPᵢₗ(Pᵢₗ − Wᵢₗ).
    pub fn derivatives(&self, solution: &Solution) -> Option<Gcv> {
        let value = self.log_gcv(solution)?;
        let Solution { weights, beta, inverse, spread, rss, edf } = solution;
        let (q, m) = (weights.len(), self.blocks.len());
        let left = self.n - edf;
        let v: Vec<f64> = weights.iter().zip(beta).map(|(d, b)| d * b).collect();
        let u: Vec<f64> = inverse.chunks_exact(q.max(1)).map(|row| dot(row, &v)).collect();
        let term = |block: &Range<usize>, f: &dyn Fn(usize) -> f64| block.clone().map(f).sum::<f64>();
        let rss_1: Vec<f64> = self.blocks.iter().map(|block| 2.0 * term(block, &|i| u[i] * v[i])).collect();
        let edf_1: Vec<f64> = self
            .blocks
            .iter()
            .map(|block| term(block, &|i| weights[i] * (spread[i * q + i] - inverse[i * q + i])))
            .collect();
        let mut hessian = vec![0.0; m * m];
        for j in 0..m {
            for k in 0..=j {
                let (mut rss_2, mut edf_2) = (0.0, 0.0);
                for i in self.blocks[j].clone() {
                    for l in self.blocks[k].clone() {
                        let (p, w) = (inverse[i * q + l], spread[i * q + l]);
                        rss_2 +=
                            v[i] * (p - w) * v[l] - (u[i] * weights[i] * v[l] + v[i] * u[l] * weights[l]) * p;
                        edf_2 += weights[i] * weights[l] * p * (p - w);
                    }
                }
                let (mut rss_2, mut edf_2) = (2.0 * rss_2, 2.0 * edf_2);
                if j == k {
                    rss_2 += rss_1[j];
                    edf_2 += edf_1[j];
                }
                let bent = rss_2 / rss - rss_1[j] * rss_1[k] / (rss * rss)
                    + 2.0 * edf_2 / left
                    + 2.0 * edf_1[j] * edf_1[k] / (left * left);
                (hessian[j * m + k], hessian[k * m + j]) = (bent, bent);
            }
        }
        let gradient = (0..m).map(|j| rss_1[j] / rss + 2.0 * edf_1[j] / left).collect();
        Some(Gcv { value, gradient, hessian })
    }
}

impl Problem {
    /// log GCV of a solution if the λ of one term were multiplied by e to the `step`; `None` where that cannot be said.
    ///
    /// With Δ the change of the weights, P_new = P − P·K·P on the term's columns, K = (Δ⁻¹ + P)⁻¹ on its rows. So
    /// edf and RSS follow from the term's own blocks of P and W: O(k³), whatever the number of terms.
    pub fn log_gcv_after(&self, solution: &Solution, term: usize, step: f64) -> Option<f64> {
        let Solution { weights, beta, inverse, spread, rss, edf } = solution;
        let q = weights.len();
        let places: Vec<usize> = self.blocks[term].clone().filter(|&i| self.penalties[i] > 0.0).collect();
        let b = places.len();
        let at = |matrix: &[f64], i: usize, j: usize| matrix[places[i] * q + places[j]];
        let change: Vec<f64> = places.iter().map(|&i| weights[i] * step.exp_m1()).collect();
        let root: Vec<f64> = change.iter().map(|d| d.abs().sqrt()).collect();
        // Δ has one sign, so with T = |Δ|^½ it is K = ±T(I ± TPT)⁻¹T, and the inner matrix is positive definite.
        let sign = step.signum();
        let unit = |i: usize, j: usize| f64::from(u8::from(i == j));
        let mut factor: Vec<f64> = (0..b * b)
            .map(|k| (k / b, k % b))
            .map(|(i, j)| unit(i, j) + sign * root[i] * at(inverse, i, j) * root[j])
            .collect();
        cholesky(&mut factor, b).ok()?;
        let inner = triangular_row_products(&transposed_inverse(&factor, b), b);
        let k = |i: usize, j: usize| sign * root[i] * inner[i * b + j] * root[j];
        let moved: Vec<f64> = (0..b).map(|i| (0..b).map(|j| k(i, j) * beta[places[j]]).sum()).collect();
        let pull =
            |i: usize| -> f64 { (0..q).map(|l| inverse[places[i] * q + l] * weights[l] * beta[l]).sum() };
        let (mut new_rss, mut new_edf) = (*rss, *edf);
        for i in 0..b {
            new_rss += 2.0 * pull(i) * moved[i];
            new_edf -= at(inverse, i, i) * change[i];
            for j in 0..b {
                new_rss += moved[i] * (at(inverse, i, j) - at(spread, i, j)) * moved[j];
                let both: f64 = (0..b).map(|l| at(inverse, i, l) * change[l] * at(inverse, l, j)).sum();
                new_edf += k(j, i) * (at(spread, i, j) + both);
            }
        }
        let left = self.n - new_edf;
        let new_rss = new_rss.max(f64::EPSILON * self.total);
        (left > 0.0 && new_rss > 0.0).then(|| (self.n * new_rss).ln() - 2.0 * left.ln())
    }
}

/// (L⁻¹)ᵀ, row by row.
fn transposed_inverse(factor: &[f64], q: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; q * q];
    for row in 0..q {
        let (above, below) = inverse.split_at_mut(row * q);
        let below = &mut below[..q];
        below[row] = 1.0;
        for column in 0..row {
            let weight = factor[row * q + column];
            let other = &above[column * q..=column * q + column];
            below.iter_mut().zip(other).for_each(|(x, o)| *x -= weight * o);
        }
        let pivot = factor[row * q + row];
        below[..=row].iter_mut().for_each(|x| *x /= pivot);
    }
    let mut transposed = vec![0.0; q * q];
    for i in 0..q {
        for j in 0..=i {
            transposed[j * q + i] = inverse[i * q + j];
        }
    }
    transposed
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
