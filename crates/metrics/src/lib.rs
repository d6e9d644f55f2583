//! Judges: how far an order or a graph is from the truth.
//!
//! One file is one measure: it holds a public function of its name and its entry in [`METRICS`]. The truth comes
//! first, the answer second.

use oslow_core::{Dag, Named, Ordering};

/// Declares the modules and the list of their entries at once: a new metric is one file and one word here.
macro_rules! registry {
    ($($module:ident),+ $(,)?) => {
        $(mod $module;)+

        /// Every registered metric, in the order in which reports show them.
        pub const METRICS: &[Metric] = &[$($module::ENTRY),+];
    };
}

registry! { cbc }

pub use cbc::cbc;

/// What is judged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer<'a> {
    /// The causal order, where there is one.
    pub order: Option<&'a Ordering>,
    /// The graph, where there is one.
    pub graph: Option<&'a Dag>,
}

/// A registered metric.
#[derive(Debug)]
pub struct Metric {
    /// The name users type, and the key in results.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The value, `None` where the metric does not apply. Truth and answer have the same nodes.
    pub measure: fn(truth: &Dag, answer: &Answer<'_>) -> Option<f64>,
}

impl Named for Metric {
    fn name(&self) -> &'static str {
        self.name
    }
}
