//! Insertion refinement: independent flows for the answer and its neighbours. It leaves the paper.
//!
//! The relaxation can settle on an order with one variable sent to the wrong end; orders that differ by moving
//! one variable are then better, and fitting each on its own shows it. All fits start from the same θ and see
//! the same batches, so that their likelihoods differ by the order alone. They are compared on the training
//! rows: with the tenth that is held out the comparison was too noisy and made orders worse.

use std::collections::HashMap;
use std::ops::ControlFlow;

use oslow_core::{Event, Ordering, Result, Run, Sample};
use oslow_flow::{Engine, FlowConfig, Layout, Mask, cosine_rate, gather};
use oslow_math::{AdamW, AdamWConfig};
use rand::seq::IndexedRandom;
use rayon::prelude::*;

use super::config::OslowConfig;

/// A refined order.
pub(super) struct Refined {
    pub order: Ordering,
    /// Negative log-likelihood per held-out row.
    pub nll: f64,
    /// The flow fitted to it.
    pub layout: Layout,
    pub theta: Vec<f32>,
}

/// Moves to the best insertion neighbour until none is better.
pub(super) fn refine(
    config: &OslowConfig,
    sample: &Sample,
    training: &[usize],
    held_out: &[f32],
    start: &Ordering,
    run: &mut Run<'_>,
) -> Result<Refined> {
    let fitter = Fitter {
        config,
        layout: Layout::new(sample.columns(), &FlowConfig { skip: true, ..config.flow.clone() }),
        sample,
        training,
        run_seed: run.seed,
        knowledge: run.knowledge,
    };
    let mut known: HashMap<Ordering, (f64, Vec<f32>)> = HashMap::new();
    let mut current = start.clone();
    for round in 0.. {
        let mut orders = neighbours(&current);
        orders.retain(|order| run.knowledge.precedence().admits(order) && !known.contains_key(order));
        let fits: Vec<(f64, Vec<f32>)> =
            orders.par_iter().map(|order| fitter.fit(order)).collect::<Result<_>>()?;
        known.extend(orders.into_iter().zip(fits));
        let better = neighbours(&current)
            .into_iter()
            .filter_map(|order| known.get(&order).map(|fit| (fit.0, order)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let event = Event::Progress {
            stage: "refining by insertions",
            done: round,
            total: round + 1,
            loss: better.as_ref().map(|(nll, _)| *nll),
            best: Some(&current),
        };
        let stop = run.observer.on_event(&event) == ControlFlow::Break(());
        match better {
            Some((_, order)) if order != current && !stop => current = order,
            _ => break,
        }
    }
    let theta = match known.remove(&current) {
        Some((_, theta)) => theta,
        None => fitter.fit(&current)?.1,
    };
    let mask = [Mask::hard(&current, run.knowledge)];
    let nll = Engine::new(&fitter.layout).nll(&theta, held_out, &mask)[0];
    Ok(Refined { order: current, nll, layout: fitter.layout, theta })
}

/// The order itself and every order that differs by moving one variable, each once.
fn neighbours(order: &Ordering) -> Vec<Ordering> {
    let d = order.len();
    let mut all: Vec<Ordering> =
        (0..d * d).map(|k| order.insertion(k / d, k % d)).filter(|o| o != order).collect();
    all.sort();
    all.dedup();
    all.insert(0, order.clone());
    all
}

/// Fits single orders, all in the same way.
struct Fitter<'a> {
    config: &'a OslowConfig,
    layout: Layout,
    sample: &'a Sample,
    training: &'a [usize],
    run_seed: oslow_core::Seed,
    knowledge: &'a oslow_core::Knowledge,
}

impl Fitter<'_> {
    /// The negative log-likelihood per training row and the parameters of a flow for one order.
    fn fit(&self, order: &Ordering) -> Result<(f64, Vec<f32>)> {
        let masks = [Mask::hard(order, self.knowledge)];
        let mut engine = Engine::new(&self.layout);
        let mut theta: Vec<f32> = self.layout.initial(&mut self.run_seed.stream("order/oslow/refine/initial"));
        let decay = AdamWConfig { weight_decay: self.config.weight_decay, ..AdamWConfig::default() };
        let mut adam = AdamW::new(self.layout.len, decay);
        let rng = &mut self.run_seed.stream("order/oslow/refine/batches");
        let (mut batch, mut gradient) = (Vec::new(), vec![0.0; self.layout.len]);
        for step in 0..self.config.refine_steps {
            let rows: Vec<usize> = self.training.sample(rng, self.config.batch).copied().collect();
            gather(self.sample, &rows, &mut batch);
            gradient.fill(0.0);
            engine.gradient(&theta, &batch, &masks, &[1.0], &mut gradient, step as u64)?;
            let progress = step as f64 / self.config.refine_steps as f64;
            adam.step(&mut theta, &gradient, cosine_rate(self.config.theta_rate, progress))?;
        }
        gather(self.sample, self.training, &mut batch);
        Ok((engine.nll(&theta, &batch, &masks)[0], theta))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_has_d_minus_1_squared_insertion_neighbours() {
        assert_eq!(neighbours(&Ordering::identity(5)).len(), 16 + 1);
    }
}
