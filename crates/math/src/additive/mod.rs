//! Additive regression: y = α + Σⱼ fⱼ(xⱼ) + noise, with smooth fⱼ and a test of each.
//!
//! # Model
//! Each fⱼ is a thin plate regression spline of k coefficients less the constant ([`ThinPlate`]). The fit minimises
//! Σ(y − α − Σfⱼ(xⱼ))² + Σⱼ λⱼ∫fⱼ″², with the λⱼ of the smallest generalised cross-validation score
//! n·RSS/(n − edf)². The noise is normal with one unknown variance.
//! # Algorithm
//! Each term has an orthonormal basis with a diagonal penalty. X is reduced to a triangle R once; for given λ the QR decomposition of R
//! above diag(λs)^½ gives the score with its first and second derivatives by log λ. Newton's method then takes some ten steps.
//! # Cost
//! O(n·q²) once and O(q³) a step, for q coefficients in all.
//! # Reference
//! Wood: Stable and efficient multiple smoothing parameter estimation for generalized additive models. Journal of the American
//! Statistical Association 99:673-686, 2004. Wood: Generalized additive models. CRC 2017.

mod bases;
mod boosting;
mod gcv;
mod least_squares;
mod search;
mod smooth_test;
mod thin_plate;

pub use bases::{FEWEST_COEFFICIENTS, SmoothBases, coefficients};
pub use boosting::select_terms;
pub use thin_plate::{SmoothBasis, ThinPlate};

use gcv::{Problem, Solution};
use least_squares::Triangle;
use smooth_test::smooth_test;

/// How much the terms are smoothed.
#[derive(Clone, Copy, Debug)]
pub enum Smoothing<'a> {
    /// By generalised cross-validation.
    Gcv,
    /// By these log λ, one a term, in units of the mean penalty of its basis. −∞ is no penalty at all.
    Fixed(&'a [f64]),
}

/// A fitted additive regression.
#[derive(Clone, Debug)]
pub struct AdditiveFit {
    /// The terms, in the order of their bases.
    pub terms: Vec<SmoothTerm>,
    /// n·RSS/(n − edf)².
    pub gcv: f64,
    /// The estimated variance of the noise, RSS/(n − edf).
    pub scale: f64,
    /// Effective degrees of freedom, the intercept's among them.
    pub edf: f64,
    /// The mean of y.
    pub intercept: f64,
}

/// One term of a fitted additive regression.
#[derive(Clone, Debug)]
pub struct SmoothTerm {
    /// The coefficients of its basis.
    pub coefficients: Vec<f64>,
    /// Log of the smoothing parameter, in units of the mean penalty of its basis.
    pub log_lambda: f64,
    /// Effective degrees of freedom: its share of tr F, where F takes unpenalised coefficients to penalised ones.
    pub edf: f64,
    /// Its share of tr(2F − FF), the degrees of freedom of the test.
    pub reference_df: f64,
    /// The test's statistic.
    pub statistic: f64,
    /// The p-value of the term being zero.
    pub p_value: f64,
}

/// Fits an additive regression. `None` where it cannot be done: more coefficients than rows, or a constant y.
pub fn fit_additive(y: &[f64], bases: &[&SmoothBasis], smoothing: Smoothing<'_>) -> Option<AdditiveFit> {
    if bases.iter().map(|basis| basis.penalties.len()).sum::<usize>() + 1 >= y.len() {
        return None;
    }
    let (problem, intercept) = problem(y, bases);
    let (log_lambda, solution) = match smoothing {
        Smoothing::Gcv => search::minimise(&problem)?,
        Smoothing::Fixed(log_lambda) => (log_lambda.to_vec(), problem.solve(log_lambda)?),
    };
    let left = problem.n - solution.edf;
    let scale = solution.rss / left;
    if !(left > 0.0 && scale > 0.0) {
        return None;
    }
    let term = |(block, log_lambda)| term(&solution, block, log_lambda, scale, left);
    let terms = problem.blocks.iter().cloned().zip(log_lambda).map(term).collect::<Option<Vec<_>>>()?;
    let gcv = problem.n * solution.rss / (left * left);
    Some(AdditiveFit { terms, gcv, scale, edf: solution.edf, intercept })
}

