//! Columns by R²: in many simulations effects are better explained by the rest of the table than causes.
//!
//! # Assumes
//! The share of a variable's variance that all others explain linearly grows along the causal order. Other than variances it
//! does not depend on units, but nature gives no reason for it either: on the SynTReN data the reverse holds.
//! # Model
//! None: only R² of each column is looked at.
//! # Algorithm
//! Regress each column on all others (all regressions come from one inverse correlation matrix) and sort by R², smallest
//! first. R² that differ by less than 10⁻⁹ are ties, and ties are drawn: two columns always are one.
//! # Cost
//! O(n·d² + d³).
//! # Departs from the paper
//! The paper's *R²-SortnRegress* then regresses along the order; here that is a pruner's work. It has no rule for ties. A ridge
//! of 10⁻¹² makes collinear columns no special case.
//! # Reference
//! Reisach, Tami, Seiler, Chambaz, Weichwald: A scale-invariant sorting criterion to find a causal order in additive noise
//! models. NeurIPS 2023.

use oslow_core::{Capabilities, Kind, Learned, Learner, Method, Prepared, Result, Run, configure, describe};
use oslow_math::{r_squared, ranks};
use serde::{Deserialize, Serialize};

use crate::by_rank::by_rank;

/// The method's entry in the registry.
pub(crate) const METHODS: &[Method] = &[Method {
    name: "r2-sort",
    kind: Kind::Diagnostic,
    summary: "sorts columns by how well all others explain them linearly; a baseline that exposes simulations with an easy answer",
    assumes: &["effects are better explained by the other columns than causes (an artefact of simulations)"],
    takes: Capabilities::NUMBERS,
    build: |settings| Ok(Box::new(configure::<R2Sort>(settings)?)),
    resolve: |settings| describe(&configure::<R2Sort>(settings)?),
}];

/// Settings of `r2-sort`.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct R2Sort {
    /// Largest R² first. The paper sorts the other way.
    descending: bool,
}

impl Learner for R2Sort {
    fn learn(&self, sample: &Prepared, run: &mut Run<'_>) -> Result<Learned> {
        let ranks = ranks(&r_squared(sample)?, 1.0);
        Ok(by_rank(&ranks, self.descending, run, &mut run.seed.stream("order/r2-sort")))
    }
}
