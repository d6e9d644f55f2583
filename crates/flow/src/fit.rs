//! Fitting one flow to one known order.

use std::ops::ControlFlow;

use oslow_core::{Error, Event, Ordering, Result, Run, Sample};
use oslow_math::{AdamW, AdamWConfig};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::{Engine, FlowConfig, Layout, Mask};

/// Settings of a fit; [`Default`] is what we recommend for interventions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FitConfig {
    /// The shape of the flow.
    pub flow: FlowConfig,
    /// Most passes over the data.
    pub epochs: usize,
    /// Rows per step.
    pub batch: usize,
    /// AdamW's step size at the start; it falls to a fiftieth along a cosine.
    pub rate: f64,
    /// AdamW's weight decay.
    pub weight_decay: f64,
    /// Share of the rows held out to choose the epoch and to report the likelihood, in [0.05, 0.5].
    pub validation: f64,
}

impl Default for FitConfig {
    fn default() -> Self {
        Self {
            flow: FlowConfig { hidden: vec![32, 32], skip: true, ..FlowConfig::default() },
            epochs: 150,
            batch: 256,
            rate: 2e-3,
            weight_decay: 0.1,
            validation: 0.1,
        }
    }
}

/// A fitted θ and how well it does.
pub(crate) struct Fit {
    pub layout: Layout,
    pub theta: Vec<f32>,
    /// Negative log-likelihood per held-out row.
    pub nll: f64,
    pub interrupted: bool,
}

/// Rows to train on and rows held out, drawn without replacement; at least one of each.
pub fn split_rows(n: usize, share: f64, rng: &mut oslow_core::Rng) -> (Vec<usize>, Vec<usize>) {
    let mut rows: Vec<usize> = (0..n).collect();
    rows.shuffle(rng);
    let held_out = ((n as f64 * share).round() as usize).clamp(1, n - 1);
    let training = rows.split_off(held_out);
    (training, rows)
}

/// The rows of a sample in single precision, one after the other.
pub fn gather(sample: &Sample, rows: &[usize], into: &mut Vec<f32>) {
    into.clear();
    into.extend(rows.iter().flat_map(|&i| sample.row(i).iter().map(|&x| x as f32)));
}

/// The step size at this share of the training: a cosine from `rate` to a fiftieth of it.
pub fn cosine_rate(rate: f64, progress: f64) -> f64 {
    let floor = 0.02;
    rate * (floor + (1.0 - floor) * 0.5 * (1.0 + (std::f64::consts::PI * progress).cos()))
}

/// Maximum likelihood by minibatches; keeps the epoch with the best held-out likelihood.
pub(crate) fn fit(sample: &Sample, order: &Ordering, config: &FitConfig, run: &mut Run<'_>) -> Result<Fit> {
    config.flow.check()?;
    if config.epochs == 0 || config.batch == 0 || !(0.05..=0.5).contains(&config.validation) {
        return Err(Error::input(
            "fit: `epochs` and `batch` must be positive, `validation` within 0.05 and 0.5",
        ));
    }
    let layout = Layout::new(sample.columns(), &config.flow);
    let mut theta: Vec<f32> = layout.initial(&mut run.seed.stream("flow/fit/initial"));
    let masks = [Mask::hard(order, run.knowledge)];
    let (mut training, held_out) =
        split_rows(sample.rows(), config.validation, &mut run.seed.stream("flow/fit/split"));
    let mut engine = Engine::new(&layout);
    let mut adam =
        AdamW::new(layout.len, AdamWConfig { weight_decay: config.weight_decay, ..AdamWConfig::default() });
    let (mut batch, mut validation) = (Vec::new(), Vec::new());
    gather(sample, &held_out, &mut validation);
    let mut gradient = vec![0.0; layout.len];
    let mut best = (f64::INFINITY, theta.clone());
    let mut interrupted = false;
    for epoch in 0..config.epochs {
        training.shuffle(&mut run.seed.indexed("flow/fit/batches", epoch as u64));
        let batches = training.len().div_ceil(config.batch);
        for part in 0..batches {
            // Batches of equal size: none is a remainder of a few noisy rows.
            let rows = &training[training.len() * part / batches..training.len() * (part + 1) / batches];
            gather(sample, rows, &mut batch);
            gradient.fill(0.0);
            engine.gradient(&theta, &batch, &masks, &[1.0], &mut gradient, adam.steps)?;
            let progress = (epoch as f64 + part as f64 / batches as f64) / config.epochs as f64;
            adam.step(&mut theta, &gradient, cosine_rate(config.rate, progress))?;
        }
        let nll = engine.nll(&theta, &validation, &masks)[0];
        if nll < best.0 {
            best = (nll, theta.clone());
        }
        let event = Event::Progress {
            stage: "fitting",
            done: epoch as u64 + 1,
            total: config.epochs as u64,
            loss: Some(best.0),
            best: None,
        };
        if let ControlFlow::Break(()) = run.observer.on_event(&event) {
            interrupted = epoch + 1 < config.epochs;
            break;
        }
    }
    let (nll, theta) = best;
    if !nll.is_finite() {
        return Err(Error::non_finite("the held-out negative log-likelihood", "the end of the fit"));
    }
    Ok(Fit { layout, theta, nll, interrupted })
}
