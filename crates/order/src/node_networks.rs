//! Networks of one shape, usually one a variable, all of them run side by side.

use oslow_core::Rng;
use oslow_flow::Real;
use oslow_flow::kernel::product::{Left, Rows, RowsMut, Shape};
use rand::RngExt;

/// Networks of one shape; the j-th sees xᵢ·M(i, j) for all inputs i and a mask M.
///
/// Masking the inputs of a network is masking its first weights, so that the first layer of all networks is one product.
pub(crate) struct NodeNetworks<T> {
    /// How many networks there are.
    count: usize,
    /// The slope of a unit below 0; above it is 1.
    leak: T,
    layers: Vec<Layer>,
    /// Weights and biases, layer by layer.
    pub theta: Vec<T>,
    /// The gradient of the last [`Self::pull_back`].
    pub gradient: Vec<T>,
    /// The first layer's weights times the mask.
    masked: Vec<T>,
    /// The outputs of each layer, row by row, the units of a variable side by side.
    values: Vec<Vec<T>>,
    /// The slopes in the outputs of each layer, before its units.
    slopes: Vec<Vec<T>>,
}

/// The same layer of all networks.
#[derive(Clone, Copy)]
pub(crate) struct Layer {
    pub inputs: usize,
    pub units: usize,
    /// Where its weights begin. In the first layer the weights of one input for the units of all networks lie side by side;
    /// in the others, those of one network, and in these those of one input.
    pub weights: usize,
    /// Where its biases begin, network by network.
    pub biases: usize,
}

/// The shape of the networks.
pub(crate) struct Architecture<'a> {
    /// Units of the hidden layers.
    pub hidden: &'a [usize],
    /// Numbers that a network puts out.
    pub outputs: usize,
    /// The slope of a unit below 0; above it is 1.
    pub leak: f64,
    /// The bounds of the uniform distributions from which weights and biases of a layer are drawn, given its inputs and units.
    pub bounds: fn(usize, usize) -> (f64, f64),
}

impl<T: Real> NodeNetworks<T> {
    /// Random networks, `count` of them.
    pub fn new(inputs: usize, count: usize, architecture: &Architecture<'_>, rng: &mut Rng) -> Self {
        let (mut layers, mut theta) = (Vec::new(), Vec::new());
        let mut inputs = inputs;
        for &units in architecture.hidden.iter().chain([&architecture.outputs]) {
            let (weights, biases) = (theta.len(), theta.len() + count * inputs * units);
            layers.push(Layer { inputs, units, weights, biases });
            let (weight_bound, bias_bound) = (architecture.bounds)(inputs, units);
            for (numbers, bound) in [(count * inputs * units, weight_bound), (count * units, bias_bound)] {
                let uniform = || match bound > 0.0 {
                    true => T::from_f64(rng.random_range(-bound..bound)),
                    false => T::default(),
                };
                theta.extend(std::iter::repeat_with(uniform).take(numbers));
            }
            inputs = units;
        }
        Self {
            count,
            leak: T::from_f64(architecture.leak),
            gradient: vec![T::default(); theta.len()],
            masked: vec![T::default(); layers[0].biases],
            values: vec![Vec::new(); layers.len()],
            slopes: vec![Vec::new(); layers.len()],
            layers,
            theta,
        }
    }

