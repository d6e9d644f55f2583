//! The fewest predecessors that predict each variable as well as any.
//!
//! # Assumes
//! Each variable is a function of its causes plus noise scaled by another function.
//! # Model
//! L[j, S]: held-out negative log-likelihood of variable j given the set S of its predecessors ([`oslow_exact::Scorer`]).
//! # Algorithm
//! Candidates by forward selection among the predecessors, L for every subset of them; the smallest subset that predicts nearly as
//! well as the best stays ([`oslow_exact::Sufficient`]). After `exact` nothing is scored again: its own graph is this one.
//! # Cost
//! Σⱼ 2^(candidates of j) scores, each a few milliseconds a fold.
//! # Departs from the paper
//! It is not in the paper.

use oslow_core::{
    Capabilities, Dag, Error, Prepared, Pruned, PrunedEdge, Pruner, PrunerEntry, Result, Run, configure,
    describe,
};
use oslow_exact::{LocalConfig, LocalScores, Sufficient, Watch};
use serde::{Deserialize, Serialize};

use crate::candidates::Candidates;

/// The pruner's entry in the registry.
pub(crate) const ENTRY: PrunerEntry = PrunerEntry {
    name: "likelihood",
    summary: "the fewest predecessors that predict a variable nearly as well as the best, on held-out rows",
    assumes: &[
        "location-scale noise of any shape, after one monotone transform of each column: X = f(causes) + g(causes)·noise",
    ],
    takes: Capabilities::EVERYTHING,
    build: |settings| {
        let config = configure::<LikelihoodConfig>(settings)?;
        config.check()?;
        Ok(Box::new(Likelihood { config }))
    },
    resolve: |settings| describe(&configure::<LikelihoodConfig>(settings)?),
};

/// Settings of the pruner; [`Default`] is what we recommend.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LikelihoodConfig {
    /// How sets of causes are scored.
    local: LocalConfig,
    /// Which sets are good enough; the smallest of them stays.
    sufficient: Sufficient,
}

impl LikelihoodConfig {
    fn check(&self) -> Result<()> {
        self.sufficient.check()?;
        self.local.check()
    }
}

/// The pruner.
struct Likelihood {
    config: LikelihoodConfig,
}

impl Pruner for Likelihood {
    fn prune(&self, sample: &Prepared, within: &Dag, run: &mut Run<'_>) -> Result<Pruned> {
        let Candidates { order, causes: allowed } = Candidates::new(sample, within, run.knowledge)?;
        let watch = Watch { observer: run.observer, checkpoint: run.checkpoint };
        let scores =
            LocalScores::compute(sample, &self.config.local, &allowed, run.knowledge, run.seed, watch)?;
        let dag = self
            .config
            .sufficient
            .dag(&scores, &order)
            .ok_or_else(|| Error::internal("no set of causes that the knowledge requires was scored"))?;
        // Nothing is decided before every set was scored.
        let parents =
            |node: usize| if scores.interrupted { allowed[node].clone() } else { dag.parents(node) };
        let edges = (0..sample.columns())
            .flat_map(|to| parents(to).into_iter().map(move |from| PrunedEdge { from, to, p_value: None }));
        Pruned::new(sample.columns(), edges.collect(), scores.interrupted)
    }
}
