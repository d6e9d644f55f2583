//! How noise enters a node.
//!
//! `affine` is the location-scale model of the mechanism, in its own units: t + s·U. In all others f is the
//! mechanism's location, standardised to mean 0 and variance 1 over the simulated rows, U has variance 1, and what
//! comes out is standardised before the output bends it. There a root is its noise alone.

use oslow_core::{Named, Result, Rng};

use crate::{LocationScale, Noise, ParentRows, Spec};

registry! {
    /// The ways in which noise enters.
    MIXES: MixEntry = {
        affine, additive, location_scale, nonadditive, product, product_uniform, product_exp, post_nonlinear, joint,
        any
    }
}

pub(crate) mod blended;

/// What is known of a node's causes.
#[derive(Clone, Copy, Debug)]
pub struct Causes<'a> {
    /// Their values.
    pub parents: &'a ParentRows,
    /// The mechanism's location and scale in every row.
    pub moments: &'a [LocationScale],
}

/// How the noise of one node enters, its coefficients drawn.
pub trait Mix: std::fmt::Debug + Send + Sync {
    /// Another noise than that of the spec, where the formula says which.
    fn noise(&self) -> Option<Box<dyn Noise>> {
        None
    }

    /// Finds the constants of standardisation from the rows that are simulated, once.
    fn settle(&mut self, _causes: &Causes<'_>, _noise: &[f64]) {}

    /// The node in every row, before the output; refuses rows for which it is not defined.
    fn values(&self, causes: &Causes<'_>, noise: &[f64]) -> Result<Vec<f64>>;
}

/// A registered way in which noise enters.
#[derive(Debug)]
pub struct MixEntry {
    /// The name users type.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Whether location, noise and node are standardised and a root is noise alone.
    pub standardized: bool,
    /// Draws the way for one node that has causes.
    pub draw: fn(&Spec, &ParentRows, &mut Rng) -> Box<dyn Mix>,
}

impl Named for MixEntry {
    fn name(&self) -> &'static str {
        self.name
    }
}
