//! DirectLiNGAM: roots first, told by which direction of a regression leaves the less dependent residual.
//!
//! # Assumes
//! Each variable is a linear function of its causes plus noise that is not Gaussian.
//! # Model
//! Of two standardised variables with correlation ρ, the residuals are rᵢ = (xᵢ − ρxⱼ)/√(1 − ρ²) and rⱼ likewise.
//! L(i → j) = H(xⱼ) + H(rᵢ) − H(xᵢ) − H(rⱼ) is the log of the likelihood ratio of i → j to j → i per row, positive where i causes j,
//! with the entropies H approximated by [`entropy`].
//! # Algorithm
//! Of the variables that are left, the one with the smallest Σⱼ min(0, L(i → j))² is the next root. Take its linear share from all
//! others, repeat.
//! # Cost
//! O(n·d³), with about d³/3 entropies of n values. Pairs are spread over threads.
//! # Departs from the paper
//! Equal sums are drawn. Columns that are multiples of each other, or combinations of the roots before them, say nothing about
//! the direction between them; the paper does not have them.
//! # Reference
//! Shimizu et al.: DirectLiNGAM: a direct method for learning a linear non-Gaussian structural equation model. JMLR
//! 12:1225-1248, 2011. The measure: Hyvärinen, Smith: Pairwise likelihood ratios for estimation of non-Gaussian structural equation
//! models. JMLR 14:111-152, 2013.

use oslow_core::{Capabilities, Kind, Learned, Learner, Method, Prepared, Result, Run, configure, describe};
use oslow_math::entropy;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::one_by_one::{Criterion, End, one_by_one};

/// The method's entry in the registry.
pub(crate) const METHODS: &[Method] = &[Method {
    name: "direct-lingam",
    kind: Kind::Contestant,
    summary: "DirectLiNGAM: roots first, by pairwise likelihood ratios of linear regressions",
    assumes: &["each variable is a linear function of its causes, plus noise", "the noise is not Gaussian"],
    takes: Capabilities::NUMBERS,
    build: |settings| Ok(Box::new(configure::<DirectLingam>(settings)?)),
    resolve: |settings| describe(&configure::<DirectLingam>(settings)?),
}];

/// What is left of a variance of 1 by rounding.
const ROUNDING: f64 = 1e-12;

/// DirectLiNGAM; it has no settings.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DirectLingam {}

impl Learner for DirectLingam {
    fn learn(&self, sample: &Prepared, run: &mut Run<'_>) -> Result<Learned> {
        let columns = (0..sample.columns()).map(|j| sample.standard(j).to_vec()).collect();
        let mut residuals = Residuals { columns };
        let mut rng = run.seed.stream("order/direct-lingam");
        one_by_one(End::Root, &mut residuals, sample, run, &mut rng)
    }
}

/// What is left of each variable when the roots so far have been regressed out, standardised; zeros where nothing is.
struct Residuals {
    columns: Vec<Vec<f64>>,
}

impl Criterion for Residuals {
    fn values(&self, left: &[usize]) -> Result<Vec<f64>> {
        let entropies: Vec<f64> = left.par_iter().map(|&node| entropy(&self.columns[node])).collect();
        let ratios = |a: usize| -> Vec<f64> {
            let ratio = |b: usize| {
                let (i, j) = (&self.columns[left[a]], &self.columns[left[b]]);
                residual_entropies(i, j).map_or(0.0, |(of_i, of_j)| entropies[b] + of_i - entropies[a] - of_j)
            };
            (0..a).map(ratio).collect()
        };
        let ratios: Vec<Vec<f64>> = (0..left.len()).into_par_iter().map(ratios).collect();
        let against = |a: usize| -> f64 {
            let ratio = |b: usize| if b < a { ratios[a][b] } else { -ratios[b][a] };
            (0..left.len()).filter(|&b| b != a).map(|b| ratio(b).min(0.0).powi(2)).sum()
        };
        Ok((0..left.len()).map(against).collect())
    }

    fn take(&mut self, root: usize, left: &[usize]) {
        let root = std::mem::take(&mut self.columns[root]);
        for &node in left {
            let column = std::mem::take(&mut self.columns[node]);
            let slope = correlation(&column, &root);
            let rest = column.iter().zip(&root).map(|(x, r)| x - slope * r).collect();
            self.columns[node] = standardised(rest, ROUNDING);
        }
    }
}

/// The entropies of what is left of each of two variables beside the other; `None` where that is nothing.
fn residual_entropies(i: &[f64], j: &[f64]) -> Option<(f64, f64)> {
    let slope = correlation(i, j);
    let rest = 1.0 - slope * slope;
    if rest <= ROUNDING || [i, j].iter().any(|column| column[0] == 0.0 && column.iter().all(|&x| x == 0.0)) {
        return None;
    }
    let scale = 1.0 / rest.sqrt();
    let residual = |x: &[f64], other: &[f64]| {
        x.iter().zip(other).map(|(x, o)| (x - slope * o) * scale).collect::<Vec<f64>>()
    };
    Some((entropy(&residual(i, j)), entropy(&residual(j, i))))
}

/// The mean product of two standardised variables.
fn correlation(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>() / x.len() as f64
}

/// The values with mean 0 and variance 1; zeros where their variance is at most `nothing`.
fn standardised(mut values: Vec<f64>, nothing: f64) -> Vec<f64> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter_mut().for_each(|x| *x -= mean);
    let variance = values.iter().map(|x| x * x).sum::<f64>() / n;
    let scale = if variance > nothing { 1.0 / variance.sqrt() } else { 0.0 };
    values.iter_mut().for_each(|x| *x *= scale);
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uniform numbers of mean 0 and variance 1.
    fn uniform(seed: u64, n: usize) -> Vec<f64> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let bits = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        };
        (0..n).map(|_| 12.0_f64.sqrt() * (next() - 0.5)).collect()
    }

    fn residuals(columns: &[Vec<f64>]) -> Residuals {
        Residuals { columns: columns.iter().map(|column| standardised(column.clone(), 0.0)).collect() }
    }

    #[test]
    fn a_cause_has_no_ratio_against_it() {
        let x = uniform(1, 1000);
        let y: Vec<f64> = x.iter().zip(uniform(2, 1000)).map(|(x, e)| 100.0 * (x + e) + 7.0).collect();
        let values = residuals(&[y, x]).values(&[0, 1]).unwrap();
        assert!(values[0] > 1e-4 && values[1] == 0.0, "{values:?}");
    }

    #[test]
    fn a_root_leaves_residuals_without_correlation() {
        let columns = [uniform(1, 500), uniform(2, 500), uniform(3, 500)];
        let mut state = residuals(&columns);
        let root = state.columns[1].clone();
        state.take(1, &[0, 2]);
        for node in [0, 2] {
            assert!(correlation(&state.columns[node], &root).abs() < 1e-14);
            assert!((correlation(&state.columns[node], &state.columns[node]) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn what_is_determined_says_nothing() {
        let x = uniform(1, 300);
        let twice: Vec<f64> = x.iter().map(|x| 2.0 * x + 1.0).collect();
        let mut state = residuals(&[x, twice, uniform(2, 300)]);
        assert!(state.values(&[0, 1, 2]).unwrap().iter().all(|value| value.is_finite()));
        state.take(0, &[1, 2]);
        assert_eq!(state.values(&[1, 2]).unwrap(), [0.0, 0.0]);
    }
}
