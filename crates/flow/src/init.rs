//! Where training starts.

use oslow_core::Rng;
use rand::RngExt;

use crate::Real;
use crate::layout::{Layout, NetLayout};

impl Layout {
    /// Random parameters: weights uniform ±√(1/fan-in) with fan-in d·width; the first layer 1.7 times wider
    /// with biases ±1 (kinks spread over standardised data), the last 0.3 times with biases 0 (a start near
    /// the identity). Skip connections, ActNorm and learned bases start at 0.
    pub fn initial<T: Real>(&self, rng: &mut Rng) -> Vec<T> {
        let mut theta = vec![T::from_f64(0.0); self.len];
        for transform in &self.transforms {
            for net in [&transform.shift, &transform.scale] {
                self.initial_net(net, &mut theta, rng);
            }
        }
        theta
    }

    fn initial_net<T: Real>(&self, net: &NetLayout, theta: &mut [T], rng: &mut Rng) {
        let mut fill = |range: std::ops::Range<usize>, limit: f64| {
            theta[range].iter_mut().for_each(|p| *p = T::from_f64(limit * rng.random_range(-1.0..1.0)));
        };
        for (depth, layer) in net.hidden.iter().enumerate() {
            let limit = 1.0 / ((self.d * layer.input) as f64).sqrt();
            let (weight, bias) = if depth == 0 { (1.7 * limit, 1.0) } else { (limit, limit) };
            fill(layer.weight.clone(), weight);
            fill(layer.bias.clone(), bias);
        }
        fill(net.last.weight.clone(), 0.3 / ((self.d * net.last.input) as f64).sqrt());
    }
}
