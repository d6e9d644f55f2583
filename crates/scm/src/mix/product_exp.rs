//! Multiplicative noise that keeps the node positive.

use super::MixEntry;
use super::blended::{Blend, Blended};

pub(crate) const ENTRY: MixEntry = MixEntry {
    name: "product-exp",
    summary: "exp(f/2)·|U|: positive before standardisation",
    standardized: true,
    draw: |_, _, _| Box::new(Blended::new(ProductExp)),
};

#[derive(Debug)]
struct ProductExp;

impl Blend for ProductExp {
    fn at(&self, f: f64, _: &[f64], u: f64) -> f64 {
        (0.5 * f).exp() * u.abs()
    }
}
