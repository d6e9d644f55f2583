//! Settings of DAGuerreotype.

use oslow_core::{Result, positive, within};
use serde::{Deserialize, Serialize};

/// Settings of `daguerreotype`; [`Default`] is the published program as the OSLow paper ran it, unless a field says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct DaguerreotypeConfig {
    /// How scores become a distribution over few orders: `top-k-sparsemax` or `sparsemap`.
    pub operator: Operator,
    /// Orders that `top-k-sparsemax` weighs, at least 2.
    pub k: usize,
    /// Most orders that `sparsemap` tries for one answer, at least 1.
    pub iterations: usize,
    /// How variables follow from those before them: `linear` or `nonlinear`.
    pub equations: Equations,
    /// Units of the hidden layer of `nonlinear` equations, at least 1.
    pub hidden: usize,
    /// Whether causes are chosen among those before: `none` takes them all, `bernoulli` learns a probability for each edge.
    pub edges: EdgeMask,
    /// What an edge of `bernoulli` costs in nats per row, at least 0.
    pub edge_penalty: f64,
    /// `bilevel` fits equations of its own to every order, `joint` one set of equations together with the scores.
    pub optimisation: Optimisation,
    /// Steps of one fit of `bilevel`, at least 1.
    pub inner_steps: usize,
    /// Adam's step size for equations, above 0; it falls to 0 within a fit of `bilevel`. Chosen on simulated tables, see the method's
    /// documentation; the program has plain gradient steps of 0.1.
    pub rate: f64,
    /// Adam's step size for the scores, above 0.
    pub theta_rate: f64,
    /// The weight of the squares of equations' parameters, and that of squared scores, at least 0.
    pub l2: f64,
    /// Descents of the scores, each from other small random ones, at least 1; the one that gets lowest counts. The program has 1. That single
    /// descents end at very different objectives was first seen on Sachs; 5 was then compared with 1, and with nothing else, on simulated tables.
    pub starts: usize,
    /// Most steps of the scores in a descent, at least 1.
    pub epochs: usize,
    /// A descent ends when so many steps have not lowered the objective by `tolerance`, at least 1.
    pub patience: usize,
    /// See `patience`, at least 0.
    pub tolerance: f64,
}

/// How scores become a distribution over orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Operator {
    /// Sparsemax over the k best orders.
    TopKSparsemax,
    /// The projection onto the permutahedron.
    Sparsemap,
}

/// How variables follow from their causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Equations {
    /// Weighted sums.
    Linear,
    /// Networks with one hidden layer.
    Nonlinear,
}

/// Which of the variables before another are its causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum EdgeMask {
    /// All.
    None,
    /// Learned probabilities, straight-through.
    Bernoulli,
}

/// What is fitted to what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Optimisation {
    /// Every order has its own equations.
    Bilevel,
    /// All orders share equations.
    Joint,
}

impl Default for DaguerreotypeConfig {
    fn default() -> Self {
        Self {
            operator: Operator::TopKSparsemax,
            k: 100,
            iterations: 100,
            equations: Equations::Nonlinear,
            hidden: 50,
            edges: EdgeMask::None,
            edge_penalty: 1e-3,
            optimisation: Optimisation::Bilevel,
            inner_steps: 200,
            rate: 0.03,
            theta_rate: 0.1,
            l2: 5e-4,
            starts: 5,
            epochs: 5000,
            patience: 100,
            tolerance: 1e-4,
        }
    }
}

impl DaguerreotypeConfig {
    /// The hidden layers of the equations' networks.
    pub fn hidden_layers(&self) -> Vec<usize> {
        match self.equations {
            Equations::Linear => vec![],
            Equations::Nonlinear => vec![self.hidden],
        }
    }

    /// Refuses values outside their range.
    pub fn check(&self) -> Result<()> {
        for (name, value) in [("rate", self.rate), ("theta_rate", self.theta_rate)] {
            positive(name, value, 100.0)?;
        }
        for (name, value) in
            [("edge_penalty", self.edge_penalty), ("l2", self.l2), ("tolerance", self.tolerance)]
        {
            within(name, value, 0.0..=1e6)?;
        }
        for (name, value, range) in [
            ("k", self.k, 2..=100_000),
            ("iterations", self.iterations, 1..=1_000_000),
            ("hidden", self.hidden, 1..=4096),
            ("inner_steps", self.inner_steps, 1..=1_000_000),
            ("starts", self.starts, 1..=10_000),
            ("epochs", self.epochs, 1..=1_000_000),
            ("patience", self.patience, 1..=1_000_000),
        ] {
            within(name, value, range)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_refused() {
        let good = DaguerreotypeConfig::default();
        good.check().unwrap();
        for wrong in [
            DaguerreotypeConfig { k: 1, ..good.clone() },
            DaguerreotypeConfig { iterations: 0, ..good.clone() },
            DaguerreotypeConfig { hidden: 0, ..good.clone() },
            DaguerreotypeConfig { edge_penalty: -1e-3, ..good.clone() },
            DaguerreotypeConfig { inner_steps: 0, ..good.clone() },
            DaguerreotypeConfig { rate: 0.0, ..good.clone() },
            DaguerreotypeConfig { theta_rate: f64::INFINITY, ..good.clone() },
            DaguerreotypeConfig { l2: f64::NAN, ..good.clone() },
            DaguerreotypeConfig { starts: 0, ..good.clone() },
            DaguerreotypeConfig { epochs: 0, ..good.clone() },
            DaguerreotypeConfig { patience: 0, ..good.clone() },
            DaguerreotypeConfig { tolerance: -1.0, ..good },
        ] {
            assert!(wrong.check().unwrap_err().is_input(), "{wrong:?}");
        }
    }
}
