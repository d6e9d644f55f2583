//! OSLow: one flow models every order; a Boltzmann distribution over orders learns which fits best.
//!
//! # Assumes
//! No hidden common causes, no cycles; location-scale noise, Xᵢ = tᵢ(parents) + sᵢ(parents)·Uᵢ with Uᵢ of the
//! base density.
//!
//! # Model
//! An affine autoregressive flow whose networks are masked by an order π, with parameters θ shared by all
//! orders; ℓ(π; θ) is its negative log-likelihood per row. A matrix Γ parameterises orders: α(π) ∝ exp⟨P_π, σ(Γ)⟩.
//!
//! # Algorithm (Algorithm 1 of the paper, with its phases)
//! Repeat while the noise falls linearly to 0:
//! 1. ε₁ … ε_k ← Gumbel noise; P ← M(σ(Γ) + ε); H ← the distinct ones;
//! 2. L̂(Γ, θ) ← Σ_H α̂(π)·ℓ(π; θ), α̂ the softmax of ⟨P_π, σ(Γ)⟩ over H;
//! 3. a phase of θ steps down ∇_θ L̂, then a phase of Γ steps down ∇_Γ L̂, each until it has settled.
//!
//! The answer is the mode of the last noisy draws, refined by insertions unless `refine = "none"`.
//!
//! # Cost
//! O(steps · |H| · batch · d² · width²), half of it saved by never computing masked blocks.
//!
//! # Departs from the paper
//! A warm-up on random orders; θ and Γ steps draw their own orders and rows; θ's step size falls along a cosine and
//! its gradient is clipped, Γ is not decayed; a part of the rows is held out, so that the best drawn order can be
//! told; the answer is refined by insertions. The paper's straight-through and soft ablations are the same loop with
//! another [`Relaxation`], unrefined.
//!
//! # Reference
//! "Order-based Structure Learning with Normalizing Flows", section 4 and appendix "Algorithm Details".

mod answer;
mod config;
mod forecast;
mod refine;
mod schedule;
mod state;

use std::ops::ControlFlow;

use oslow_core::{
    Capabilities, Event, Forecast, History, Kind, Learned, Learner, Method, Ordering, Prepared, Result, Run,
    Settings, check_stop, configure, configure_from, describe, unless_stopped,
};
use oslow_flow::{Engine, Layout, Mask, cosine_rate, gather, split_rows};
use oslow_perm::{
    Boltzmann, Draw, Feedback, Masking, Relaxation, SoftSinkhorn, StraightThroughSinkhorn, permutation_matrix,
};
use rand::seq::IndexedRandom;

pub use config::{Answer, OslowConfig, Refine, Schedule};
use schedule::Phase;
use state::State;

const ASSUMES: &[&str] = &[
    "no hidden common causes",
    "no cycles",
    "location-scale noise: each variable is a function of its causes plus noise scaled by another",
    "continuous variables, independent rows",
];

/// The paper's method and its two ablations.
pub(crate) const METHODS: &[Method] = &[
    Method {
        name: "oslow",
        kind: Kind::Contestant,
        summary: "masked flows for every order, learned by a Boltzmann distribution over permutations (the paper)",
        assumes: ASSUMES,
        takes: Capabilities::NUMBERS,
        build: |settings| {
            Ok(Box::new(Oslow { config: checked(configure(settings)?)?, relaxation: Boltzmann }))
        },
        resolve: |settings| describe(&configure::<OslowConfig>(settings)?),
    },
    Method {
        name: "oslow-gumbel-sinkhorn",
        kind: Kind::Ablation,
        summary: "ablation: the same flow, orders learned by straight-through Gumbel-Sinkhorn",
        assumes: ASSUMES,
        takes: Capabilities::NUMBERS,
        build: |settings| {
            let relaxation = StraightThroughSinkhorn::default();
            Ok(Box::new(Oslow { config: ablation(settings)?, relaxation }))
        },
        resolve: |settings| describe(&ablation(settings)?),
    },
    Method {
        name: "oslow-soft-sinkhorn",
        kind: Kind::Ablation,
        summary: "ablation that cheats (the paper's appendix): masks are doubly stochastic, so variables see themselves",
        assumes: ASSUMES,
        takes: Capabilities::NUMBERS,
        build: |settings| {
            let relaxation = SoftSinkhorn::default();
            Ok(Box::new(Oslow { config: ablation(settings)?, relaxation }))
        },
        resolve: |settings| describe(&ablation(settings)?),
    },
];