/// The normal form, and the mean of y.
fn problem(y: &[f64], bases: &[&SmoothBasis]) -> (Problem, f64) {
    let n = y.len() as f64;
    let mean = y.iter().sum::<f64>() / n;
    let centred: Vec<f64> = y.iter().map(|y| y - mean).collect();
    let functions: Vec<f64> = bases.iter().flat_map(|basis| basis.functions.iter().copied()).collect();
    let penalties: Vec<f64> = bases.iter().flat_map(|basis| basis.penalties.iter().copied()).collect();
    let mut start = 0;
    let mut block = |basis: &&SmoothBasis| {
        let from = start;
        start += basis.penalties.len();
        from..start
    };
    let blocks = bases.iter().map(&mut block).collect();
    let triangle = Triangle::new(&functions, &centred);
    let total = centred.iter().map(|y| y * y).sum();
    (Problem { n, total, triangle, penalties, blocks }, mean)
}

/// A term of the solution and its test.
fn term(
    solution: &Solution,
    block: std::ops::Range<usize>,
    log_lambda: f64,
    scale: f64,
    residual_df: f64,
) -> Option<SmoothTerm> {
    let (edf, reference_df) = (solution.edf_of(&block), solution.reference_df_of(&block));
    let covariance = solution.inverse_of(&block).into_iter().map(|p| p * scale).collect();
    let coefficients = solution.beta[block].to_vec();
    let tested = smooth_test(&coefficients, covariance, reference_df, residual_df)?;
    Some(SmoothTerm {
        coefficients,
        log_lambda,
        edf,
        reference_df,
        statistic: tested.statistic,
        p_value: tested.p_value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::products::dot;

    const N: usize = 120;

    fn column(salt: usize) -> Vec<f64> {
        let noise =
            |i: usize| ((i * 7919 + salt * 104_729 + i * i * (31 + salt)) % 9973) as f64 / 9973.0 - 0.5;
        (0..N).map(noise).collect()
    }

    fn basis(x: &[f64]) -> SmoothBasis {
        ThinPlate::new(x, 8).unwrap().basis(8).unwrap()
    }

    /// Residual sum of squares of a plain regression on these columns.
    fn least_squares(y: &[f64], columns: &[&[f64]]) -> f64 {
        // Gram-Schmidt: what is left of y beside the columns.
        let mut basis: Vec<Vec<f64>> = Vec::new();
        let remove = |mut v: Vec<f64>, basis: &[Vec<f64>]| {
            for _ in 0..2 {
                for b in basis {
                    let along = dot(&v, b);
                    v.iter_mut().zip(b).for_each(|(x, b)| *x -= along * b);
                }
            }
            v
        };
        for column in columns {
            let rest = remove(column.to_vec(), &basis);
            let norm = dot(&rest, &rest).sqrt();
            basis.push(rest.iter().map(|x| x / norm).collect());
        }
        let rest = remove(y.to_vec(), &basis);
        dot(&rest, &rest)
    }

    #[test]
    fn an_infinite_penalty_leaves_lines_and_none_leaves_least_squares() {
        let (a, b, y) = (column(1), column(2), column(3));
        let ones = vec![1.0; N];
        let bases = [basis(&a), basis(&b)];
        let terms: Vec<&SmoothBasis> = bases.iter().collect();
        let rss = |fit: &AdditiveFit| fit.scale * (N as f64 - fit.edf);

        let stiff = fit_additive(&y, &terms, Smoothing::Fixed(&[40.0, 40.0])).unwrap();
        assert!((stiff.edf - 3.0).abs() < 1e-9);
        assert!((rss(&stiff) - least_squares(&y, &[&ones, &a, &b])).abs() < 1e-9);
        // The test of a line is the F test of leaving it out.
        let without = least_squares(&y, &[&ones, &b]);
        let f = (without - rss(&stiff)) / (rss(&stiff) / (N - 3) as f64);
        assert!((stiff.terms[0].statistic / f - 1.0).abs() < 1e-6, "{} {f}", stiff.terms[0].statistic);

        let free = fit_additive(&y, &terms, Smoothing::Fixed(&[f64::NEG_INFINITY; 2])).unwrap();
        let mut all: Vec<&[f64]> = vec![&ones];
        all.extend(bases.iter().flat_map(|basis| basis.functions.chunks_exact(N)));
        assert!((free.edf - 15.0).abs() < 1e-9 && (rss(&free) - least_squares(&y, &all)).abs() < 1e-9);
        assert!(free.terms.iter().all(|term| (term.edf - 7.0).abs() < 1e-9));
    }

    #[test]
    fn the_derivatives_of_gcv_are_right() {
        let bases = [basis(&column(1)), basis(&column(2)), basis(&column(4))];
        let (a, b) = (column(1), column(2));
        let y: Vec<f64> =
            column(3).iter().zip(&a).zip(&b).map(|((e, a), b)| e + (5.0 * a).sin() + b).collect();
        let (problem, _) = problem(&y, &bases.iter().collect::<Vec<_>>());
        let rho = [0.5, -1.0, 3.0];
        let solution = problem.solve(&rho).unwrap();
        let at = problem.derivatives(&solution).unwrap();
        let h = 1e-4;
        for j in 0..3 {
            let moved = |step: f64| {
                let mut rho = rho;
                rho[j] += step;
                problem.derivatives(&problem.solve(&rho).unwrap()).unwrap()
            };
            let (up, down) = (moved(h), moved(-h));
            assert!(((up.value - down.value) / (2.0 * h) - at.gradient[j]).abs() < 1e-8);
            for k in 0..3 {
                let slope = (up.gradient[k] - down.gradient[k]) / (2.0 * h);
                assert!((slope - at.hessian[j * 3 + k]).abs() < 1e-8, "{slope} {}", at.hessian[j * 3 + k]);
            }
            for step in [-6.0, -0.3, 0.7, 8.0] {
                let quick = problem.log_gcv_after(&solution, j, step).unwrap();
                assert!((quick - moved(step).value).abs() < 1e-10, "{quick} {}", moved(step).value);
            }
        }
    }

    #[test]
    fn causes_are_found_noise_is_not_and_nothing_breaks_on_the_edge() {
        let (a, b, c) = (column(1), column(2), column(5));
        let y: Vec<f64> = (0..N).map(|i| (6.0 * a[i]).sin() + 2.0 * b[i] + 0.3 * column(3)[i]).collect();
        let bases = [basis(&a), basis(&b), basis(&c)];
        let fit = fit_additive(&y, &bases.iter().collect::<Vec<_>>(), Smoothing::Gcv).unwrap();
        assert!(fit.terms[0].p_value < 1e-20 && fit.terms[1].p_value < 1e-20 && fit.terms[2].p_value > 1e-3);
        assert!(fit.terms[0].edf > 3.0 && fit.terms[1].edf < 3.0);
        // A perfect fit, a term given twice, a constant y, too few rows.
        let exact = fit_additive(&b, &bases.iter().collect::<Vec<_>>(), Smoothing::Gcv).unwrap();
        assert!(exact.terms[1].p_value < 1e-20);
        let twice = fit_additive(&y, &[&bases[0], &bases[0]], Smoothing::Gcv).unwrap();
        assert!(twice.terms.iter().all(|term| (0.0..=1.0).contains(&term.p_value)));
        assert!(fit_additive(&[1.0; N], &[&bases[0]], Smoothing::Gcv).is_none());
        let short = basis(&a[..7]);
        assert!(fit_additive(&y[..7], &[&short], Smoothing::Gcv).is_none());
    }
}
