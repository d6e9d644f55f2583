//! Columns on a logarithmic scale, seen without the logarithm.

use oslow_core::Rng;

use super::{Seen, SeenEntry};

pub(crate) const ENTRY: SeenEntry =
    SeenEntry { name: "exp", summary: "exp(0.8·v)", draw: |_, _, _| Some(Box::new(Exp)) };

#[derive(Debug)]
struct Exp;

impl Seen for Exp {
    fn at(&self, value: f64, _: &mut Rng) -> f64 {
        (0.8 * value).exp()
    }
}
