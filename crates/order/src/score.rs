//! SCORE: leaves first, told by the curvature of the log-density.
//!
//! # Assumes
//! xⱼ = fⱼ(parents) + noise with nonlinear fⱼ and Gaussian noise. Then ∂²log p/∂xⱼ² is the same number at every point if and
//! only if j is a leaf.
//! # Model
//! The second derivatives at the rows are estimated by Stein's identity with a Gaussian kernel ([`stein_hessian`]).
//! # Algorithm
//! Estimate ∂²log p/∂xⱼ² at every row for every variable that is left, take the variable in which it varies least as the last of
//! them, remove its column, repeat. The width of the kernel is the median distance anew at each step.
//! # Cost
//! d − 1 Cholesky factorisations of n × n, O(d·n³ + d²·n²), on one thread; memory for 1½n² numbers, whatever d.
//! # Departs from the paper
//! One ridge for gradient and Hessian (the paper's program has two settings and gives both the same value), so that one
//! factorisation serves both. Where more than half of all distances are 0, the width is the median of the others. Equal
//! variances are drawn.
//!
//! The answer depends on the units of the columns. The paper takes data as they are (`--standardize none`).
//! # Reference
//! Rolland, Cevher, Kleindessner, Russell, Janzing, Schölkopf, Locatello: Score matching enables causal discovery of
//! nonlinear additive noise models. ICML 2022.

use oslow_core::{
    Capabilities, Error, Kind, Learned, Learner, Method, Prepared, Result, Run, configure, describe,
    positive, room_for,
};
use oslow_math::stein_hessian;
use serde::{Deserialize, Serialize};

use crate::one_by_one::{Criterion, End, one_by_one};

/// The method's entry in the registry.
pub(crate) const METHODS: &[Method] = &[Method {
    name: "score",
    kind: Kind::Contestant,
    summary: "SCORE: leaves first, where the log-density's curvature varies least; its paper takes data as they are",
    assumes: &["each variable is a nonlinear function of its causes, plus noise", "the noise is Gaussian"],
    takes: Capabilities::NUMBERS,
    build: |settings| {
        let config = configure::<ScoreConfig>(settings)?;
        config.check()?;
        Ok(Box::new(config))
    },
    resolve: |settings| describe(&configure::<ScoreConfig>(settings)?),
}];

/// Settings of `score`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ScoreConfig {
    /// η, added to the diagonal of the kernel matrix before it is inverted, above 0. 0.001 is that of the paper's program, for
    /// both of its η.
    ridge: f64,
}

impl Default for ScoreConfig {
    fn default() -> Self {
        Self { ridge: 1e-3 }
    }
}

impl ScoreConfig {
    /// Refuses values outside their range.
    fn check(&self) -> Result<()> {
        positive("ridge", self.ridge, 1e6)
    }
}

impl Learner for ScoreConfig {
    fn learn(&self, sample: &Prepared, run: &mut Run<'_>) -> Result<Learned> {
        let rows = sample.rows();
        let numbers = 1.5 * (rows as f64).powi(2);
        let work = format!("the kernel matrix of {rows} rows");
        room_for(&work, numbers, "draw fewer rows: a few thousand are enough for this method")?;
        let mut curvature = Curvature { sample, ridge: self.ridge };
        let mut rng = run.seed.stream("order/score");
        one_by_one(End::Leaf, &mut curvature, sample, run, &mut rng)
    }
}

/// How much the second derivative of the log-density by each variable varies over the rows.
struct Curvature<'a> {
    sample: &'a Prepared,
    ridge: f64,
}

impl Criterion for Curvature<'_> {
    fn values(&self, left: &[usize]) -> Result<Vec<f64>> {
        let columns: Vec<&[f64]> = left.iter().map(|&node| self.sample.column(node)).collect();
        let hessian = stein_hessian(&columns, self.ridge).map_err(|singular| {
            Error::input(format!("the kernel matrix of the rows cannot be inverted: {singular}"))
                .with_hint("look for outliers, or raise the setting `ridge`")
        })?;
        Ok(hessian.iter().map(|values| variance(values)).collect())
    }
}

fn variance(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / n
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Settings;

    #[test]
    fn values_out_of_range_are_refused() {
        for wrong in ["ridge = 0.0", "ridge = -1.0", "ridge = inf"] {
            let settings: Settings = wrong.parse().unwrap();
            assert!((METHODS[0].build)(&settings).err().unwrap().is_input(), "{wrong}");
        }
    }
}
