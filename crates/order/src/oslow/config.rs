//! Settings of OSLow. The paper gives none of these numbers; ours were chosen on simulated data whose seeds
//! appear in no reported table (see `docs/adr/0005-oslow-settings.md`).

use oslow_core::{Result, positive, within};
use oslow_flow::FlowConfig;
use serde::{Deserialize, Serialize};

/// How θ and Γ take turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Each trains until it has settled (paper, "Phase-Changing Training Scheme").
    #[default]
    Phases,
    /// One step each, as Algorithm 1 is written.
    Alternate,
}

/// Which order is the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// The order drawn most often at the end (the paper's rule).
    #[default]
    Mode,
    /// The drawn order with the best likelihood on held-out rows.
    BestValidated,
}

/// What is done with the answer before it is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refine {
    /// Nothing, as in the paper.
    None,
    /// Independent flows are fitted to it and to every order that differs by moving one variable; the best is
    /// taken, until none is better. Not in the paper, and measured better.
    #[default]
    Insertion,
}

/// Settings of OSLow; [`Default`] is what we recommend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OslowConfig {
    /// Draws per step (the paper's k), at least 2.
    pub draws: usize,
    /// Rows per θ step.
    pub batch: usize,
    /// Most rows per Γ step; all training rows if there are fewer.
    pub gamma_batch: usize,
    /// θ steps on uniformly random orders before Γ is touched.
    pub warm_up: usize,
    /// Pairs of phases. Noise falls linearly to 0 over them.
    pub cycles: usize,
    /// Most θ steps in a phase.
    pub theta_steps: usize,
    /// Most Γ steps in a phase.
    pub gamma_steps: usize,
    /// A phase ends early when its smoothed loss has not fallen by `tolerance` for this many steps.
    pub patience: usize,
    /// See `patience`; in nats per row.
    pub tolerance: f64,
    /// How the phases take turns.
    pub schedule: Schedule,
    /// Step size of θ (AdamW); falls to a fiftieth along a cosine.
    pub theta_rate: f64,
    /// Step size of Γ (AdamW).
    pub gamma_rate: f64,
    /// Weight decay of θ.
    pub weight_decay: f64,
    /// Scale of the Gumbel noise at the start.
    pub noise: f64,
    /// Share of the rows held out, in [0.05, 0.5].
    pub validation: f64,
    /// Which order is the answer.
    pub answer: Answer,
    /// What is done with the answer.
    pub refine: Refine,
    /// Steps of each independent fit of the refinement.
    pub refine_steps: usize,
    /// Most moves of the refinement.
    pub refine_rounds: usize,
    /// Tables with more columns than this are not refined: (d − 1)² fits a move take long, and with few rows per
    /// parameter training likelihoods no longer tell orders apart.
    pub refine_nodes: usize,
    /// The shape of the flow.
    pub flow: FlowConfig,
}

/// More steps than anybody will wait for.
const MOST_STEPS: usize = 1_000_000;
/// More rows than any table has for a step.
const MOST_ROWS: usize = 100_000_000;

impl Default for OslowConfig {
    fn default() -> Self {
        Self {
            draws: 10,
            batch: 250,
            gamma_batch: 1000,
            warm_up: 100,
            cycles: 60,
            theta_steps: 20,
            gamma_steps: 5,
            patience: 10,
            tolerance: 1e-3,
            schedule: Schedule::default(),
            theta_rate: 5e-3,
            gamma_rate: 0.03,
            weight_decay: 1e-2,
            noise: 1.0,
            validation: 0.1,
            answer: Answer::default(),
            refine: Refine::default(),
            refine_steps: 500,
            refine_rounds: 5,
            refine_nodes: 8,
            flow: FlowConfig::default(),
        }
    }
}

impl OslowConfig {
    /// Refuses what makes no sense.
    pub(super) fn check(&self) -> Result<()> {
        self.flow.check()?;
        for (name, value, range) in [
            ("draws", self.draws, 2..=10_000),
            ("batch", self.batch, 1..=MOST_ROWS),
            ("gamma_batch", self.gamma_batch, 1..=MOST_ROWS),
            ("warm_up", self.warm_up, 0..=MOST_STEPS),
            ("cycles", self.cycles, 1..=MOST_STEPS),
            ("theta_steps", self.theta_steps, 1..=MOST_STEPS),
            ("gamma_steps", self.gamma_steps, 1..=MOST_STEPS),
            ("patience", self.patience, 0..=MOST_STEPS),
            ("refine_steps", self.refine_steps, 1..=MOST_STEPS),
            ("refine_rounds", self.refine_rounds, 0..=10_000),
            ("refine_nodes", self.refine_nodes, 0..=1000),
        ] {
            within(name, value, range)?;
        }
        positive("theta_rate", self.theta_rate, 100.0)?;
        positive("gamma_rate", self.gamma_rate, 100.0)?;
        positive("noise", self.noise, 1e6)?;
        within("tolerance", self.tolerance, 0.0..=1e6)?;
        within("weight_decay", self.weight_decay, 0.0..=1e6)?;
        within("validation", self.validation, 0.05..=0.5)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let good = OslowConfig::default();
        good.check().unwrap();
        for (wrong, name) in [
            (OslowConfig { draws: 1, ..good.clone() }, "draws = 1"),
            (OslowConfig { cycles: 0, ..good.clone() }, "cycles = 0"),
            (OslowConfig { noise: 0.0, ..good.clone() }, "noise = 0"),
            (OslowConfig { tolerance: -1.0, ..good.clone() }, "tolerance = -1"),
            (OslowConfig { weight_decay: -1.0, ..good.clone() }, "weight_decay = -1"),
            (OslowConfig { weight_decay: f64::NAN, ..good.clone() }, "weight_decay = NaN"),
            (OslowConfig { validation: 0.0, ..good.clone() }, "validation = 0"),
        ] {
            let refusal = wrong.check().unwrap_err().to_string();
            assert!(refusal.starts_with(&format!("{name}: it must be")), "{refusal}");
        }
    }
}
