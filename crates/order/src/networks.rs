//! Regression networks, all of them run side by side: what `vi-dp-dag` and `daguerreotype` share.

use oslow_core::Rng;
use oslow_flow::Real;
use oslow_flow::kernel::product::{Left, Rows, RowsMut, Shape};
use rand::RngExt;

/// Networks with (leaky) ReLU units; the j-th sees xᵢ·A(i, j) for all inputs i and predicts yⱼ. Without hidden layers they are linear.
///
/// Masking the inputs of a network is masking its first weights, so that the first layer of all networks is one product.
pub(crate) struct Networks<T> {
    /// How many networks there are.
    count: usize,
    layers: Vec<Layer>,
    /// The slope of a unit below 0.
    leak: T,
    /// Weights and biases.
    pub theta: Vec<T>,
    /// The gradient of the last [`Self::differentiate`] in them.
    pub gradient: Vec<T>,
    /// The first layer's weights times A.
    masked: Vec<T>,
    /// The outputs of each layer, row by row, the units of a variable side by side.
    outputs: Vec<Vec<T>>,
}

/// The same layer of all networks.
#[derive(Clone, Copy)]
struct Layer {
    inputs: usize,
    units: usize,
    /// Where its weights begin. In the first layer the weights of one input for the units of all networks lie side by side;
    /// in the others, those of one network, and in these those of one input.
    weights: usize,
    /// Where its biases begin, network by network.
    biases: usize,
}

impl<T: Real> Networks<T> {
    /// Weights and biases uniform in ±1/√inputs, as is usual for linear layers.
    pub fn new(inputs: usize, count: usize, hidden: &[usize], leak: f64, rng: &mut Rng) -> Self {
        let (mut layers, mut theta) = (Vec::new(), Vec::new());
        let mut inputs = inputs;
        for &units in hidden.iter().chain([&1]) {
            let (weights, biases) = (theta.len(), theta.len() + count * inputs * units);
            layers.push(Layer { inputs, units, weights, biases });
            let bound = 1.0 / (inputs as f64).sqrt();
            let uniform = || T::from_f64(rng.random_range(-bound..bound));
            theta.extend(std::iter::repeat_with(uniform).take(count * (inputs + 1) * units));
            inputs = units;
        }
        Self {
            count,
            leak: T::from_f64(leak),
            gradient: vec![T::default(); theta.len()],
            masked: vec![T::default(); layers[0].biases],
            outputs: vec![Vec::new(); layers.len()],
            layers,
            theta,
        }
    }

    /// The mean square of what the networks leave of `y`, given the inputs `x` (both row by row).
    pub fn squared_error(&mut self, adjacency: &[f64], x: &[T], y: &[T]) -> f64 {
        self.forward(adjacency, x);
        self.left(y)
    }

    /// That error and its gradient in A. The one in the parameters is kept in [`Self::gradient`].
    pub fn differentiate(&mut self, adjacency: &[f64], x: &[T], y: &[T]) -> (f64, Vec<f64>) {
        self.forward(adjacency, x);
        let error = self.left(y);
        self.gradient.fill(T::default());
        let scale = T::from_f64(2.0 / y.len() as f64);
        let predictions = &self.outputs[self.layers.len() - 1];
        let mut slopes: Vec<T> = predictions.iter().zip(y).map(|(p, y)| (*p - *y) * scale).collect();
        for index in (1..self.layers.len()).rev() {
            slopes = self.layer_pull_back(index, &slopes);
        }
        (error, self.first_layer_pull_back(adjacency, x, &slopes))
    }

    /// Makes [`Self::gradient`] that of `factor`·error + `l2`·|parameters|².
    pub fn weigh_gradient(&mut self, factor: f64, l2: f64) {
        let (factor, decay) = (T::from_f64(factor), T::from_f64(2.0 * l2));
        for (slope, parameter) in self.gradient.iter_mut().zip(&self.theta) {
            *slope = *slope * factor + *parameter * decay;
        }
    }

    fn left(&self, y: &[T]) -> f64 {
        let residual = |(prediction, y): (&T, &T)| (*prediction - *y).to_f64();
        let predictions = &self.outputs[self.layers.len() - 1];
        predictions.iter().zip(y).map(residual).map(|r| r * r).sum::<f64>() / y.len() as f64
    }

    fn forward(&mut self, adjacency: &[f64], x: &[T]) {
        let Self { count, layers, leak, theta, masked, outputs, .. } = self;
        let (count, rows) = (*count, x.len() / layers[0].inputs);
        for (index, layer) in layers.iter().enumerate() {
            let Layer { inputs, units, weights, biases } = *layer;
            let (before, after) = outputs.split_at_mut(index);
            let out = &mut after[0];
            out.clear();
            (0..rows).for_each(|_| out.extend_from_slice(&theta[biases..biases + count * units]));
            if let Some(before) = before.last() {
                for node in 0..count {
                    let block = &theta[weights + node * inputs * units..];
                    let left = Left { data: &before[node * inputs..], row: count * inputs, column: 1 };
                    let result = RowsMut { data: &mut out[node * units..], row: count * units };
                    let shape = Shape { m: rows, n: units, k: inputs };
                    T::product(shape, T::from_f64(1.0), left, Rows { data: block, row: units }, result);
                }
            } else {
                mask(masked, &theta[..biases], adjacency, units);
                let left = Left { data: x, row: inputs, column: 1 };
                let result = RowsMut { data: out, row: count * units };
                let shape = Shape { m: rows, n: count * units, k: inputs };
                T::product(shape, T::from_f64(1.0), left, Rows { data: masked, row: count * units }, result);
            }
            if index + 1 < layers.len() {
                out.iter_mut()
                    .for_each(|value| *value = if *value > T::default() { *value } else { *value * *leak });
            }
        }
    }

