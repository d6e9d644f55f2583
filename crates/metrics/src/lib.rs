//! Judges: how far an order or a graph is from the truth.
//!
//! One file is one measure: it holds a public function of its name and its entry in [`METRICS`]. The truth comes
//! first, the answer second. [`var_sortability`] and [`r2_sortability`] judge data and not answers: they say how easy a
//! data set is to game, and are in no registry.

#![forbid(unsafe_code)]

use oslow_core::{Dag, Named, Ordering};

/// Declares the modules and the list of their entries at once: a new metric is one file and one word here.
macro_rules! registry {
    ($($module:ident),+ $(,)?) => {
        $(mod $module;)+

        /// Every registered metric, in the order in which reports show them.
        pub const METRICS: &[Metric] = &[$($module::ENTRY),+];
    };
}

registry! {
    cbc, accuracy, shd, shd_reversal_twice, sid, parent_aid, ancestor_aid, oset_aid,
    precision, recall, f1, skeleton_precision, skeleton_recall, skeleton_f1,
}

mod adjustment;
#[cfg(test)]
mod drawn;
mod neighbours;
mod overlap;
mod sortability;

pub use accuracy::accuracy;
pub use ancestor_aid::ancestor_aid;
pub use cbc::cbc;
pub use f1::f1;
pub use oset_aid::oset_aid;
pub use parent_aid::parent_aid;
pub use precision::precision;
pub use recall::recall;
pub use shd::shd;
pub use shd_reversal_twice::shd_reversal_twice;
pub use sid::sid;
pub use skeleton_f1::skeleton_f1;
pub use skeleton_precision::skeleton_precision;
pub use skeleton_recall::skeleton_recall;
pub use sortability::{r2_sortability, var_sortability};

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
    /// Whether the value is a count, and so a whole number.
    pub whole: bool,
    /// The value, `None` where the metric does not apply. Truth and answer have the same nodes.
    pub measure: fn(truth: &Dag, answer: &Answer<'_>) -> Option<f64>,
}

impl Named for Metric {
    fn name(&self) -> &'static str {
        self.name
    }
}
