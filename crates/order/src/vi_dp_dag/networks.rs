//! One regression network a variable.

use oslow_core::{Result, Rng};
use oslow_flow::Real;
use oslow_math::{AdamW, AdamWConfig};

use crate::node_networks::{Architecture, NodeNetworks};

/// d networks with ReLU units; that of variable j sees xᵢ·A(i, j) for all i and predicts xⱼ.
pub(super) struct Networks<T> {
    networks: NodeNetworks<T>,
    adam: AdamW<T>,
    slopes: Vec<T>,
}

impl<T: Real> Networks<T> {
    /// Weights and biases uniform in ±1/√inputs, as is usual for linear layers.
    pub fn new(d: usize, hidden: &[usize], rng: &mut Rng) -> Self {
        let bounds = |inputs: usize, _| (1.0 / (inputs as f64).sqrt(), 1.0 / (inputs as f64).sqrt());
        let networks = NodeNetworks::new(d, &Architecture { hidden, outputs: 1, leak: 0.0, bounds }, rng);
        let plain = AdamWConfig { weight_decay: 0.0, clip: 0.0, ..AdamWConfig::default() };
        let adam = AdamW::new(networks.theta.len(), plain);
        Self { networks, adam, slopes: Vec::new() }
    }

    /// The mean square of what the networks leave of the rows `x`.
    pub fn squared_error(&mut self, adjacency: &[f64], x: &[T]) -> f64 {
        let residual = |(prediction, x): (&T, &T)| (*prediction - *x).to_f64();
        let predictions = self.networks.forward(adjacency, x);
        predictions.iter().zip(x).map(residual).map(|r| r * r).sum::<f64>() / x.len() as f64
    }

    /// The gradient of that error in A. The one in the parameters is kept for [`Self::step`].
    pub fn differentiate(&mut self, adjacency: &[f64], x: &[T]) -> Vec<f64> {
        let scale = T::from_f64(2.0 / x.len() as f64);
        let predictions = self.networks.forward(adjacency, x);
        self.slopes.clear();
        self.slopes.extend(predictions.iter().zip(x).map(|(p, x)| (*p - *x) * scale));
        self.networks.pull_back(adjacency, x, &self.slopes)
    }

    /// One step of Adam down the gradient of the last [`Self::differentiate`].
    pub fn step(&mut self, rate: f64) -> Result<()> {
        self.adam.step(&mut self.networks.theta, &self.networks.gradient, rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let (d, adjacency) = (3, [0.0, 0.9, 0.4, 0.7, 0.0, -0.2, 0.3, 1.0, 0.0]);
        let x: Vec<f64> = (0..27).map(|k| (1.3 * f64::from(k) + 0.2).sin() * 1.5).collect();
        let mut networks = Networks::<f64>::new(d, &[8, 6], &mut Seed(2).stream("test"));
        let by_adjacency = networks.differentiate(&adjacency, &x);
        let by_theta = networks.networks.gradient.clone();
        for k in 0..d * d {
            let mut at = |step: f64| {
                let mut moved = adjacency;
                moved[k] += step;
                networks.squared_error(&moved, &x)
            };
            assert!(((at(1e-6) - at(-1e-6)) / 2e-6 - by_adjacency[k]).abs() < 1e-8, "A, {k}");
        }
        for (k, slope) in by_theta.iter().enumerate() {
            let mut at = |step: f64| {
                networks.networks.theta[k] += step;
                let error = networks.squared_error(&adjacency, &x);
                networks.networks.theta[k] -= step;
                error
            };
            assert!(((at(1e-6) - at(-1e-6)) / 2e-6 - slope).abs() < 1e-8, "θ, {k}");
        }
    }

    #[test]
    fn training_learns_a_curve() {
        let values: Vec<f32> =
            (0..200).flat_map(|k| [k as f32 / 50.0 - 2.0, (k as f32 / 25.0 - 4.0).sin()]).collect();
        let mut networks = Networks::<f32>::new(2, &[16, 16], &mut Seed(5).stream("test"));
        let adjacency = [0.0, 1.0, 0.0, 0.0];
        for _ in 0..600 {
            networks.differentiate(&adjacency, &values);
            networks.step(1e-2).unwrap();
        }
        // What no network can know: the variance of the cause, 4/3, half of the mean.
        assert!((networks.squared_error(&adjacency, &values) - 0.667).abs() < 0.02);
    }
}
