//! Networks that predict: what `vi-dp-dag` and `daguerreotype` share.

use oslow_core::Rng;
use oslow_flow::Real;

use crate::node_networks::{Architecture, NodeNetworks};

impl<T: Real> NodeNetworks<T> {
    /// Networks that predict one number each. Weights and biases are uniform in ±1/√inputs, as is usual for linear layers; without hidden
    /// layers the networks are linear.
    pub fn regressions(inputs: usize, count: usize, hidden: &[usize], leak: f64, rng: &mut Rng) -> Self {
        let bounds = |inputs: usize, _| (1.0 / (inputs as f64).sqrt(), 1.0 / (inputs as f64).sqrt());
        Self::new(inputs, count, &Architecture { hidden, outputs: 1, leak, bounds }, rng)
    }

    /// The mean square of what the networks leave of `y`, given the inputs `x` (both row by row).
    pub fn squared_error(&mut self, mask: &[f64], x: &[T], y: &[T]) -> f64 {
        let residual = |(prediction, y): (&T, &T)| (*prediction - *y).to_f64();
        let predictions = self.forward(mask, x);
        predictions.iter().zip(y).map(residual).map(|r| r * r).sum::<f64>() / y.len() as f64
    }

    /// That error and its gradient in the mask. The one in the parameters is kept in [`Self::gradient`].
    pub fn differentiate(&mut self, mask: &[f64], x: &[T], y: &[T]) -> (f64, Vec<f64>) {
        let scale = T::from_f64(2.0 / y.len() as f64);
        let error = self.squared_error(mask, x, y);
        let slopes: Vec<T> = self.outputs().iter().zip(y).map(|(p, y)| (*p - *y) * scale).collect();
        (error, self.pull_back(mask, x, &slopes))
    }

    /// Makes [`Self::gradient`] that of `factor`·error + `l2`·|parameters|².
    pub fn weigh_gradient(&mut self, factor: f64, l2: f64) {
        let (factor, decay) = (T::from_f64(factor), T::from_f64(2.0 * l2));
        for (slope, parameter) in self.gradient.iter_mut().zip(&self.theta) {
            *slope = *slope * factor + *parameter * decay;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;
    use oslow_math::{AdamW, AdamWConfig};

    fn x(rows: usize, d: usize) -> Vec<f64> {
        (0..rows * d).map(|k| (1.3 * k as f64 + 0.2).sin() * 1.5).collect()
    }

    /// A mask that is no graph: gradients are those at any numbers.
    fn weights(count: usize) -> Vec<f64> {
        (0..count).map(|k| 0.5 + 0.6 * (2.1 * k as f64).cos()).collect()
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        for (inputs, count, hidden, leak) in
            [(3, 3, vec![8], 0.0), (3, 3, vec![8, 12, 6], 0.0), (4, 2, vec![9], 0.01), (3, 2, vec![], 0.01)]
        {
            let (x, y) = (x(9, inputs), x(9, count));
            let mut networks =
                NodeNetworks::<f64>::regressions(inputs, count, &hidden, leak, &mut Seed(2).stream("test"));
            let adjacency = weights(inputs * count);
            let (error, by_adjacency) = networks.differentiate(&adjacency, &x, &y);
            assert_eq!(error, networks.squared_error(&adjacency, &x, &y));
            let by_theta = networks.gradient.clone();
            assert!(by_theta.iter().filter(|g| **g != 0.0).count() > by_theta.len() / 2);
            for k in 0..inputs * count {
                let mut at = |step: f64| {
                    let mut moved = adjacency.clone();
                    moved[k] += step;
                    networks.squared_error(&moved, &x, &y)
                };
                assert!(((at(1e-6) - at(-1e-6)) / 2e-6 - by_adjacency[k]).abs() < 1e-8, "A, {k}");
            }
            for (k, slope) in by_theta.iter().enumerate() {
                let mut at = |step: f64| {
                    networks.theta[k] += step;
                    let error = networks.squared_error(&adjacency, &x, &y);
                    networks.theta[k] -= step;
                    error
                };
                assert!(((at(1e-6) - at(-1e-6)) / 2e-6 - slope).abs() < 1e-8, "θ, {k}");
            }
        }
    }

    #[test]
    fn training_learns_a_curve() {
        let values: Vec<f32> =
            (0..200).flat_map(|k| [k as f32 / 50.0 - 2.0, (k as f32 / 25.0 - 4.0).sin()]).collect();
        let mut networks =
            NodeNetworks::<f32>::regressions(2, 2, &[16, 16], 0.0, &mut Seed(5).stream("test"));
        let mut adam = AdamW::new(networks.theta.len(), AdamWConfig::default());
        let adjacency = [0.0, 1.0, 0.0, 0.0];
        for _ in 0..600 {
            networks.differentiate(&adjacency, &values, &values);
            adam.step(&mut networks.theta, &networks.gradient, 1e-2).unwrap();
        }
        // What no network can know: the variance of the cause, 4/3, half of the mean.
        assert!((networks.squared_error(&adjacency, &values, &values) - 0.667).abs() < 0.02);
    }
}
