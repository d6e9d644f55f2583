//! A network of causes and noise together.

use super::MixEntry;
use super::blended::{Blend, Blended, with_noise};
use crate::ParentRows;
use crate::function::Function;
use crate::mechanism::mlp::Mlp;
use crate::unit::Unit;

pub(crate) const ENTRY: MixEntry = MixEntry {
    name: "nonadditive",
    summary: "net(causes, 1.5·U) + 0.3·U with a standardised network of 20 tanh units; the mechanism has no effect",
    standardized: true,
    draw: |_, rows, rng| {
        let network = Mlp::draw(rows.parents() + 1, UNITS, rng);
        Box::new(Blended::new(Nonadditive { network, unit: Unit::AS_IS }))
    },
};

const UNITS: usize = 20;

#[derive(Debug)]
struct Nonadditive {
    network: Mlp,
    unit: Unit,
}

impl Nonadditive {
    fn network(&self, causes: &[f64], u: f64) -> f64 {
        self.unit.at(self.network.at(&with_noise(causes, 1.5 * u)))
    }
}

impl Blend for Nonadditive {
    fn settle(&mut self, parents: &ParentRows, noise: &[f64]) {
        let values: Vec<f64> = parents.iter().zip(noise).map(|(row, u)| self.network(row, *u)).collect();
        self.unit = Unit::of(&values);
    }

    fn at(&self, _: f64, causes: &[f64], u: f64) -> f64 {
        self.network(causes, u) + 0.3 * u
    }
}
