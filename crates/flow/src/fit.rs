//! Fitting one flow to one known order.

use std::ops::ControlFlow;

use oslow_core::{Error, Event, Ordering, Prepared, Result, Run, positive, within};
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

/// A learned base takes steps that are so many times longer. It is made to learn slowly, so that an order is judged by what the networks explain and
/// not by how well the base describes what they have not learned yet; here the order is known.
const BASE_STEPS: f64 = 6.0;

impl FitConfig {
    /// Refuses values outside their range.
    fn check(&self) -> Result<()> {
        self.flow.check()?;
        within("epochs", self.epochs, 1..=1_000_000)?;
        within("batch", self.batch, 1..=100_000_000)?;
        positive("rate", self.rate, 100.0)?;
        within("weight_decay", self.weight_decay, 0.0..=1e6)?;
        within("validation", self.validation, 0.05..=0.5)?;
        Ok(())
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

/// Rows to train on and rows held out, drawn without replacement; at least one of each. Copies of a row
/// ([`Prepared::groups`]) are on one side.
pub fn split_rows(sample: &Prepared, share: f64, rng: &mut oslow_core::Rng) -> (Vec<usize>, Vec<usize>) {
    let n = sample.rows();
    let mut rows: Vec<usize> = (0..n).collect();
    rows.shuffle(rng);
    let mut held_out = ((n as f64 * share).round() as usize).clamp(1, n - 1);
    if let Some(groups) = sample.groups() {
        let mut first = std::collections::HashMap::new();
        for (place, &row) in rows.iter().enumerate() {
            first.entry(groups[row]).or_insert(place);
        }
        // Copies move to where the first of them stands, and the cut to the next place between two groups.
        rows.sort_by_key(|&row| first[&groups[row]]);
        let between = |cut: &usize| groups[rows[cut - 1]] != groups[rows[*cut]];
        held_out =
            (held_out..n).find(between).or_else(|| (1..held_out).rev().find(between)).unwrap_or(held_out);
    }
    let training = rows.split_off(held_out);
    (training, rows)
}

/// Rows in the units of the run and in single precision, one after the other.
pub fn gather(sample: &Prepared, rows: &[usize], into: &mut Vec<f32>) {
    into.clear();
    let columns: Vec<&[f64]> = (0..sample.columns()).map(|j| sample.column(j)).collect();
    into.extend(rows.iter().flat_map(|&i| columns.iter().map(move |column| column[i] as f32)));
}

/// The step size at this share of the training: a cosine from `rate` to a fiftieth of it.
pub fn cosine_rate(rate: f64, progress: f64) -> f64 {
    let floor = 0.02;
    rate * (floor + (1.0 - floor) * 0.5 * (1.0 + (std::f64::consts::PI * progress).cos()))
}

/// Maximum likelihood by minibatches; keeps the epoch with the best held-out likelihood.
pub(crate) fn fit(sample: &Prepared, order: &Ordering, config: &FitConfig, run: &mut Run<'_>) -> Result<Fit> {
    config.check()?;
    let layout = Layout::new(sample.columns(), &config.flow);
    let mut theta: Vec<f32> = layout.initial(&mut run.seed.stream("flow/fit/initial"));
    let masks = [Mask::hard(order, run.knowledge)];
    let (mut training, held_out) =
        split_rows(sample, config.validation, &mut run.seed.stream("flow/fit/split"));
    let mut engine = Engine::new(&layout);
    let decay = AdamWConfig { weight_decay: config.weight_decay, ..AdamWConfig::default() };
    let networks = layout.base.start;
    let (mut adam, mut base_adam) = (AdamW::new(networks, decay), AdamW::new(layout.base.len(), decay));
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
            let rate = cosine_rate(config.rate, progress);
            adam.step(&mut theta[..networks], &gradient[..networks], rate)?;
            base_adam.step(&mut theta[networks..], &gradient[networks..], BASE_STEPS * rate)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Preparing, Sample, Seed};

    fn sample(rows: u32) -> Sample {
        let values = (0..rows).flat_map(|i| [f64::from(i), f64::from(i * i)]).collect();
        Sample::new(vec!["a".into(), "b".into()], values).unwrap()
    }

    fn prepared(sample: &Sample) -> Prepared {
        Prepared::new(sample, Preparing::as_given()).unwrap()
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let good = FitConfig::default();
        for (wrong, name) in [
            (FitConfig { epochs: 0, ..good.clone() }, "epochs = 0"),
            (FitConfig { rate: f64::NAN, ..good.clone() }, "rate = NaN"),
            (FitConfig { weight_decay: -1.0, ..good.clone() }, "weight_decay = -1"),
            (FitConfig { validation: 0.9, ..good.clone() }, "validation = 0.9"),
        ] {
            let refusal = wrong.check().unwrap_err().to_string();
            assert!(refusal.starts_with(&format!("{name}: it must be")), "{refusal}");
        }
        good.check().unwrap();
    }

    #[test]
    fn a_tenth_is_held_out_and_copies_stay_together() {
        let whole = sample(200);
        let (training, held_out) = split_rows(&prepared(&whole), 0.1, &mut Seed(0).stream("split"));
        assert_eq!((training.len(), held_out.len()), (180, 20));
        for seed in 0..20 {
            let drawn = prepared(&whole.resample(&mut Seed(seed).stream("draw")).unwrap());
            let groups = drawn.groups().unwrap();
            let (training, held_out) = split_rows(&drawn, 0.1, &mut Seed(seed).stream("split"));
            assert_eq!(training.len() + held_out.len(), 200);
            assert!((20..30).contains(&held_out.len()), "{}", held_out.len());
            assert!(training.iter().all(|&i| held_out.iter().all(|&j| groups[i] != groups[j])));
        }
    }

    #[test]
    fn there_is_always_a_row_on_each_side() {
        for seed in 0..50 {
            let drawn = sample(3).resample(&mut Seed(seed).stream("draw")).unwrap();
            // Three copies of one row are no table to learn from.
            let Ok(drawn) = Prepared::new(&drawn, Preparing::as_given()) else { continue };
            let (training, held_out) = split_rows(&drawn, 0.5, &mut Seed(seed).stream("split"));
            assert!(!training.is_empty() && !held_out.is_empty());
        }
    }
}
