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
//!   variance 2 and skewness −1/√2: it is not normal, so a likelihood ratio of normal location-scale models compares
//!   two wrong models.
//! - (X₂, X₃): X₁ causes both and is not seen. In neither direction is the pair a location-scale model with
//!   independent noise by construction.
//!
//! The argument is about likelihoods with a fixed noise. It does not say that no test of the pair (X₁, X₃) can
//! work: with noise of any shape that pair is an additive model.
//!
//! # Limits
//!
//! log X₂ exists only for X₂ > 0: an intervention that sets X₁ or X₂ to 0 or less has no X₃, and the draw is an error
//! unless X₃ (or, for X₁, X₂) is set too.
//!
//! # Reference
//!
//! The OSLow paper, appendix "Bivariate likelihood ratio for the multivariate setting".

use oslow_core::Rng;
use rand_distr::{Distribution, Open01};

use super::{ProblemColumn, ProblemEntry};
use crate::noise::gaussian::Gaussian;
use crate::{LocationScale, Noise};

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

/// Uniform on the open interval: 0 has no logarithm.
#[derive(Debug)]
struct UnitUniform;

impl Noise for UnitUniform {
    fn draw(&self, rng: &mut Rng) -> f64 {
        Open01.sample(rng)
    }
}

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