    /// The layers, the one next to the data first.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// What the networks put out for the rows `x`, row by row, the outputs of a variable side by side.
    pub fn forward(&mut self, mask: &[f64], x: &[T]) -> &[T] {
        let Self { count, leak, layers, theta, masked, values, .. } = self;
        let (count, rows, zero) = (*count, x.len() / layers[0].inputs, T::default());
        for (index, layer) in layers.iter().enumerate() {
            let Layer { inputs, units, weights, biases } = *layer;
            let (before, after) = values.split_at_mut(index);
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
                masked_weights(masked, &theta[..biases], mask, units);
                let left = Left { data: x, row: inputs, column: 1 };
                let result = RowsMut { data: out, row: count * units };
                let shape = Shape { m: rows, n: count * units, k: inputs };
                T::product(shape, T::from_f64(1.0), left, Rows { data: masked, row: count * units }, result);
            }
            if index + 1 < layers.len() {
                out.iter_mut().for_each(|value| *value = if *value > zero { *value } else { *value * *leak });
            }
        }
        self.outputs()
    }

    /// What the last [`Self::forward`] put out.
    pub fn outputs(&self) -> &[T] {
        &self.values[self.layers.len() - 1]
    }

    /// From slopes in what the last [`Self::forward`] put out to those in the mask. Those in the parameters are kept as
    /// [`Self::gradient`].
    pub fn pull_back(&mut self, mask: &[f64], x: &[T], slopes: &[T]) -> Vec<f64> {
        self.slopes_of_first_layer(slopes);
        let count = self.count;
        let Layer { inputs, units, biases, .. } = self.layers[0];
        let slopes = &self.slopes[0];
        let (by_weights, rest) = self.gradient.split_at_mut(biases);
        add_rows(&mut rest[..count * units], slopes);
        // First as if nothing were masked: both gradients are made of that.
        let left = Left { data: x, row: 1, column: inputs };
        let right = Rows { data: slopes, row: count * units };
        let shape = Shape { m: inputs, n: count * units, k: x.len() / inputs };
        let result = RowsMut { data: &mut *by_weights, row: count * units };
        T::product(shape, T::from_f64(1.0), left, right, result);
        let pairs = by_weights.chunks_exact_mut(units).zip(self.theta.chunks_exact(units));
        let pull_back = |((by_weights, weights), entry): ((&mut [T], &[T]), &f64)| -> f64 {
            let by_entry = by_weights.iter().zip(weights).map(|(g, w)| (*g * *w).to_f64()).sum();
            by_weights.iter_mut().for_each(|g| *g *= T::from_f64(*entry));
            by_entry
        };
        pairs.zip(mask).map(pull_back).collect()
    }

    /// The mean over rows of the absolute slopes in the inputs, input by network, given slopes in what the last [`Self::forward`]
    /// put out.
    pub fn mean_absolute_slopes(&mut self, slopes: &[T]) -> Vec<f64> {
        self.slopes_of_first_layer(slopes);
        let (count, Layer { inputs, units, .. }) = (self.count, self.layers[0]);
        let mut means = vec![0.0; inputs * count];
        for row in self.slopes[0].chunks_exact(count * units) {
            for (weights, means) in self.masked.chunks_exact(count * units).zip(means.chunks_exact_mut(count))
            {
                let networks = weights.chunks_exact(units).zip(row.chunks_exact(units));
                for ((weights, slopes), mean) in networks.zip(means) {
                    let slope: f64 = weights.iter().zip(slopes).map(|(w, s)| (*w * *s).to_f64()).sum();
                    *mean += slope.abs();
                }
            }
        }
        let rows = (self.slopes[0].len() / (count * units)) as f64;
        means.iter_mut().for_each(|mean| *mean /= rows);
        means
    }

    /// Goes back to the first layer; the gradient of all later ones is done then.
    fn slopes_of_first_layer(&mut self, slopes: &[T]) {
        self.gradient.fill(T::default());
        let last = &mut self.slopes[self.layers.len() - 1];
        last.clear();
        last.extend_from_slice(slopes);
        for index in (1..self.layers.len()).rev() {
            self.layer_pull_back(index);
        }
    }

    /// From the slopes in a layer's outputs to those in its inputs, before the units of the layer below.
    fn layer_pull_back(&mut self, index: usize) {
        let (count, one, zero) = (self.count, T::from_f64(1.0), T::default());
        let Layer { inputs, units, weights, biases } = self.layers[index];
        let (slopes_below, slopes) = self.slopes.split_at_mut(index);
        let (slopes_below, slopes) = (&mut slopes_below[index - 1], &slopes[0]);
        let rows = slopes.len() / (count * units);
        let below = &self.values[index - 1];
        slopes_below.clear();
        slopes_below.resize(below.len(), zero);
        let mut turned = vec![zero; inputs * units];
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
            *slope = if *value > zero { *slope } else { *slope * self.leak };
        }
    }
}