/// Settings within their ranges.
fn checked(config: OslowConfig) -> Result<OslowConfig> {
    config.check().map(|()| config)
}

/// An ablation shows what its relaxation does: nothing mends its answer unless it is asked for.
fn ablation(settings: &Settings) -> Result<OslowConfig> {
    checked(configure_from(&OslowConfig { refine: Refine::None, ..OslowConfig::default() }, settings)?)
}

/// Where the history has the expected loss of the Γ phase.
const GAMMA_LOSS: usize = 3;

/// OSLow with a way to learn orders.
struct Oslow<R> {
    config: OslowConfig,
    relaxation: R,
}

impl<R: Relaxation> Learner for Oslow<R> {
    fn learn(&self, sample: &Prepared, run: &mut Run<'_>) -> Result<Learned> {
        let mut training = Training::new(self, sample, run)?;
        let rounds = self.config.rounds();
        let mut stopped = training.warm_up(run)?;
        while training.state.round < rounds && !stopped {
            let noise = self.config.noise * (1.0 - training.state.round as f64 / rounds as f64);
            // A round that was left goes back to its beginning, so that a resumed run ends as one that was not stopped.
            let before = training.state.clone();
            let round = unless_stopped(|| training.round(noise, run)).transpose()?;
            if round.is_none() {
                training.state = before;
            }
            stopped = training.report(rounds, run)? || round.is_none();
        }
        training.answer(run)
    }

    fn forecast(&self, sample: &Prepared, run: &Run<'_>) -> Option<Forecast> {
        Some(forecast::forecast(&self.config, sample.rows(), sample.columns(), run.threads))
    }
}

/// The data in single precision, the engine and the state: everything that lives during training.
struct Training<'a, R> {
    config: &'a OslowConfig,
    relaxation: &'a R,
    sample: &'a Prepared,
    training_rows: Vec<usize>,
    held_out: Vec<f32>,
    layout: Layout,
    engine: Engine<f32>,
    state: State,
    batch: Vec<f32>,
    gradient: Vec<f32>,
}

impl<'a, R: Relaxation> Training<'a, R> {
    fn new(learner: &'a Oslow<R>, sample: &'a Prepared, run: &mut Run<'_>) -> Result<Self> {
        let config = &learner.config;
        let layout = Layout::new(sample.columns(), &config.flow);
        let (training_rows, validation_rows) =
            split_rows(sample, config.validation, &mut run.seed.stream("order/oslow/split"));
        let mut held_out = Vec::new();
        gather(sample, &validation_rows, &mut held_out);
        let state = match run.checkpoint.load() {
            Some(bytes) => State::from_bytes(&bytes, &layout, config)?,
            None => State::new(&layout, config, run.seed),
        };
        Ok(Self {
            config,
            relaxation: &learner.relaxation,
            sample,
            training_rows,
            held_out,
            engine: Engine::new(&layout),
            gradient: vec![0.0; layout.len],
            layout,
            state,
            batch: Vec::new(),
        })
    }

