//! When a phase of training has settled.

use super::config::{OslowConfig, Schedule};

/// Watches the loss of one phase.
pub(super) struct Phase {
    most: usize,
    patience: usize,
    tolerance: f64,
    steps: usize,
    smoothed: f64,
    best: f64,
    since_best: usize,
}

impl Phase {
    pub fn theta(config: &OslowConfig) -> Self {
        Self::new(config, config.theta_steps)
    }

    pub fn gamma(config: &OslowConfig) -> Self {
        Self::new(config, config.gamma_steps)
    }

    fn new(config: &OslowConfig, most: usize) -> Self {
        let most = if config.schedule == Schedule::Alternate { 1 } else { most };
        Self {
            most,
            patience: config.patience,
            tolerance: config.tolerance,
            steps: 0,
            smoothed: f64::INFINITY,
            best: f64::INFINITY,
            since_best: 0,
        }
    }

    /// Whether the phase should go on.
    pub fn goes_on(&self) -> bool {
        self.steps < self.most && self.since_best < self.patience
    }

    /// Takes note of a step's loss.
    pub fn note(&mut self, loss: f64) {
        self.steps += 1;
        self.smoothed = if self.smoothed.is_finite() { 0.7 * self.smoothed + 0.3 * loss } else { loss };
        if self.smoothed < self.best - self.tolerance {
            self.best = self.smoothed;
            self.since_best = 0;
        } else {
            self.since_best += 1;
        }
    }
}

impl OslowConfig {
    /// Pairs of phases: with one-step alternation as many as there would have been θ steps.
    pub(super) fn rounds(&self) -> u64 {
        let each = if self.schedule == Schedule::Alternate { self.theta_steps } else { 1 };
        (self.cycles * each) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(mut phase: Phase, loss: impl Fn(usize) -> f64) -> usize {
        let mut count = 0;
        while phase.goes_on() {
            phase.note(loss(count));
            count += 1;
        }
        count
    }

    #[test]
    fn a_phase_ends_when_it_has_settled_or_is_full() {
        let config = OslowConfig { theta_steps: 50, patience: 5, tolerance: 1e-3, ..OslowConfig::default() };
        assert_eq!(steps(Phase::theta(&config), |k| -(k as f64)), 50);
        assert_eq!(steps(Phase::theta(&config), |_| 1.0), 6);
        let alternate = OslowConfig { schedule: Schedule::Alternate, ..config };
        assert_eq!(steps(Phase::gamma(&alternate), |_| 1.0), 1);
        assert_eq!(alternate.rounds(), 60 * 50);
    }
}
