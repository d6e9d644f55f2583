//! Levels without an order: P(level) ∝ exp(ηₗₑᵥₑₗ), each η but the first, which is 0, a function of the causes.

use oslow_core::Rng;

use super::super::inputs::Inputs;
use super::super::location_scale::{ALIGNED, BEFORE_EVIDENCE, EVIDENCE_EVERY, Effort, FEWEST_STEPS};
use super::super::network::Network;
use super::super::steps::Descent;
use super::shares::shares;

/// A function for each level but the first.
pub(super) struct Softmax {
    networks: Vec<Network>,
}

impl Softmax {
    /// Steps of one function at a time, the others being given.
    pub fn new(levels: usize, inputs: &Inputs, y: &[usize], effort: &Effort, rng: &mut Rng) -> Self {
        let shares = shares(levels, y);
        let mut heads: Vec<Descent> = (1..levels)
            .map(|level| {
                let mut network = Network::new(effort.location_units, inputs, rng);
                let is: Vec<f64> = y.iter().map(|&own| f64::from(u8::from(own == level))).collect();
                network.align((ALIGNED * effort.location_units as f64) as usize, inputs, &is);
                let constant = network.constant();
                network.parameters[constant] = (shares[level] / shares[0]).ln();
                Descent::new(network, inputs)
            })
            .collect();
        let mut before = f64::INFINITY;
        for step in 0..effort.steps {
            let evidence = step >= BEFORE_EVIDENCE && step % EVIDENCE_EVERY == 0;
            for head in 0..heads.len() {
                // ln Σ exp η over the other levels.
                let others: Vec<f64> = (0..y.len())
                    .map(|row| log_sum(heads.iter().map(|head| head.values[row]), head))
                    .collect();
                let probability = |row: usize, at: f64| 1.0 / (1.0 + (others[row] - at).exp());
                let loss = |values: &[f64]| -> f64 {
                    let of = |(row, &at): (usize, &f64)| {
                        let own = if y[row] == head + 1 { at } else { 0.0 };
                        others[row].max(at) + (-(others[row] - at).abs()).exp().ln_1p() - own
                    };
                    values.iter().enumerate().map(of).sum()
                };
                let slopes = |values: &[f64], slopes: &mut [f64], roots: &mut [f64]| {
                    for (row, ((&at, slope), root)) in values.iter().zip(slopes).zip(roots).enumerate() {
                        let p = probability(row, at);
                        *slope = p - f64::from(u8::from(y[row] == head + 1));
                        *root = (p * (1.0 - p)).max(1e-9).sqrt();
                    }
                    loss(values)
                };
                heads[head].step(inputs, slopes, loss, evidence);
            }
            let nll = |row: usize| {
                let own = if y[row] == 0 { 0.0 } else { heads[y[row] - 1].values[row] };
                log_sum(heads.iter().map(|head| head.values[row]), usize::MAX) - own
            };
            let after = (0..y.len()).map(nll).sum::<f64>() / y.len() as f64;
            if step >= FEWEST_STEPS && before - after < effort.tolerance {
                break;
            }
            before = after;
        }
        Self { networks: heads.into_iter().map(|head| head.network).collect() }
    }

    fn values(&self, inputs: &Inputs) -> Vec<Vec<f64>> {
        let of = |network: &Network| {
            let mut values = Vec::new();
            network.evaluate(&network.parameters, inputs, &mut values);
            values
        };
        self.networks.iter().map(of).collect()
    }

    /// −ln P, each η drawn towards 0 by its doubt (MacKay 1992).
    pub fn held_out(&self, training: &Inputs, rows: &Inputs, y: &[usize]) -> Vec<f64> {
        let trained = self.values(training);
        let mut values = self.values(rows);
        for (head, network) in self.networks.iter().enumerate() {
            let information: Vec<f64> = (0..training.rows)
                .map(|row| {
                    let total = log_sum(trained.iter().map(|values| values[row]), usize::MAX);
                    let p = (trained[head][row] - total).exp();
                    (p * (1.0 - p)).max(1e-9)
                })
                .collect();
            let variances = network.variances(rows, &network.posterior(training, &information));
            for (value, variance) in values[head].iter_mut().zip(variances) {
                *value /= (1.0 + std::f64::consts::PI * variance / 8.0).sqrt();
            }
        }
        let nll = |(row, &level): (usize, &usize)| {
            let own = if level == 0 { 0.0 } else { values[level - 1][row] };
            log_sum(values.iter().map(|values| values[row]), usize::MAX) - own
        };
        y.iter().enumerate().map(nll).collect()
    }

    /// The probability of every level in each row.
    pub fn probabilities(&self, rows: &Inputs) -> Vec<Vec<f64>> {
        let values = self.values(rows);
        let of = |row: usize| {
            let at = || values.iter().map(|values| values[row]);
            let total = log_sum(at(), usize::MAX);
            std::iter::once(0.0).chain(at()).map(|at| (at - total).exp()).collect()
        };
        (0..rows.rows).map(of).collect()
    }
}

/// ln(1 + Σ exp η), without one of the η.
fn log_sum(values: impl Iterator<Item = f64> + Clone, without: usize) -> f64 {
    let others = || values.clone().enumerate().filter(|(head, _)| *head != without).map(|(_, at)| at);
    let most = others().fold(0.0, f64::max);
    most + ((-most).exp() + others().map(|at| (at - most).exp()).sum::<f64>()).ln()
}