    /// θ steps on uniformly random orders: no order has a head start. True if the run should stop.
    fn warm_up(&mut self, run: &mut Run<'_>) -> Result<bool> {
        let d = self.layout.d;
        while self.state.warm_steps < self.config.warm_up as u64 {
            let rng = &mut run.seed.indexed("order/oslow/warm-up", self.state.warm_steps);
            let mut orders: Vec<Ordering> = (0..self.config.draws)
                .map(|_| run.knowledge.precedence().project(&Ordering::random(d, rng)))
                .collect();
            orders.sort();
            orders.dedup();
            let masks: Vec<Mask> = orders.iter().map(|order| Mask::hard(order, run.knowledge)).collect();
            let weights = vec![1.0 / masks.len() as f64; masks.len()];
            self.draw_batch(self.config.batch, rng);
            let loss = self.theta_step(&masks, &weights, 0.0)?;
            self.state.warm_steps += 1;
            let event = Event::Progress {
                stage: "warming up",
                done: self.state.warm_steps,
                total: self.config.warm_up as u64,
                loss: Some(loss),
                best: None,
            };
            if run.observer.on_event(&event) == ControlFlow::Break(()) {
                run.checkpoint.save(&self.state.to_bytes(self.config)?)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A phase of θ and a phase of Γ.
    fn round(&mut self, noise: f64, run: &mut Run<'_>) -> Result<()> {
        let theta_loss = self.theta_phase(noise, run)?;
        let (gamma_loss, distinct) = self.gamma_phase(noise, run)?;
        self.end_round([noise, theta_loss, gamma_loss, distinct]);
        Ok(())
    }

    /// Learns θ for the orders that are being drawn; returns the last expected loss.
    fn theta_phase(&mut self, noise: f64, run: &mut Run<'_>) -> Result<f64> {
        let rng = &mut run.seed.indexed("order/oslow/theta", self.state.round);
        let progress = self.state.round as f64 / self.config.rounds() as f64;
        let mut phase = Phase::theta(self.config);
        let mut loss = f64::NAN;
        while phase.goes_on() {
            check_stop();
            let unique = self.draw(noise, run, rng)?;
            let (masks, weights) = (masks(&unique, run), weights(&unique));
            self.draw_batch(self.config.batch, rng);
            loss = self.theta_step(&masks, &weights, progress)?;
            phase.note(loss);
        }
        Ok(loss)
    }

    /// Learns Γ with θ fixed; returns the last expected loss and the number of distinct orders.
    fn gamma_phase(&mut self, noise: f64, run: &mut Run<'_>) -> Result<(f64, f64)> {
        let rng = &mut run.seed.indexed("order/oslow/gamma", self.state.round);
        let mut phase = Phase::gamma(self.config);
        let (mut loss, mut distinct) = (f64::NAN, 0);
        while phase.goes_on() {
            check_stop();
            let unique = self.draw(noise, run, rng)?;
            self.draw_batch(self.config.gamma_batch, rng);
            let feedback = self.try_out(&unique, run)?;
            loss = unique.iter().zip(&feedback).map(|(draw, f)| draw.weight * f.loss).sum();
            distinct = unique.len();
            self.state.remember(&unique);
            if unique.len() > 1 {
                let gradient = self.relaxation.gradient(&self.state.gamma, &unique, &feedback);
                self.state.gamma_adam.step(
                    &mut self.state.gamma.values,
                    &gradient,
                    self.config.gamma_rate,
                )?;
            }
            phase.note(loss);
        }
        Ok((loss, distinct as f64))
    }

    /// H: k draws from M(σ(Γ) + ε), with their weights.
    fn draw(&self, noise: f64, run: &Run<'_>, rng: &mut oslow_core::Rng) -> Result<Vec<Draw>> {
        self.relaxation.draw(&self.state.gamma, noise, self.config.draws, run.knowledge.precedence(), rng)
    }

    /// Fills the batch with training rows, drawn without replacement.
    fn draw_batch(&mut self, rows: usize, rng: &mut oslow_core::Rng) {
        if rows >= self.training_rows.len() {
            gather(self.sample, &self.training_rows, &mut self.batch);
        } else {
            let chosen: Vec<usize> = self.training_rows.sample(rng, rows).copied().collect();
            gather(self.sample, &chosen, &mut self.batch);
        }
    }

    /// One step of θ down the gradient of Σ weights·ℓ on the batch.
    fn theta_step(&mut self, masks: &[Mask], weights: &[f64], progress: f64) -> Result<f64> {
        self.gradient.fill(0.0);
        let step = self.state.theta_adam.steps;
        let evaluation =
            self.engine.gradient(&self.state.theta, &self.batch, masks, weights, &mut self.gradient, step)?;
        let rate = cosine_rate(self.config.theta_rate, progress);
        self.state.theta_adam.step(&mut self.state.theta, &self.gradient, rate)?;
        Ok(evaluation.nll.iter().zip(weights).map(|(nll, weight)| nll * weight).sum())
    }

    /// The loss of each draw on the batch, and what its mask has to say where it is differentiable.
    fn try_out(&mut self, draws: &[Draw], run: &Run<'_>) -> Result<Vec<Feedback>> {
        let masks = masks(draws, run);
        if draws.iter().all(|draw| draw.masking == Masking::Hard) {
            let nll = self.engine.nll(&self.state.theta, &self.batch, &masks);
            return Ok(nll.into_iter().map(|loss| Feedback { loss, d_matrix: None }).collect());
        }
        let masks: Vec<Mask> = masks.into_iter().map(Mask::differentiable).collect();
        let step = self.state.theta_adam.steps;
        let evaluation = self.engine.gradient(
            &self.state.theta,
            &self.batch,
            &masks,
            &weights(draws),
            &mut self.gradient,
            step,
        )?;
        let feedback = |((draw, loss), masks): ((&Draw, &f64), &Option<oslow_flow::MaskGradient>)| {
            let p = match &draw.masking {
                Masking::Soft(p) => p.clone(),
                _ => permutation_matrix(&draw.order),
            };
            let d_matrix = masks.as_ref().map(|g| Mask::pull_back(&p, &g.hidden, &g.output));
            Feedback { loss: *loss, d_matrix }
        };
        Ok(draws.iter().zip(&evaluation.nll).zip(&evaluation.mask_gradients).map(feedback).collect())
    }

    fn end_round(&mut self, [noise, theta_loss, gamma_loss, distinct]: [f64; 4]) {
        self.state.history.push(vec![self.state.round as f64, noise, theta_loss, gamma_loss, distinct]);
        self.state.round += 1;
    }

    /// Tells the observer and saves the state; true if the run should stop.
    fn report(&mut self, rounds: u64, run: &mut Run<'_>) -> Result<bool> {
        let best = run.knowledge.precedence().project(&self.state.gamma.best_order()?);
        let event = Event::Progress {
            stage: "learning the order",
            done: self.state.round,
            total: rounds,
            loss: self.state.history.last().map(|row| row[GAMMA_LOSS]),
            best: Some(&best),
        };
        let stop = run.observer.on_event(&event) == ControlFlow::Break(());
        if stop || self.state.due_for_saving() {
            run.checkpoint.save(&self.state.to_bytes(self.config)?)?;
        }
        Ok(stop)
    }

    fn history(&self) -> History {
        History {
            columns: vec!["round", "noise", "theta_loss", "gamma_loss", "distinct_orders"],
            rows: self.state.history.clone(),
        }
    }
}

fn weights(draws: &[Draw]) -> Vec<f64> {
    draws.iter().map(|draw| draw.weight).collect()
}

/// How the draws mask the flow.
fn masks(draws: &[Draw], run: &Run<'_>) -> Vec<Mask> {
    let mask = |draw: &Draw| match &draw.masking {
        Masking::Hard | Masking::HardDifferentiable => Mask::hard(&draw.order, run.knowledge),
        Masking::Soft(p) => Mask::soft(p, run.knowledge),
    };
    draws.iter().map(mask).collect()
}
