//! A random order: what every other method has to beat.
//!
//! # Assumes
//! Nothing.
//! # Model
//! None: the data is not looked at.
//! # Algorithm
//! A uniformly random permutation; with knowledge, a topological sort with its positions as priorities (which is
//! not uniform among the orders that respect it).
//! # Cost
//! O(d).
//! # Reference
//! The row "random" of every table.

use oslow_core::{
    Capabilities, Kind, Learned, Learner, Method, Ordering, Prepared, Result, Run, configure, describe,
};
use serde::{Deserialize, Serialize};

/// The method's entry in the registry.
pub(crate) const METHODS: &[Method] = &[Method {
    name: "random",
    kind: Kind::Trivial,
    summary: "a random order, to compare with",
    assumes: &[],
    takes: Capabilities::EVERYTHING,
    build: |settings| Ok(Box::new(configure::<Random>(settings)?)),
    resolve: |settings| describe(&configure::<Random>(settings)?),
}];

/// A random order; it has no settings.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Random {}

impl Learner for Random {
    fn learn(&self, sample: &Prepared, run: &mut Run<'_>) -> Result<Learned> {
        let drawn = Ordering::random(sample.columns(), &mut run.seed.stream("order/random"));
        Ok(Learned { order: Some(run.knowledge.precedence().project(&drawn)), ..Learned::default() })
    }
}
