//! The density of each variable given the others, by a network of its own.

use oslow_core::{Result, Rng};
use oslow_flow::Real;
use oslow_math::{HALF_LN_TAU, RmsProp};

use super::config::Model;
use crate::node_networks::{Architecture, NodeNetworks};

/// The slope of a unit below 0: the usual one of leaky ReLU.
const LEAK: f64 = 0.01;

/// Normal densities p(xⱼ | inputs) whose means, and with [`Model::Gaussian`] whose scales, are networks of the inputs.
pub(super) struct Conditionals<T> {
    d: usize,
    model: Model,
    pub networks: NodeNetworks<T>,
    /// The logarithm of each variable's standard deviation, where no network says it.
    pub log_scales: Vec<T>,
    /// The gradient of the last [`Self::differentiate`] in them.
    pub log_scale_gradient: Vec<T>,
    optimizer: RmsProp<T>,
    scale_optimizer: RmsProp<T>,
    /// The slopes of the loss in what the networks put out.
    slopes: Vec<T>,
}

impl<T: Real> Conditionals<T> {
    /// Random weights as Glorot has them for leaky ReLU; biases and log-scales are 0.
    pub fn new(d: usize, model: Model, hidden: &[usize], rng: &mut Rng) -> Self {
        let bounds = |inputs: usize, units: usize| {
            let gain = (2.0 / (1.0 + LEAK * LEAK)).sqrt();
            (gain * (6.0 / (inputs + units) as f64).sqrt(), 0.0)
        };
        let (outputs, scales) = match model {
            Model::Additive => (1, d),
            Model::Gaussian => (2, 0),
        };
        let networks = NodeNetworks::new(d, d, &Architecture { hidden, outputs, leak: LEAK, bounds }, rng);
        Self {
            d,
            model,
            optimizer: RmsProp::new(networks.theta.len()),
            scale_optimizer: RmsProp::new(scales),
            networks,
            log_scales: vec![T::default(); scales],
            log_scale_gradient: vec![T::default(); scales],
            slopes: Vec::new(),
        }
    }

    /// Mean over rows and variables of −ln p(xⱼ | inputs that the mask lets through).
    pub fn nll(&mut self, mask: &[f64], x: &[T]) -> f64 {
        self.evaluate(mask, x, 1.0)
    }

    /// The same, and its gradient for [`Self::step`].
    pub fn differentiate(&mut self, mask: &[f64], x: &[T]) -> f64 {
        let nll = self.evaluate(mask, x, 1.0 / x.len() as f64);
        self.networks.pull_back(mask, x, &self.slopes);
        nll
    }

    /// The mean over rows of |∂ ln p(xⱼ | inputs)/∂xᵢ|, cause by effect.
    pub fn sensitivities(&mut self, mask: &[f64], x: &[T]) -> Vec<f64> {
        self.evaluate(mask, x, 1.0);
        self.networks.mean_absolute_slopes(&self.slopes)
    }

    /// One step of RMSprop down the gradient.
    pub fn step(&mut self, rate: f64) -> Result<()> {
        self.optimizer.step(&mut self.networks.theta, &self.networks.gradient, rate)?;
        self.scale_optimizer.step(&mut self.log_scales, &self.log_scale_gradient, rate)
    }

    /// Makes RMSprop forget earlier gradients.
    pub fn restart(&mut self) {
        self.optimizer.reset();
        self.scale_optimizer.reset();
    }

    /// The mean negative log-likelihood; its slopes in outputs and log-scales, times `weight` for each number of `x`, are kept.
    fn evaluate(&mut self, mask: &[f64], x: &[T], weight: f64) -> f64 {
        let outputs = self.networks.forward(mask, x);
        let (one, weight) = (T::from_f64(1.0), T::from_f64(weight));
        self.slopes.clear();
        let mut sum = 0.0;
        match self.model {
            Model::Additive => {
                self.log_scale_gradient.fill(T::default());
                let precisions: Vec<T> = self.log_scales.iter().map(|s| (-*s).exp()).collect();
                for (x, means) in x.chunks_exact(self.d).zip(outputs.chunks_exact(self.d)) {
                    let of_scales = precisions.iter().zip(&mut self.log_scale_gradient);
                    for ((x, mean), (precision, by_scale)) in x.iter().zip(means).zip(of_scales) {
                        let z = (*x - *mean) * *precision;
                        sum += 0.5 * (z * z).to_f64();
                        *by_scale += (one - z * z) * weight;
                        self.slopes.push(-z * *precision * weight);
                    }
                }
                let rows = (x.len() / self.d) as f64;
                sum += rows * self.log_scales.iter().map(|s| s.to_f64()).sum::<f64>();
            }
            Model::Gaussian => {
                for (x, said) in x.iter().zip(outputs.chunks_exact(2)) {
                    let precision = (-said[1]).exp();
                    let z = (*x - said[0]) * precision;
                    sum += (said[1] + z * z * T::from_f64(0.5)).to_f64();
                    self.slopes.extend([-z * precision * weight, (one - z * z) * weight]);
                }
            }
        }
        sum / x.len() as f64 + HALF_LN_TAU
    }
}
