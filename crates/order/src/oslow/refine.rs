//! Insertion refinement: independent flows for the answer and its neighbours. It leaves the paper.
//!
//! The relaxation can settle on an order with one variable sent to the wrong end; orders that differ by moving
//! one variable are then better, and fitting each on its own shows it. All fits start from the same θ and see
//! the same batches, so that their likelihoods differ by the order alone. They are compared on the training
//! rows: with the tenth that is held out the comparison was too noisy and made orders worse.

use std::collections::HashSet;
use std::ops::ControlFlow;

use oslow_core::{Event, Knowledge, Ordering, Prepared, Result, Run, Seed, check_stop, unless_stopped};
use oslow_flow::{Engine, FlowConfig, Layout, Mask, cosine_rate, gather};
use oslow_math::{AdamW, AdamWConfig};
use rand::seq::IndexedRandom;
use rayon::prelude::*;

use super::config::OslowConfig;

/// Of the neighbours only the most promising are fitted to the end: this share of the steps decides …
pub(super) const TRIAL: f64 = 0.25;
/// … and this share of them goes on (the order itself always does).
pub(super) const PROMISING: f64 = 1.0 / 3.0;

/// A refined order.
pub(super) struct Refined {
    pub order: Ordering,
    /// Negative log-likelihood per held-out row.
    pub nll: f64,
    /// The flow fitted to it.
    pub layout: Layout,
    pub theta: Vec<f32>,
    /// Whether it was told to stop before it had settled.
    pub interrupted: bool,
}

/// Moves to the best insertion neighbour until none is better, at most `refine_rounds` times.
pub(super) fn refine(
    config: &OslowConfig,
    sample: &Prepared,
    training: &[usize],
    held_out: &[f32],
    start: &Ordering,
    run: &mut Run<'_>,
) -> Result<Refined> {
    let layout = Layout::new(sample.columns(), &FlowConfig { skip: true, ..config.flow.clone() });
    let fitter = Fitter { config, layout, sample, training, seed: run.seed, knowledge: run.knowledge };
    let mut current = fitter.fresh(start);
    current.run_to(config.refine_steps, &fitter)?;
    let mut tried = HashSet::from([start.clone()]);
    let rounds = config.refine_rounds as u64;
    let mut interrupted = false;
    for round in 0..rounds {
        let mut orders = neighbours(&current.order);
        orders.retain(|order| run.knowledge.precedence().admits(order) && tried.insert(order.clone()));
        let Some(best) = unless_stopped(|| fitter.best_of(&orders)).transpose()? else {
            interrupted = true;
            break;
        };
        let best = best.filter(|fit| fit.nll < current.nll);
        let settled = best.is_none();
        current = best.unwrap_or(current);
        let event = Event::Progress {
            stage: "refining by insertions",
            done: round + 1,
            total: rounds,
            loss: Some(current.nll),
            best: Some(&current.order),
        };
        let stop = run.observer.on_event(&event) == ControlFlow::Break(());
        interrupted = stop && !settled;
        if stop || settled {
            break;
        }
    }
    let mask = [Mask::hard(&current.order, run.knowledge)];
    let nll = Engine::new(&fitter.layout).nll(&current.theta, held_out, &mask)[0];
    Ok(Refined { order: current.order, nll, layout: fitter.layout, theta: current.theta, interrupted })
}

/// Every order that differs by moving one variable, each once.
fn neighbours(order: &Ordering) -> Vec<Ordering> {
    let d = order.len();
    let mut all: Vec<Ordering> =
        (0..d * d).map(|k| order.insertion(k / d, k % d)).filter(|other| other != order).collect();
    all.sort();
    all.dedup();
    all
}

/// Fits single orders, all in the same way.
struct Fitter<'a> {
    config: &'a OslowConfig,
    layout: Layout,
    sample: &'a Prepared,
    training: &'a [usize],
    seed: Seed,
    knowledge: &'a Knowledge,
}

/// A fit under way.
struct Fit {
    order: Ordering,
    theta: Vec<f32>,
    adam: AdamW<f32>,
    /// Negative log-likelihood per training row.
    nll: f64,
}

impl Fitter<'_> {
    fn fresh(&self, order: &Ordering) -> Fit {
        let decay = AdamWConfig { weight_decay: self.config.weight_decay, ..AdamWConfig::default() };
        Fit {
            order: order.clone(),
            theta: self.layout.initial(&mut self.seed.stream("order/oslow/refine/initial")),
            adam: AdamW::new(self.layout.len, decay),
            nll: f64::INFINITY,
        }
    }

    /// The best of the orders; only the promising ones are fitted to the end.
    fn best_of(&self, orders: &[Ordering]) -> Result<Option<Fit>> {
        let steps = self.config.refine_steps;
        let trial = (steps as f64 * TRIAL).ceil() as usize;
        let run = |mut fit: Fit, to: usize| fit.run_to(to, self).map(|()| fit);
        let mut fits: Vec<Fit> =
            orders.par_iter().map(|order| run(self.fresh(order), trial)).collect::<Result<_>>()?;
        fits.sort_by(|a, b| a.nll.total_cmp(&b.nll));
        fits.truncate((orders.len() as f64 * PROMISING).ceil() as usize);
        let fits: Vec<Fit> = fits.into_par_iter().map(|fit| run(fit, steps)).collect::<Result<_>>()?;
        Ok(fits.into_iter().min_by(|a, b| a.nll.total_cmp(&b.nll)))
    }
}

impl Fit {
    /// Trains up to this step. Batches depend on the step alone, so that all orders see the same.
    fn run_to(&mut self, steps: usize, fitter: &Fitter<'_>) -> Result<()> {
        let Fitter { config, sample, training, .. } = fitter;
        let masks = [Mask::hard(&self.order, fitter.knowledge)];
        let mut engine = Engine::new(&fitter.layout);
        let (mut batch, mut gradient) = (Vec::new(), vec![0.0; fitter.layout.len]);
        for step in self.adam.steps..steps as u64 {
            check_stop();
            let rng = &mut fitter.seed.indexed("order/oslow/refine/batches", step);
            let rows: Vec<usize> = training.sample(rng, config.batch).copied().collect();
            gather(sample, &rows, &mut batch);
            gradient.fill(0.0);
            engine.gradient(&self.theta, &batch, &masks, &[1.0], &mut gradient, step)?;
            let progress = step as f64 / config.refine_steps as f64;
            self.adam.step(&mut self.theta, &gradient, cosine_rate(config.theta_rate, progress))?;
        }
        gather(sample, training, &mut batch);
        let nll = engine.nll(&self.theta, &batch, &masks)[0];
        self.nll = if nll.is_finite() { nll } else { f64::INFINITY };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_has_d_minus_1_squared_insertion_neighbours() {
        assert_eq!(neighbours(&Ordering::identity(5)).len(), 16);
    }
}
