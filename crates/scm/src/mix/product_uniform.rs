//! Multiplicative noise between 0 and 1.

use super::MixEntry;
use super::blended::{Blend, Blended};
use crate::Noise;
use crate::noise::unit_uniform::UnitUniform;

pub(crate) const ENTRY: MixEntry = MixEntry {
    name: "product-uniform",
    summary: "f·V with V uniform on (0, 1) in place of the noise",
    standardized: true,
    draw: |_, _, _| Box::new(Blended::new(ProductUniform)),
};

#[derive(Debug)]
struct ProductUniform;

impl Blend for ProductUniform {
    fn noise(&self) -> Option<Box<dyn Noise>> {
        Some(Box::new(UnitUniform))
    }

    fn at(&self, f: f64, _: &[f64], u: f64) -> f64 {
        f * u
    }
}
