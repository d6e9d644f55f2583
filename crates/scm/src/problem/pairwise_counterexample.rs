//! Three variables whose pairs are no location-scale models with normal noise, although the whole is one.
//!
//! # Model
//!
//! X₁ = U₁, X₂ = X₁·U₂, X₃ = exp X₁ + log X₂ + U₃, with U₁ and U₂ uniform on (0, 1) and U₃ standard normal:
//! a location-scale model over the full graph X₁ → X₂ → X₃, X₁ → X₃.
//!
//! # Why pairwise tests fail
//!
//! A test that looks at two variables at a time loses the third:
//!
//! - (X₁, X₃): put X₂ in, and X₃ = exp X₁ + log X₁ + (log U₂ + U₃). The noise log U₂ + U₃ has mean −1,
//!   variance 2 and skewness −1/√2: it is not normal, so a likelihood ratio of normal location-scale models
//!   compares two wrong models.
//! - (X₂, X₃): X₁ causes both and is not seen, so X₃ given X₂ carries the noise of X₁ as well.
//!
//! That is the paper's argument. How it ends, with normal likelihoods and as many rows as one likes (nats per
//! row, standardised): the ratio is right for (X₁, X₂) by 0.33 and for (X₁, X₃) by 0.01, and wrong for
//! (X₂, X₃) by 0.10. Sorting by pairs gives X₁, X₃, X₂. The same likelihoods of all three variables are best
//! for the true order, by 0.04. It does not say that no test of pairs can work: with noise of any shape
//! (X₁, X₃) is an additive model.
//!
//! # Limits
//!
//! log X₂ exists only for X₂ > 0: an intervention that sets X₁ or X₂ to 0 or less has no X₃, and the draw is an error
//! unless X₃ (or, for X₁, X₂) is set too.
//!
//! # Reference
//!
//! The OSLow paper, appendix "Bivariate likelihood ratio for the multivariate setting".

use super::{ProblemColumn, ProblemEntry};
use crate::LocationScale;
use crate::noise::gaussian::Gaussian;
use crate::noise::unit_uniform::UnitUniform;

pub(crate) const ENTRY: ProblemEntry = ProblemEntry {
    name: "pairwise-counterexample",
    summary: "X1 = U1, X2 = X1·U2, X3 = exp X1 + log X2 + U3: pairs of it mislead likelihood ratios (the paper's appendix)",
    edges: &[(0, 1), (0, 2), (1, 2)],
    columns: &[
        ProblemColumn {
            name: "X1",
            formula: |_| LocationScale { location: 0.0, scale: 1.0 },
            noise: || Box::new(UnitUniform),
        },
        ProblemColumn {
            name: "X2",
            formula: |x| LocationScale { location: 0.0, scale: x[0] },
            noise: || Box::new(UnitUniform),
        },
        ProblemColumn {
            name: "X3",
            formula: |x| LocationScale { location: x[0].exp() + x[1].ln(), scale: 1.0 },
            noise: || Box::new(Gaussian),
        },
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate_problem;
    use oslow_core::{Intervention, Interventional, Seed};
    use std::f64::consts::E;

    const ROWS: usize = 40_000;

    /// The mean of a function of the rows is the expected one.
    fn check(table: &[f64], expected: f64, of: impl Fn(&[f64]) -> f64) {
        let values: Vec<f64> = table.chunks(3).map(of).collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let error = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n / n).sqrt();
        assert!((mean - expected).abs() < 4.0 * error + 1e-12, "{mean} is not {expected}");
    }

    #[test]
    fn moments_are_those_of_the_formulas() {
        let simulated = simulate_problem(ENTRY.name, ROWS, Seed(1)).unwrap();
        assert_eq!(simulated.dag.edges(), [(0, 1), (0, 2), (1, 2)]);
        let table = simulated.sample.values();
        assert!(table.chunks(3).all(|x| 0.0 < x[1] && x[1] < x[0] && x[0] < 1.0));
        check(table, 0.5, |x| x[0]);
        check(table, 0.25, |x| x[1]);
        // E X₁²U₂ = 1/3 · 1/2.
        check(table, 1.0 / 6.0, |x| x[0] * x[1]);
        // E exp X₁ = e − 1 and E log X₁ = E log U₂ = −1.
        check(table, E - 3.0, |x| x[2]);
        let residual = |x: &[f64]| x[2] - x[0].exp() - x[1].ln();
        check(table, 1.0, |x| residual(x).powi(2));
        check(table, 0.0, |x| residual(x) * (x[0] - 0.5));
        // What the pair (X₁, X₃) sees as noise: log U₂ + U₃, third central moment −2.
        let noise = |x: &[f64]| x[2] - x[0].exp() - x[0].ln();
        check(table, -1.0, noise);
        check(table, 2.0, |x| (noise(x) + 1.0).powi(2));
        check(table, -2.0, |x| (noise(x) + 1.0).powi(3));
    }

    /// E log sd(effect | cause) of standardised columns, in bins of the cause: the normal location-scale
    /// likelihood of cause → effect, but for constants.
    fn conditional(rows: &[&[f64]], cause: usize, effect: usize) -> f64 {
        const BIN: usize = 400;
        let variance = |rows: &[&[f64]], j: usize| {
            let mean = rows.iter().map(|x| x[j]).sum::<f64>() / rows.len() as f64;
            rows.iter().map(|x| (x[j] - mean).powi(2)).sum::<f64>() / rows.len() as f64
        };
        let mut sorted = rows.to_vec();
        sorted.sort_by(|x, y| x[cause].total_cmp(&y[cause]));
        let sum: f64 = sorted.chunks(BIN).map(|bin| variance(bin, effect).ln() / 2.0).sum();
        sum / (rows.len() / BIN) as f64 - variance(rows, effect).ln() / 2.0
    }

    #[test]
    fn the_pairwise_likelihood_ratio_turns_the_last_edge_around() {
        let simulated = simulate_problem(ENTRY.name, 4 * ROWS, Seed(3)).unwrap();
        let rows: Vec<&[f64]> = simulated.sample.values().chunks(3).collect();
        let ratio = |a, b| conditional(&rows, b, a) - conditional(&rows, a, b);
        // Mean and sd over 20 samples of this size, by numpy.
        for (a, b, mean, sd) in [(0, 1, 0.333, 0.0025), (0, 2, 0.014, 0.0013), (1, 2, -0.102, 0.0022)] {
            let got = ratio(a, b);
            assert!((got - mean).abs() < 4.0 * sd, "({a}, {b}): {got}, {mean}");
        }
    }

    #[test]
    fn interventions_follow_the_formulas() {
        let scm = ENTRY.scm().unwrap();
        let draw = |node, value| {
            scm.draw(ROWS, &[Intervention { node, value }], &mut Seed(2).stream("test")).unwrap()
        };
        check(&draw(0, 0.8), 0.8_f64.exp() + 0.8_f64.ln() - 1.0, |x| x[2]);
        check(&draw(1, 0.3), E - 1.0 + 0.3_f64.ln(), |x| x[2]);
        check(&draw(1, 0.3), 0.5, |x| x[0]);
        let error = scm.draw(5, &[Intervention { node: 1, value: -1.0 }], &mut Seed(2).stream("test"));
        assert!(error.unwrap_err().to_string().contains("`X3`"));
    }
}
