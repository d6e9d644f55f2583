//! The descent of the scores.

use std::ops::ControlFlow;

use oslow_core::{Error, Event, History, Ordering, Precedence, Result, Rng, Run, unless_stopped};
use oslow_math::{AdamW, AdamWConfig};
use oslow_perm::{SparseOrders, sparse_map, top_k_sparsemax};
use rand::RngExt;

use super::config::{DaguerreotypeConfig, Operator};
use super::table::Losses;

/// Scores start within ± this: at 0 all orders are equally good, and the columns' own order would decide which ones are looked at.
const START: f64 = 1e-3;

/// Descents from several starts, and what they found.
pub(super) struct Search<'a> {
    config: &'a DaguerreotypeConfig,
    precedence: &'a Precedence,
    /// The lowest objective of all descents, and the order by ascending scores there.
    pub best: (f64, Ordering),
    /// The lowest loss of all orders that were looked at.
    pub lowest: (f64, Ordering),
    pub history: History,
    pub interrupted: bool,
}

impl<'a> Search<'a> {
    /// Before the first descent; the answer would be a random order.
    pub fn new(config: &'a DaguerreotypeConfig, precedence: &'a Precedence, d: usize, rng: &mut Rng) -> Self {
        let any = (f64::INFINITY, sorted(&start(d, rng), precedence));
        Self {
            config,
            precedence,
            best: any.clone(),
            lowest: any,
            history: History { columns: vec!["start", "epoch", "objective", "orders"], rows: Vec::new() },
            interrupted: false,
        }
    }

    /// Steps of Adam from small random scores until `patience` of them bring nothing more, or somebody says stop.
    pub fn descend(
        &mut self,
        index: usize,
        equations: &mut dyn Losses,
        rng: &mut Rng,
        run: &mut Run<'_>,
    ) -> Result<()> {
        let DaguerreotypeConfig { l2, theta_rate, epochs, patience, .. } = *self.config;
        let mut theta = start(self.best.1.len(), rng);
        let mut adam = AdamW::new(theta.len(), AdamWConfig::plain());
        let mut wait = Wait { mark: f64::INFINITY, steps: 0 };
        for epoch in 1..=epochs {
            let mixture = self.distribution(&theta)?;
            let in_time = || equations.losses(&mixture.orders, &mixture.weights);
            let Some(losses) = unless_stopped(in_time).transpose()? else {
                self.interrupted = true;
                break;
            };
            let mean: f64 = losses.iter().zip(&mixture.weights).map(|(loss, weight)| loss * weight).sum();
            let objective = mean + l2 * theta.iter().map(|t| t * t).sum::<f64>();
            if !objective.is_finite() {
                return Err(Error::non_finite("the loss", format!("step {epoch} of the scores")));
            }
            wait.look(objective, self.config.tolerance);
            if objective < self.best.0 {
                self.best = (objective, sorted(&theta, self.precedence));
                equations.remember();
            }
            self.look_at(&mixture.orders, &losses);
            self.history.rows.push(vec![index as f64, epoch as f64, objective, losses.len() as f64]);
            let ended = wait.steps >= patience || epoch == epochs;
            let last = ended && index + 1 == self.config.starts;
            if self.tell(index, epoch, mean, run).is_break() && !last {
                self.interrupted = true;
            }
            if ended || self.interrupted {
                break;
            }
            let mut gradient = mixture.pull_back(&losses);
            gradient.iter_mut().zip(&theta).for_each(|(slope, t)| *slope += 2.0 * l2 * t);
            adam.step(&mut theta, &gradient, theta_rate)?;
        }
        Ok(())
    }

    /// Orders and weights from scores.
    fn distribution(&self, theta: &[f64]) -> Result<SparseOrders> {
        match self.config.operator {
            Operator::TopKSparsemax => Ok(top_k_sparsemax(theta, self.config.k, self.precedence)),
            Operator::Sparsemap => sparse_map(theta, self.config.iterations, self.precedence)
                .ok_or_else(|| Error::non_finite("the projection of the scores", "SparseMAP")),
        }
    }

    fn look_at(&mut self, orders: &[Ordering], losses: &[f64]) {
        for (loss, order) in losses.iter().zip(orders) {
            if *loss < self.lowest.0 {
                self.lowest = (*loss, order.clone());
            }
        }
    }

    fn tell(&self, index: usize, epoch: usize, loss: f64, run: &mut Run<'_>) -> ControlFlow<()> {
        let DaguerreotypeConfig { starts, epochs, .. } = *self.config;
        run.observer.on_event(&Event::Progress {
            stage: "learning the order",
            done: (index * epochs + epoch) as u64,
            total: (starts * epochs) as u64,
            loss: Some(loss),
            best: Some(&self.lowest.1),
        })
    }
}

/// How long nothing has happened.
struct Wait {
    /// The objective when it last fell by more than the tolerance.
    mark: f64,
    /// Steps since then.
    steps: usize,
}

impl Wait {
    fn look(&mut self, objective: f64, tolerance: f64) {
        self.steps += 1;
        if objective < self.mark - tolerance {
            *self = Self { mark: objective, steps: 0 };
        }
    }
}

fn start(d: usize, rng: &mut Rng) -> Vec<f64> {
    (0..d).map(|_| rng.random_range(-START..START)).collect()
}

/// The admitted order by ascending scores.
fn sorted(theta: &[f64], precedence: &Precedence) -> Ordering {
    precedence.sort(theta).expect("knowledge is acyclic by construction")
}