/// Weights of the first layer, `units` for each entry of the mask, times that entry.
fn masked_weights<T: Real>(masked: &mut [T], weights: &[T], mask: &[f64], units: usize) {
    let blocks = masked.chunks_exact_mut(units).zip(weights.chunks_exact(units));
    for ((masked, weights), entry) in blocks.zip(mask) {
        masked.iter_mut().zip(weights).for_each(|(masked, weight)| *masked = *weight * T::from_f64(*entry));
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

    fn x(rows: usize, d: usize) -> Vec<f64> {
        (0..rows * d).map(|k| (1.3 * k as f64 + 0.2).sin() * 1.5).collect()
    }

    /// A mask that is no graph: gradients are those at any numbers.
    fn mask(d: usize) -> Vec<f64> {
        (0..d * d).map(|k| 0.5 + 0.6 * (2.1 * k as f64).cos()).collect()
    }

    fn networks(d: usize, hidden: &[usize], outputs: usize, leak: f64) -> NodeNetworks<f64> {
        let bounds = |inputs: usize, _| (1.0 / (inputs as f64).sqrt(), 0.3);
        let architecture = Architecture { hidden, outputs, leak, bounds };
        NodeNetworks::new(d, d, &architecture, &mut Seed(2).stream("test"))
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        for (hidden, outputs, leak) in [(vec![8], 1, 0.0), (vec![8, 12, 6], 1, 0.0), (vec![5, 7], 2, 0.1)] {
            let (d, x, mask) = (3, x(9, 3), mask(3));
            let mut networks = networks(d, &hidden, outputs, leak);
            let cotangent: Vec<f64> = (0..9 * d * outputs).map(|k| (0.7 * k as f64).cos()).collect();
            let value = |networks: &mut NodeNetworks<f64>, mask: &[f64], x: &[f64]| -> f64 {
                networks.forward(mask, x).iter().zip(&cotangent).map(|(a, b)| a * b).sum()
            };
            networks.forward(&mask, &x);
            let by_mask = networks.pull_back(&mask, &x, &cotangent);
            let by_theta = networks.gradient.clone();
            assert!(by_theta.iter().filter(|g| **g != 0.0).count() > by_theta.len() / 2);
            for k in 0..d * d {
                let mut at = |step: f64| {
                    let mut moved = mask.clone();
                    moved[k] += step;
                    value(&mut networks, &moved, &x)
                };
                assert!(((at(1e-6) - at(-1e-6)) / 2e-6 - by_mask[k]).abs() < 1e-7, "mask, {k}");
            }
            for (k, slope) in by_theta.iter().enumerate() {
                let mut at = |step: f64| {
                    networks.theta[k] += step;
                    let value = value(&mut networks, &mask, &x);
                    networks.theta[k] -= step;
                    value
                };
                assert!(((at(1e-6) - at(-1e-6)) / 2e-6 - slope).abs() < 1e-7, "θ, {k}");
            }
        }
    }

    #[test]
    fn absolute_slopes_are_those_of_finite_differences() {
        let (d, rows, outputs, mask) = (3, 4, 2, mask(3));
        let mut networks = networks(d, &[5, 7], outputs, 0.1);
        let x = x(rows, d);
        let cotangent: Vec<f64> = (0..rows * d * outputs).map(|k| (0.7 * k as f64).cos()).collect();
        networks.forward(&mask, &x);
        let means = networks.mean_absolute_slopes(&cotangent);
        for input in 0..d {
            for network in 0..d {
                let mut slope = |row: usize| {
                    let mut at = |step: f64| {
                        let mut moved = x.clone();
                        moved[row * d + input] += step;
                        let own = (row * d + network) * outputs..(row * d + network + 1) * outputs;
                        let out = &networks.forward(&mask, &moved)[own.clone()];
                        out.iter().zip(&cotangent[own]).map(|(a, b)| a * b).sum::<f64>()
                    };
                    ((at(1e-6) - at(-1e-6)) / 2e-6).abs()
                };
                let mean = (0..rows).map(&mut slope).sum::<f64>() / rows as f64;
                assert!((means[input * d + network] - mean).abs() < 1e-7, "{input} {network}");
            }
        }
    }

    #[test]
    fn a_network_sees_its_causes_alone() {
        let (d, mut x) = (3, x(4, 3));
        let mut networks = networks(d, &[6, 6], 1, 0.0);
        // 0 → 1 only.
        let mask = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let before = networks.forward(&mask, &x).to_vec();
        (0..4).for_each(|row| x[row * d] += 1.0);
        let after = networks.forward(&mask, &x).to_vec();
        for (k, (before, after)) in before.iter().zip(&after).enumerate() {
            assert_eq!(before != after, k % d == 1, "{k}");
        }
        (0..4).for_each(|row| (1..3).for_each(|j| x[row * d + j] += 1.0));
        assert_eq!(networks.forward(&mask, &x), after);
    }
}
