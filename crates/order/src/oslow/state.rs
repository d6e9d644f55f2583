//! Everything that changes during training, and how it is kept across an interruption.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use oslow_core::{Choice, Error, Ordering, Remedy, Result, Seed};
use oslow_flow::Layout;
use oslow_math::{AdamW, AdamWConfig};
use oslow_perm::{Draw, Gamma};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use super::config::OslowConfig;

/// How many of the orders drawn last are remembered as candidates.
const CANDIDATES: usize = 200;
/// The least time between two saves.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// The state of training.
#[derive(Clone)]
pub(super) struct State {
    pub theta: Vec<f32>,
    pub theta_adam: AdamW<f32>,
    pub gamma: Gamma,
    pub gamma_adam: AdamW<f64>,
    pub warm_steps: u64,
    pub round: u64,
    /// Distinct orders, the last drawn last.
    pub candidates: Vec<Ordering>,
    pub history: Vec<Vec<f64>>,
    saved: Instant,
}

/// The parts that are not long vectors.
#[derive(Serialize, Deserialize)]
struct Small {
    config: OslowConfig,
    theta_steps: u64,
    gamma_steps: u64,
    warm_steps: u64,
    round: u64,
    candidates: Vec<Vec<usize>>,
    history: Vec<Vec<f64>>,
}

impl State {
    pub fn new(layout: &Layout, config: &OslowConfig, seed: Seed) -> Self {
        let d = layout.d;
        let adam = AdamWConfig { weight_decay: config.weight_decay, ..AdamWConfig::default() };
        Self {
            theta: layout.initial(&mut seed.stream("order/oslow/initial")),
            theta_adam: AdamW::new(layout.len, adam),
            gamma: Gamma::flat(d),
            // Γ is not decayed: a belief should not fade because it is old.
            gamma_adam: AdamW::new(d * d, AdamWConfig { weight_decay: 0.0, ..AdamWConfig::default() }),
            warm_steps: 0,
            round: 0,
            candidates: Vec::new(),
            history: Vec::new(),
            saved: Instant::now(),
        }
    }

    /// Notes the orders that were drawn; old ones are forgotten.
    pub fn remember(&mut self, draws: &[Draw]) {
        for draw in draws {
            self.candidates.retain(|order| *order != draw.order);
            self.candidates.push(draw.order.clone());
        }
        let excess = self.candidates.len().saturating_sub(CANDIDATES);
        self.candidates.drain(..excess);
    }

    pub fn due_for_saving(&mut self) -> bool {
        let due = self.saved.elapsed() >= SAVE_EVERY;
        if due {
            self.saved = Instant::now();
        }
        due
    }

    pub fn to_bytes(&self, config: &OslowConfig) -> Result<Vec<u8>> {
        let small = Small {
            config: config.clone(),
            theta_steps: self.theta_adam.steps,
            gamma_steps: self.gamma_adam.steps,
            warm_steps: self.warm_steps,
            round: self.round,
            candidates: self.candidates.iter().map(|order| order.nodes().to_vec()).collect(),
            history: self.history.clone(),
        };
        let text = serde_json::to_string(&small).map_err(unwritable)?;
        let singles =
            [("theta", &self.theta), ("first", &self.theta_adam.first), ("second", &self.theta_adam.second)];
        let doubles = [
            ("gamma", &self.gamma.values),
            ("gamma_first", &self.gamma_adam.first),
            ("gamma_second", &self.gamma_adam.second),
        ];
        let singles: Vec<(&str, Vec<u8>)> =
            singles.map(|(name, v)| (name, v.iter().flat_map(|x| x.to_le_bytes()).collect())).into();
        let doubles: Vec<(&str, Vec<u8>)> =
            doubles.map(|(name, v)| (name, v.iter().flat_map(|x| x.to_le_bytes()).collect())).into();
        let mut tensors = Vec::new();
        for (name, bytes) in &singles {
            tensors.push((
                *name,
                TensorView::new(Dtype::F32, vec![bytes.len() / 4], bytes).map_err(unwritable)?,
            ));
        }
        for (name, bytes) in &doubles {
            tensors.push((
                *name,
                TensorView::new(Dtype::F64, vec![bytes.len() / 8], bytes).map_err(unwritable)?,
            ));
        }
        safetensors::serialize(tensors, Some(HashMap::from([("oslow".to_string(), text)])))
            .map_err(unwritable)
    }

    /// Takes up where a saved state left off; refuses one that was made with other settings.
    pub fn from_bytes(bytes: &[u8], layout: &Layout, config: &OslowConfig) -> Result<Self> {
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(broken)?;
        let text =
            metadata.metadata().as_ref().and_then(|m| m.get("oslow")).ok_or_else(|| broken("no text"))?;
        let small: Small = serde_json::from_str(text).map_err(broken)?;
        if small.config != *config {
            return Err(Error::input("the interrupted run was made with other settings").with_hint(
                Remedy::from("use the same settings, or start over with ")
                    .and(Choice::Force)
                    .and(" in place of ")
                    .and(Choice::Resume),
            ));
        }
        let tensors = SafeTensors::deserialize(bytes).map_err(broken)?;
        let read = |name: &str| tensors.tensor(name).map(|t| t.data().to_vec()).map_err(broken);
        let singles = |name: &str| -> Result<Vec<f32>> {
            Ok(read(name)?.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect())
        };
        let doubles = |name: &str| -> Result<Vec<f64>> {
            Ok(read(name)?.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect())
        };
        let mut state = Self::new(layout, config, Seed(0));
        (state.theta, state.theta_adam.first, state.theta_adam.second) =
            (singles("theta")?, singles("first")?, singles("second")?);
        (state.gamma.values, state.gamma_adam.first, state.gamma_adam.second) =
            (doubles("gamma")?, doubles("gamma_first")?, doubles("gamma_second")?);
        if state.theta.len() != layout.len || state.gamma.values.len() != layout.d * layout.d {
            return Err(broken("it belongs to another table"));
        }
        (state.theta_adam.steps, state.gamma_adam.steps) = (small.theta_steps, small.gamma_steps);
        (state.warm_steps, state.round, state.history) = (small.warm_steps, small.round, small.history);
        state.candidates = small.candidates.into_iter().map(Ordering::new).collect::<Result<_>>()?;
        Ok(state)
    }
}

fn unwritable(why: impl std::fmt::Display) -> Error {
    Error::internal(format!("the state of the run cannot be written: {why}"))
}

fn broken(why: impl std::fmt::Display) -> Error {
    Error::input(format!("the state of the interrupted run cannot be read: {why}"))
        .with_hint(Remedy::start_over())
}