    /// From the slopes in a layer's outputs to those in its inputs, before the units of the layer below.
    fn layer_pull_back(&mut self, index: usize, slopes: &[T]) -> Vec<T> {
        let (count, one) = (self.count, T::from_f64(1.0));
        let Layer { inputs, units, weights, biases } = self.layers[index];
        let rows = slopes.len() / (count * units);
        let below = &self.outputs[index - 1];
        let mut slopes_below = vec![T::default(); below.len()];
        let mut turned = vec![T::default(); inputs * units];
        for node in 0..count {
            let at = weights + node * inputs * units;
            let right = Rows { data: &slopes[node * units..], row: count * units };
            let left = Left { data: &below[node * inputs..], row: 1, column: count * inputs };
            let result = RowsMut { data: &mut self.gradient[at..], row: units };
            T::product(Shape { m: inputs, n: units, k: rows }, one, left, right, result);
            for k in 0..inputs * units {
                turned[k % units * inputs + k / units] = self.theta[at + k];
            }
            let left = Left { data: &slopes[node * units..], row: count * units, column: 1 };
            let result = RowsMut { data: &mut slopes_below[node * inputs..], row: count * inputs };
            let shape = Shape { m: rows, n: inputs, k: units };
            T::product(shape, one, left, Rows { data: &turned, row: inputs }, result);
        }
        add_rows(&mut self.gradient[biases..biases + count * units], slopes);
        for (slope, value) in slopes_below.iter_mut().zip(below) {
            *slope = if *value > T::default() { *slope } else { *slope * self.leak };
        }
        slopes_below
    }

    /// From the slopes before the first layer's units to those in A.
    fn first_layer_pull_back(&mut self, adjacency: &[f64], x: &[T], slopes: &[T]) -> Vec<f64> {
        let count = self.count;
        let Layer { inputs, units, biases, .. } = self.layers[0];
        let (by_weights, rest) = self.gradient.split_at_mut(biases);
        add_rows(&mut rest[..count * units], slopes);
        // First as if nothing were masked: both gradients are made of that.
        let left = Left { data: x, row: 1, column: inputs };
        let right = Rows { data: slopes, row: count * units };
        let shape = Shape { m: inputs, n: count * units, k: x.len() / inputs };
        let result = RowsMut { data: &mut *by_weights, row: count * units };
        T::product(shape, T::from_f64(1.0), left, right, result);
        let pairs = by_weights.chunks_exact_mut(units).zip(self.theta.chunks_exact(units));
        let pull_back = |((by_weights, weights), a): ((&mut [T], &[T]), &f64)| -> f64 {
            let d_edge = by_weights.iter().zip(weights).map(|(g, w)| (*g * *w).to_f64()).sum();
            by_weights.iter_mut().for_each(|g| *g *= T::from_f64(*a));
            d_edge
        };
        pairs.zip(adjacency).map(pull_back).collect()
    }
}

/// Weights of the first layer, `units` for each entry of A, times that entry.
fn mask<T: Real>(masked: &mut [T], weights: &[T], adjacency: &[f64], units: usize) {
    let blocks = masked.chunks_exact_mut(units).zip(weights.chunks_exact(units));
    for ((masked, weights), a) in blocks.zip(adjacency) {
        masked.iter_mut().zip(weights).for_each(|(masked, weight)| *masked = *weight * T::from_f64(*a));
    }
}

/// Adds all rows to a sum.
fn add_rows<T: Real>(sum: &mut [T], rows: &[T]) {
    for row in rows.chunks_exact(sum.len()) {
        sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += *value);
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
                Networks::<f64>::new(inputs, count, &hidden, leak, &mut Seed(2).stream("test"));
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
    fn a_network_sees_its_causes_alone() {
        let (d, mut x) = (3, x(4, 3));
        let mut networks = Networks::<f64>::new(d, d, &[6, 6], 0.0, &mut Seed(4).stream("test"));
        // 0 → 1 only.
        let adjacency = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        networks.forward(&adjacency, &x);
        let before = networks.outputs[2].clone();
        (0..4).for_each(|row| x[row * d] += 1.0);
        networks.forward(&adjacency, &x);
        for (k, (before, after)) in before.iter().zip(&networks.outputs[2]).enumerate() {
            assert_eq!(before != after, k % d == 1, "{k}");
        }
        (0..4).for_each(|row| (1..3).for_each(|j| x[row * d + j] += 1.0));
        let before = networks.outputs[2].clone();
        networks.forward(&adjacency, &x);
        assert_eq!(before, networks.outputs[2]);
    }

    #[test]
    fn training_learns_a_curve() {
        let values: Vec<f32> =
            (0..200).flat_map(|k| [k as f32 / 50.0 - 2.0, (k as f32 / 25.0 - 4.0).sin()]).collect();
        let mut networks = Networks::<f32>::new(2, 2, &[16, 16], 0.0, &mut Seed(5).stream("test"));
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
