//! Post-nonlinear outputs: a node is a function of its location-scale value.
//!
//! With `mix = "affine"` the argument is not standardised and can be in the thousands. There `sinh` overflows,
//! which is an error, and `sigmoid` gives 0 or 1 for nearly everything; `asinh` and `hinge` bend the same ways
//! and keep different values different. All other mixes standardise the argument first.

use oslow_core::{Named, Rng};

registry! {
    /// The outputs.
    OUTPUTS: OutputEntry = { identity, cube, cuberoot, asinh, sinh, sigmoid, hinge, any }
}

/// g in X = g(t + s·U): strictly increasing, so that it can be undone.
pub type Curve = fn(f64) -> f64;

/// A registered output.
#[derive(Debug)]
pub struct OutputEntry {
    /// The name users type.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The curve of one node.
    pub draw: fn(&mut Rng) -> Curve,
}

impl Named for OutputEntry {
    fn name(&self) -> &'static str {
        self.name
    }
}

/// Checks on −10⁴ to 10⁴ and below `most` that an output increases and that its inverse undoes it.
#[cfg(test)]
pub(crate) fn check(entry: &OutputEntry, most: f64, inverse: Curve) {
    let curve = (entry.draw)(&mut oslow_core::Seed(0).stream("test"));
    let points = (-400..=400).map(|k| (f64::from(k) / 40.0).sinh()).filter(|y| y.abs() < most);
    let mut before = f64::NEG_INFINITY;
    for y in points {
        let x = curve(y);
        assert!(x > before, "{} falls at {y}", entry.name);
        let back = inverse(x);
        assert!((back - y).abs() <= 1e-9 * (1.0 + y.abs()), "{}: {back} is not {y}", entry.name);
        before = x;
    }
}
