//! The permutation learner on its own: it minimises any loss over orders.

use std::collections::HashMap;

use oslow_core::{Ordering, Precedence, Result, Seed};
use oslow_math::{AdamW, AdamWConfig};

use crate::relaxation::{Boltzmann, Draw, Feedback, Relaxation, mode};
use crate::{Gamma, matching};

/// Settings of the search.
#[derive(Clone, Debug, PartialEq)]
pub struct Minimize {
    /// Draws per step, at least 2.
    pub draws: usize,
    /// Steps; noise falls linearly from 1 to 0 over them.
    pub steps: usize,
    /// Step size of Γ (Adam). With losses of order one, 0.05 to 0.3.
    pub rate: f64,
}

impl Default for Minimize {
    fn default() -> Self {
        Self { draws: 20, steps: 300, rate: 0.1 }
    }
}

/// What the search found.
#[derive(Clone, Debug)]
pub struct Minimum {
    /// The order drawn most often in the last noisy step: the paper's answer.
    pub mode: Ordering,
    /// The best order that was ever drawn, and its loss.
    pub best: (Ordering, f64),
    /// How many distinct orders were tried.
    pub tried: usize,
}

/// Minimises `loss` over orders of `d` nodes that respect `precedence`. The loss is asked once per order.
///
/// A small assignment problem: an order is good if heavy nodes come early.
///
/// ```
/// use oslow_perm::{Minimize, minimize};
/// let weight = [0.1, 0.9, 0.5, 0.3];
/// let free = oslow_core::Knowledge::none(4);
/// let found = minimize(4, free.precedence(), &Minimize::default(), oslow_core::Seed(0), |order| {
///     order.nodes().iter().enumerate().map(|(position, &node)| position as f64 * weight[node]).sum()
/// }).unwrap();
/// assert_eq!(found.best.0.nodes(), [1, 2, 3, 0]);
/// assert_eq!(found.mode, found.best.0);
/// ```
pub fn minimize(
    d: usize,
    precedence: &Precedence,
    settings: &Minimize,
    seed: Seed,
    mut loss: impl FnMut(&Ordering) -> f64,
) -> Result<Minimum> {
    let mut gamma = Gamma::flat(d);
    let mut adam = AdamW::new(d * d, AdamWConfig { weight_decay: 0.0, ..AdamWConfig::default() });
    let mut known: HashMap<Ordering, f64> = HashMap::new();
    let mut ask = |order: &Ordering| *known.entry(order.clone()).or_insert_with(|| loss(order));
    let start = precedence.project(&matching(d, &gamma.energy())?);
    let mut best = (start.clone(), ask(&start));
    let mut last: Vec<Draw> = Vec::new();
    for step in 0..settings.steps {
        let noise = 1.0 - step as f64 / settings.steps as f64;
        let mut rng = seed.indexed("perm/minimize", step as u64);
        let draws = Boltzmann.draw(&gamma, noise, settings.draws.max(2), precedence, &mut rng)?;
        let feedback: Vec<Feedback> =
            draws.iter().map(|draw| Feedback { loss: ask(&draw.order), d_matrix: None }).collect();
        for (draw, f) in draws.iter().zip(&feedback) {
            if f.loss < best.1 {
                best = (draw.order.clone(), f.loss);
            }
        }
        let gradient = Boltzmann.gradient(&gamma, &draws, &feedback);
        adam.step(&mut gamma.values, &gradient, settings.rate)?;
        last = draws;
    }
    let answer = mode(&last).map_or(start, |draw| draw.order.clone());
    Ok(Minimum { mode: answer, best, tried: known.len() })
}
