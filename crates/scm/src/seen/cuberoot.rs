//! Columns through a cube root.

use oslow_core::Rng;

use super::{Seen, SeenEntry};

pub(crate) const ENTRY: SeenEntry =
    SeenEntry { name: "cuberoot", summary: "∛v", draw: |_, _, _| Some(Box::new(Cuberoot)) };

#[derive(Debug)]
struct Cuberoot;

impl Seen for Cuberoot {
    fn at(&self, value: f64, _: &mut Rng) -> f64 {
        value.cbrt()
    }
}
