//! Settings of GraN-DAG.

use oslow_core::{Error, Result, layers, positive, within};
use serde::{Deserialize, Serialize};

/// Settings of `gran-dag`; [`Default`] is what its program does, unless a field says otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct GranDagConfig {
    /// What a network says about its variable: its mean (`"additive"`, with one learnt standard deviation a variable), or its mean and its
    /// standard deviation (`"gaussian"`). The program has no default; that of gCastle, a port of it, is the additive model.
    pub model: Model,
    /// Units of each hidden layer of each variable's network, at least one layer.
    pub hidden: Vec<usize>,
    /// RMSprop's step size, above 0.
    pub rate: f64,
    /// Rows per step, at least 1.
    pub batch: usize,
    /// Most steps, at least 1. Training ends earlier, when the graph has no cycle: after 25,000 to 60,000 steps as a rule. gCastle stops
    /// after 10,000 and cuts what cycles are left, which leaves fewer edges, or next to none.
    pub iterations: usize,
    /// Share of the rows held out to tell when training stands still, in [0.05, 0.5].
    pub validation: f64,
    /// Steps from one look at the held-out rows to the next, at least 1.
    pub window: usize,
    /// Training stands still if two looks changed the held-out loss by less than this times `window`, above 0.
    pub stationary: f64,
    /// μ grows tenfold if the cyclicity h is above this share of what it was when training stood still before, in (0, 1).
    pub decrease: f64,
    /// The first μ, above 0.
    pub penalty: f64,
    /// Training ends when the cyclicity h is at most this, above 0.
    pub acyclic: f64,
    /// Edges whose connection falls below this are cut for good, at least 0.
    pub clamp: f64,
    /// Whether each variable's candidate causes are chosen beforehand by regression trees: `"always"`, `"never"`, or `"auto"`: with 50
    /// variables or more. The program leaves it to a flag, gCastle's manual advises it beyond 50 variables. On 12 simulated tables of 6
    /// and 20 variables (seeds from 7000 on) it made no difference that pruning left to see.
    pub preselect: Preselect,
    /// Trees a variable, at least 1.
    pub trees: usize,
    /// Variables whose importance is above this times the mean importance are candidates, at least 0.
    pub importance: f64,
}

/// What a network says about its variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Model {
    /// The mean; standard deviations are parameters of their own.
    Additive,
    /// The mean and the logarithm of the standard deviation.
    Gaussian,
}

/// When candidates are chosen beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Preselect {
    Auto,
    Always,
    Never,
}

/// Variables from which on "auto" chooses candidates.
const MANY: usize = 50;

impl Default for GranDagConfig {
    fn default() -> Self {
        Self {
            model: Model::Additive,
            hidden: vec![10; 2],
            rate: 1e-3,
            batch: 64,
            iterations: 100_000,
            validation: 0.2,
            window: 100,
            stationary: 1e-4,
            decrease: 0.9,
            penalty: 1e-3,
            acyclic: 1e-8,
            clamp: 1e-4,
            preselect: Preselect::Auto,
            trees: 500,
            importance: 0.75,
        }
    }
}

impl GranDagConfig {
    /// Whether candidates are chosen for a table of `d` variables.
    pub fn preselects(&self, d: usize) -> bool {
        match self.preselect {
            Preselect::Auto => d >= MANY,
            Preselect::Always => true,
            Preselect::Never => false,
        }
    }

    /// Refuses values outside their range.
    pub fn check(&self) -> Result<()> {
        layers("hidden", &self.hidden, 4096)?;
        for (name, value) in [
            ("rate", self.rate),
            ("stationary", self.stationary),
            ("penalty", self.penalty),
            ("acyclic", self.acyclic),
        ] {
            positive(name, value, 1e6)?;
        }
        within("clamp", self.clamp, 0.0..=1e6)?;
        within("importance", self.importance, 0.0..=1e6)?;
        if !(self.decrease > 0.0 && self.decrease < 1.0) {
            let given = self.decrease;
            return Err(Error::input(format!("decrease = {given}: it must be above 0 and below 1")));
        }
        within("validation", self.validation, 0.05..=0.5)?;
        for (name, value, most) in [
            ("batch", self.batch, 100_000_000),
            ("iterations", self.iterations, 100_000_000),
            ("window", self.window, 1_000_000),
            ("trees", self.trees, 100_000),
        ] {
            within(name, value, 1..=most)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_refused() {
        let good = GranDagConfig::default();
        good.check().unwrap();
        for wrong in [
            GranDagConfig { hidden: vec![], ..good.clone() },
            GranDagConfig { hidden: vec![10, 0], ..good.clone() },
            GranDagConfig { rate: 0.0, ..good.clone() },
            GranDagConfig { batch: 0, ..good.clone() },
            GranDagConfig { iterations: 0, ..good.clone() },
            GranDagConfig { validation: 0.9, ..good.clone() },
            GranDagConfig { window: 0, ..good.clone() },
            GranDagConfig { stationary: f64::NAN, ..good.clone() },
            GranDagConfig { decrease: 1.0, ..good.clone() },
            GranDagConfig { penalty: -1.0, ..good.clone() },
            GranDagConfig { acyclic: 0.0, ..good.clone() },
            GranDagConfig { clamp: -1e-4, ..good.clone() },
            GranDagConfig { trees: 0, ..good.clone() },
            GranDagConfig { importance: f64::INFINITY, ..good },
        ] {
            assert!(wrong.check().unwrap_err().is_input(), "{wrong:?}");
        }
    }

    #[test]
    fn candidates_are_chosen_where_there_are_many_variables() {
        let with = |preselect| GranDagConfig { preselect, ..GranDagConfig::default() };
        assert!(!with(Preselect::Auto).preselects(49) && with(Preselect::Auto).preselects(50));
        assert!(with(Preselect::Always).preselects(3) && !with(Preselect::Never).preselects(99));
    }
}
