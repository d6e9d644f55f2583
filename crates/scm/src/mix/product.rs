//! Multiplicative noise.

use super::MixEntry;
use super::blended::{Blend, Blended};

pub(crate) const ENTRY: MixEntry = MixEntry {
    name: "product",
    summary: "f·U",
    standardized: true,
    draw: |_, _, _| Box::new(Blended::new(Product)),
};

#[derive(Debug)]
struct Product;

impl Blend for Product {
    fn at(&self, f: f64, _: &[f64], u: f64) -> f64 {
        f * u
    }
}
