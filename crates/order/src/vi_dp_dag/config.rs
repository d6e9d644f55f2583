//! Settings of VI-DP-DAG.

use oslow_core::{Error, Result, layers, positive, within};
use serde::{Deserialize, Serialize};

/// Settings of both forms of VI-DP-DAG; [`Default`] is what the OSLow paper ran, unless a field says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ViDpDagConfig {
    /// Units of each hidden layer of each variable's network, at least one layer. 16, 16, 16 is the OSLow paper's; the method's own
    /// program has 64, 64, 64.
    pub hidden: Vec<usize>,
    /// Temperature of the smooth permutation behind a drawn one, above 0. 1 is the program's.
    pub temperature: f64,
    /// λ, the weight of the divergence from the prior, at least 0. Squared error and divergence are means, over numbers and over pairs.
    pub prior_weight: f64,
    /// The probability of an edge under the prior, in (0, 1).
    pub prior_edge: f64,
    /// Adam's step size for the networks, above 0.
    pub rate: f64,
    /// Adam's step size for the distribution over graphs, above 0.
    pub dag_rate: f64,
    /// Rows per step, at least 1.
    pub batch: usize,
    /// Share of the rows held out to tell when to stop, in [0.05, 0.5].
    pub validation: f64,
    /// Most passes over the data, at least 1.
    pub epochs: usize,
    /// Passes from one look at the held-out rows to the next, at least 1.
    pub check_every: usize,
    /// Training ends when the first of so many looks was the best of them, at least 2.
    pub patience: usize,
    /// Graphs that are drawn in the end, at least 1; the most frequent one is the answer.
    pub draws: usize,
}

impl Default for ViDpDagConfig {
    fn default() -> Self {
        Self {
            hidden: vec![16; 3],
            temperature: 1.0,
            prior_weight: 0.01,
            prior_edge: 0.01,
            rate: 1e-3,
            dag_rate: 1e-2,
            batch: 64,
            validation: 0.1,
            epochs: 100,
            check_every: 2,
            patience: 10,
            draws: 1000,
        }
    }
}

impl ViDpDagConfig {
    /// Refuses values outside their range.
    pub fn check(&self) -> Result<()> {
        layers("hidden", &self.hidden, 4096)?;
        for (name, value) in
            [("temperature", self.temperature), ("rate", self.rate), ("dag_rate", self.dag_rate)]
        {
            positive(name, value, 1e6)?;
        }
        within("prior_weight", self.prior_weight, 0.0..=1e6)?;
        if !(self.prior_edge > 0.0 && self.prior_edge < 1.0) {
            let given = self.prior_edge;
            return Err(Error::input(format!("prior_edge = {given}: it must be above 0 and below 1")));
        }
        within("validation", self.validation, 0.05..=0.5)?;
        for (name, value, range) in [
            ("batch", self.batch, 1..=100_000_000),
            ("epochs", self.epochs, 1..=1_000_000),
            ("check_every", self.check_every, 1..=1_000_000),
            ("patience", self.patience, 2..=1_000_000),
            ("draws", self.draws, 1..=1_000_000),
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
        let good = ViDpDagConfig::default();
        good.check().unwrap();
        for wrong in [
            ViDpDagConfig { hidden: vec![], ..good.clone() },
            ViDpDagConfig { hidden: vec![16, 0], ..good.clone() },
            ViDpDagConfig { temperature: 0.0, ..good.clone() },
            ViDpDagConfig { rate: -1.0, ..good.clone() },
            ViDpDagConfig { dag_rate: f64::INFINITY, ..good.clone() },
            ViDpDagConfig { prior_weight: -1e-3, ..good.clone() },
            ViDpDagConfig { prior_edge: 1.0, ..good.clone() },
            ViDpDagConfig { prior_edge: f64::NAN, ..good.clone() },
            ViDpDagConfig { batch: 0, ..good.clone() },
            ViDpDagConfig { validation: 0.9, ..good.clone() },
            ViDpDagConfig { epochs: 0, ..good.clone() },
            ViDpDagConfig { check_every: 0, ..good.clone() },
            ViDpDagConfig { patience: 1, ..good.clone() },
            ViDpDagConfig { draws: 0, ..good },
        ] {
            assert!(wrong.check().unwrap_err().is_input(), "{wrong:?}");
        }
    }
}
