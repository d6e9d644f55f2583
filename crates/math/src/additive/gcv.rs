//! Generalised cross-validation of a penalised regression, with its derivatives.

use std::ops::Range;

use super::least_squares::{Triangle, inverse, with_diagonal};
use crate::products::{dot, triangular_row_products};
use crate::{cholesky, row_products};

/// The smallest weight of a coefficient: functions of which 1e-10 is left beside all others count as their combinations.
const RIDGE: f64 = 1e-20;

/// A penalised least squares problem: minimise ‖y − Xβ‖² + Σⱼ λⱼ Σ_{i∈j} sᵢβᵢ², with an intercept that is orthogonal to
/// everything else.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    /// Rows.
    pub n: f64,
    /// ‖y − ȳ‖².
    pub total: f64,
    /// X and y.
    pub triangle: Triangle,
    /// sᵢ of each coefficient.
    pub penalties: Vec<f64>,
    /// The coefficients of each term.
    pub blocks: Vec<Range<usize>>,
}

/// The solution for given smoothing parameters.
///
/// With D = diag(λs) and P = (XᵀX + D)⁻¹, the matrix F = P·XᵀX that takes unpenalised coefficients to penalised ones is I − PD. All
/// that GCV needs of it is in M = D^½·P·D^½, whose eigenvalues lie between 0 and 1, and in its square.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    /// The coefficients.
    pub beta: Vec<f64>,
    /// g = D^½·β.
    pub bent: Vec<f64>,
    /// M·g.
    pub pull: Vec<f64>,
    /// K, upper triangular, with P = K·Kᵀ.
    pub root: Vec<f64>,
    /// M.
    pub shrink: Vec<f64>,
    /// M².
    pub shrink_2: Vec<f64>,
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
        let mut roots = vec![RIDGE.sqrt(); q];
        for (block, rho) in self.blocks.iter().zip(log_lambda) {
            block.clone().for_each(|i| roots[i] = (rho.exp() * self.penalties[i] + RIDGE).sqrt());
        }
        let (r, f) = with_diagonal(&self.triangle, &roots);
        let root = inverse(&r, q)?;
        let beta: Vec<f64> = (0..q).map(|i| dot(&root[i * q + i..(i + 1) * q], &f[i..])).collect();
        let bent: Vec<f64> = roots.iter().zip(&beta).map(|(d, b)| d * b).collect();
        let mut scaled = root.clone();
        scaled
            .chunks_exact_mut(q.max(1))
            .zip(&roots)
            .for_each(|(row, d)| row.iter_mut().for_each(|x| *x *= d));
        let shrink = triangular_row_products(&scaled, q);
        let shrink_2 = row_products(&shrink, q);
        let pull = shrink.chunks_exact(q.max(1)).map(|row| dot(row, &bent)).collect();
        let Triangle { r, f, rest } = &self.triangle;
        let left = |i: usize| f[i] - dot(&r[i * q + i..(i + 1) * q], &beta[i..]);
        let rss = rest + (0..q).map(|i| left(i) * left(i)).sum::<f64>();
        let edf = 1.0 + (0..q).map(|i| 1.0 - shrink[i * q + i]).sum::<f64>();
        let fits = edf.is_finite() && rss.is_finite();
        // Twice the precision of a number: RSS is a sum of squares.
        let rss = rss.max(f64::EPSILON * f64::EPSILON * self.total);
        fits.then_some(Solution { beta, bent, pull, root, shrink, shrink_2, rss, edf })
    }

    /// log GCV; `None` where nothing is left to fit.
    fn log_score(&self, rss: f64, edf: f64) -> Option<f64> {
        let left = self.n - edf;
        (left > 0.0 && rss > 0.0).then(|| (self.n * rss).ln() - 2.0 * left.ln())
    }

    /// log GCV of a solution.
    pub fn log_gcv(&self, solution: &Solution) -> Option<f64> {
        self.log_score(solution.rss, solution.edf)
    }

    /// log GCV of a solution with its derivatives.
    ///
    /// With h = Mg, and all sums over the coefficients of terms j and k: ∂RSS/∂ρⱼ = 2Σ hᵢgᵢ, ∂edf/∂ρⱼ = Σ (M² − M)ᵢᵢ,
    /// ∂²RSS/∂ρⱼ∂ρₖ = 2[δⱼₖΣhᵢgᵢ + ΣΣ gᵢ(M − M²)ᵢₗgₗ − (hᵢgₗ + gᵢhₗ)Mᵢₗ],
    /// ∂²edf/∂ρⱼ∂ρₖ = δⱼₖ∂edf/∂ρⱼ + 2ΣΣ Mᵢₗ(M − M²)ᵢₗ.
    pub fn derivatives(&self, solution: &Solution) -> Option<Gcv> {
        let value = self.log_gcv(solution)?;
        let Solution { bent: g, pull: h, shrink, shrink_2, rss, edf, .. } = solution;
        let (q, m) = (g.len(), self.blocks.len());
        let left = self.n - edf;
        let term = |block: &Range<usize>, f: &dyn Fn(usize) -> f64| block.clone().map(f).sum::<f64>();
        let rss_1: Vec<f64> = self.blocks.iter().map(|block| 2.0 * term(block, &|i| h[i] * g[i])).collect();
        let diagonal = |i: usize| shrink_2[i * q + i] - shrink[i * q + i];
        let edf_1: Vec<f64> = self.blocks.iter().map(|block| term(block, &diagonal)).collect();
        let mut hessian = vec![0.0; m * m];
        for j in 0..m {
            for k in 0..=j {
                let (mut rss_2, mut edf_2) = (0.0, 0.0);
                for i in self.blocks[j].clone() {
                    for l in self.blocks[k].clone() {
                        let (m1, m2) = (shrink[i * q + l], shrink_2[i * q + l]);
                        rss_2 += g[i] * (m1 - m2) * g[l] - (h[i] * g[l] + g[i] * h[l]) * m1;
                        edf_2 += m1 * (m1 - m2);
                    }
                }
                let (mut rss_2, mut edf_2) = (2.0 * rss_2, 2.0 * edf_2);
                if j == k {
                    rss_2 += rss_1[j];
                    edf_2 += edf_1[j];
                }
                let bent = rss_2 / rss - rss_1[j] / rss * (rss_1[k] / rss)
                    + 2.0 * edf_2 / left
                    + 2.0 * edf_1[j] * edf_1[k] / (left * left);
                (hessian[j * m + k], hessian[k * m + j]) = (bent, bent);
            }
        }
        let gradient = (0..m).map(|j| rss_1[j] / rss + 2.0 * edf_1[j] / left).collect();
        Some(Gcv { value, gradient, hessian })
    }

    /// log GCV of a solution if the λ of one term were multiplied by e to the `step`; `None` where that cannot be said.
    ///
    /// With c = e^step − 1, S = (I + cM)⁻¹ on the term's own block, g and h its parts:
    /// RSS + 2c·hᵀSg + c²·(Sg)ᵀ(M − M²)Sg and edf − c·tr M + c·tr(S(M² + cM·M)). That is O(k³), whatever the number of terms.
    pub fn log_gcv_after(&self, solution: &Solution, term: usize, step: f64) -> Option<f64> {
        let q = self.penalties.len();
        let block = self.blocks[term].clone();
        let (start, b, c) = (block.start, block.len(), step.exp_m1());
        let m1 = |i: usize, j: usize| solution.shrink[(start + i) * q + start + j];
        let m2 = |i: usize, j: usize| solution.shrink_2[(start + i) * q + start + j];
        let mut factor: Vec<f64> =
            (0..b * b).map(|k| f64::from(u8::from(k / b == k % b)) + c * m1(k / b, k % b)).collect();
        cholesky(&mut factor, b).ok()?;
        let upper: Vec<f64> = (0..b * b).map(|k| factor[k % b * b + k / b]).collect();
        let s = triangular_row_products(&inverse(&upper, b)?, b);
        let g = &solution.bent[block.clone()];
        let sg: Vec<f64> = s.chunks_exact(b).map(|row| dot(row, g)).collect();
        let (mut rss, mut edf) = (solution.rss, solution.edf);
        rss += 2.0 * c * dot(&solution.pull[block], &sg);
        for i in 0..b {
            edf -= c * m1(i, i);
            for j in 0..b {
                rss += c * sg[i] * (m1(i, j) - m2(i, j)) * c * sg[j];
                let both: f64 = (0..b).map(|l| m1(i, l) * m1(l, j)).sum();
                edf += c * s[i * b + j] * (m2(i, j) + c * both);
            }
        }
        self.log_score(rss, edf)
    }
}

impl Solution {
    /// Effective degrees of freedom of a term, its share of tr F.
    pub fn edf_of(&self, block: &Range<usize>) -> f64 {
        let q = self.beta.len();
        block.clone().map(|i| 1.0 - self.shrink[i * q + i]).sum()
    }

    /// A term's share of tr(2F − FF) = tr(I − PDPD).
    pub fn reference_df_of(&self, block: &Range<usize>) -> f64 {
        let q = self.beta.len();
        block.clone().map(|i| 1.0 - self.shrink_2[i * q + i]).sum()
    }

    /// A term's block of P.
    pub fn inverse_of(&self, block: &Range<usize>) -> Vec<f64> {
        let q = self.beta.len();
        row_products(&self.root[block.start * q..block.end * q], block.len())
    }
}
