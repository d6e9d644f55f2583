//! From the learned distribution to an order.

use oslow_core::{Evidence, Learned, OrderAlternative, Ordering, Result, Run, unless_stopped};
use oslow_flow::{FittedFlow, Mask};
use oslow_perm::{Relaxation, mode};

use super::config::{Answer, Refine};
use super::refine::refine;
use super::{GAMMA_LOSS, Training};

impl<R: Relaxation> Training<'_, R> {
    /// The mode of the last noisy draws, the best validated candidate, and what refinement makes of the chosen.
    pub(super) fn answer(mut self, run: &mut Run<'_>) -> Result<Learned> {
        let rounds = self.config.rounds();
        let mut interrupted = self.state.round < rounds;
        let left = (rounds - self.state.round).max(1);
        let noise = self.config.noise * left as f64 / rounds as f64;
        let rng = &mut run.seed.stream("order/oslow/answer");
        let by_mode = self.most_frequent(noise, run, rng)?;
        let mut candidates = self.state.candidates.clone();
        candidates.retain(|order| *order != by_mode);
        candidates.push(by_mode.clone());
        let nll = self.validate(&candidates, run);
        let mode_nll = nll[nll.len() - 1];
        let (best, best_nll) = candidates
            .iter()
            .zip(&nll)
            .min_by(|a, b| a.1.total_cmp(b.1))
            .map_or((by_mode.clone(), mode_nll), |(order, nll)| (order.clone(), *nll));
        let mut alternatives = vec![
            OrderAlternative { rule: "mode", order: by_mode.clone(), nll: finite(mode_nll) },
            OrderAlternative { rule: "best-validated", order: best.clone(), nll: finite(best_nll) },
        ];
        let (mut order, mut nll) = match self.config.answer {
            Answer::Mode => (by_mode, mode_nll),
            Answer::BestValidated => (best, best_nll),
        };
        let mut theta = std::mem::take(&mut self.state.theta);
        let refining = self.config.refine == Refine::Insertion && self.layout.d <= self.config.refine_nodes;
        if refining && !interrupted {
            let in_time =
                || refine(self.config, self.sample, &self.training_rows, &self.held_out, &order, run);
            match unless_stopped(in_time).transpose()? {
                Some(refined) => {
                    alternatives.push(OrderAlternative {
                        rule: "insertion",
                        order: refined.order.clone(),
                        nll: finite(refined.nll),
                    });
                    interrupted = refined.interrupted;
                    (order, nll) = (refined.order, refined.nll);
                    (self.layout, theta) = (refined.layout, refined.theta);
                }
                None => interrupted = true,
            }
        }
        let history = self.history();
        let objective = self.state.history.last().map(|row| row[GAMMA_LOSS]).and_then(finite);
        let model = FittedFlow::new(self.layout, theta, order.clone(), run.knowledge.clone(), self.sample);
        Ok(Learned {
            order: Some(order),
            nll: finite(nll),
            evidence: Evidence { objective, alternatives, ..Evidence::default() },
            model: Some(Box::new(model)),
            history: Some(history),
            interrupted,
            ..Learned::default()
        })
    }

    /// The most frequent of many draws.
    fn most_frequent(&self, noise: f64, run: &Run<'_>, rng: &mut oslow_core::Rng) -> Result<Ordering> {
        let precedence = run.knowledge.precedence();
        let k = self.config.draws.max(20);
        let draws = oslow_perm::Boltzmann.draw(&self.state.gamma, noise, k, precedence, rng)?;
        match mode(&draws) {
            Some(draw) => Ok(draw.order.clone()),
            None => Ok(precedence.project(&self.state.gamma.best_order()?)),
        }
    }

    /// Negative log-likelihood per held-out row of each order under the shared flow.
    fn validate(&mut self, orders: &[Ordering], run: &Run<'_>) -> Vec<f64> {
        let masks: Vec<Mask> = orders.iter().map(|order| Mask::hard(order, run.knowledge)).collect();
        let nll = self.engine.nll(&self.state.theta, &self.held_out, &masks);
        // An order under which the flow fails is the worst, whatever the sign of its NaN.
        nll.into_iter().map(|nll| if nll.is_finite() { nll } else { f64::INFINITY }).collect()
    }
}

/// A likelihood that can be reported.
fn finite(nll: f64) -> Option<f64> {
    nll.is_finite().then_some(nll)
}
