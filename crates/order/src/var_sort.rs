//! Columns by variance: in many simulations effects vary more than their causes.
//!
//! # Assumes
//! Variances grow along the causal order. Nature gives no reason for it: variances change with the units.
//! # Model
//! None: only the variance of each column is looked at.
//! # Algorithm
//! Sort by variance, smallest first. Variances that differ by rounding only are ties, and ties are drawn. On standardised
//! data all are tied and the order is random; the answer says how many orders are tied.
//! # Cost
//! O(n·d).
//! # Departs from the paper
//! The paper's *sortnregress* then regresses along the order; here that is a pruner's work. It has no rule for ties.
//! # Reference
//! Reisach, Seiler, Weichwald: Beware of the simulated DAG! Causal discovery benchmarks may be easy to game. NeurIPS 2021.

use oslow_core::{Capabilities, Kind, Learned, Learner, Method, Prepared, Result, Run, configure, describe};
use oslow_math::{ranks, variances};
use serde::{Deserialize, Serialize};

use crate::by_rank::by_rank;

/// The method's entry in the registry.
pub(crate) const METHODS: &[Method] = &[Method {
    name: "var-sort",
    kind: Kind::Diagnostic,
    summary: "sorts columns by variance; a baseline that exposes simulations with an easy answer. Needs the columns in their own units, otherwise all are tied",
    assumes: &["effects vary more than their causes (an artefact of simulations)"],
    takes: Capabilities::NUMBERS,
    build: |settings| Ok(Box::new(configure::<VarSort>(settings)?)),
    resolve: |settings| describe(&configure::<VarSort>(settings)?),
}];

/// Settings of `var-sort`.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VarSort {
    /// Largest variance first. The paper sorts the other way.
    descending: bool,
}

impl Learner for VarSort {
    fn learn(&self, sample: &Prepared, run: &mut Run<'_>) -> Result<Learned> {
        let ranks = ranks(&variances(sample), 0.0);
        Ok(by_rank(&ranks, self.descending, run, &mut run.seed.stream("order/var-sort")))
    }
}
