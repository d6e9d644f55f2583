//! Locations that are a network with one hidden layer.

use oslow_core::Rng;
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use super::MechanismEntry;
use super::shaped::shaped;
use crate::function::Function;

pub(crate) const ENTRY: MechanismEntry = MechanismEntry {
    name: "mlp",
    summary: "t = a network of 12 tanh units over the parents jointly, standardised; s = softplus(Σc'x + b')",
    standardized: true,
    draw: |spec, rows, rng| Ok(shaped(spec, rows, rng, |rows, rng| Mlp::draw(rows.parents(), UNITS, rng))),
};

const UNITS: usize = 12;

/// Σⱼ vⱼ·tanh(Σₖ wⱼₖ·xₖ + bⱼ) with v normal, w normal with variance 1.5²/k for k inputs, b uniform on
/// (−1.5, 1.5).
#[derive(Debug)]
pub(crate) struct Mlp(Vec<HiddenUnit>);

#[derive(Debug)]
struct HiddenUnit {
    inputs: Vec<f64>,
    bias: f64,
    output: f64,
}

impl Mlp {
    pub(crate) fn draw(inputs: usize, units: usize, rng: &mut Rng) -> Self {
        let size = 1.5 / (inputs as f64).sqrt();
        let unit = |_| HiddenUnit {
            inputs: (0..inputs).map(|_| size * normal(rng)).collect(),
            bias: rng.random_range(-1.5..1.5),
            output: normal(rng),
        };
        Self((0..units).map(unit).collect())
    }
}

impl Function for Mlp {
    fn at(&self, causes: &[f64]) -> f64 {
        let unit = |unit: &HiddenUnit| {
            let sum: f64 = unit.inputs.iter().zip(causes).map(|(w, x)| w * x).sum();
            unit.output * (sum + unit.bias).tanh()
        };
        self.0.iter().map(unit).sum()
    }
}

fn normal(rng: &mut Rng) -> f64 {
    StandardNormal.sample(rng)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_network_is_the_one_of_its_formula() {
        let unit = |inputs: [f64; 2], bias, output| HiddenUnit { inputs: inputs.to_vec(), bias, output };
        let mlp = Mlp(vec![unit([0.5, -1.0], 0.2, 2.0), unit([1.0, 0.0], 0.0, -1.0)]);
        let expected = 2.0 * (0.5 * 0.4 + 0.3 + 0.2_f64).tanh() - 0.4_f64.tanh();
        assert!((mlp.at(&[0.4, -0.3]) - expected).abs() < 1e-15);
    }
}
