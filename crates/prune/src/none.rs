//! No pruning: every earlier variable stays a candidate cause of every later one.
//!
//! # Assumes
//! Nothing beyond the order.
//! # Algorithm
//! The tournament of the order, or the graph of a learner that yields no order, without the edges that knowledge forbids.
//! # Cost
//! O(d²).

use oslow_core::{
    Capabilities, Dag, Knowledge, Prepared, Pruned, PrunedEdge, Pruner, PrunerEntry, Result, Run, configure,
    describe,
};
use serde::{Deserialize, Serialize};

use crate::candidates::Candidates;

/// The pruner's entry in the registry.
pub(crate) const ENTRY: PrunerEntry = PrunerEntry {
    name: "none",
    summary: "every earlier variable stays a candidate cause of every later one",
    assumes: &[],
    takes: Capabilities::EVERYTHING,
    build: |settings| Ok(Box::new(configure::<Unpruned>(settings)?)),
    resolve: |settings| describe(&configure::<Unpruned>(settings)?),
};

/// Keeps every edge; it has no settings.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Unpruned {}

impl Pruner for Unpruned {
    fn prune(&self, sample: &Prepared, within: &Dag, run: &mut Run<'_>) -> Result<Pruned> {
        unpruned(sample, within, run.knowledge)
    }
}

/// Every edge that knowledge allows.
pub fn unpruned(sample: &Prepared, within: &Dag, knowledge: &Knowledge) -> Result<Pruned> {
    let Candidates { causes, .. } = Candidates::new(sample, within, knowledge)?;
    let edge = |from, to| PrunedEdge { from, to, p_value: None };
    let of = |(to, causes): (usize, &Vec<usize>)| {
        causes.iter().map(move |&from| edge(from, to)).collect::<Vec<_>>()
    };
    Pruned::new(within.nodes(), causes.iter().enumerate().flat_map(of).collect(), false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{ForgetfulCheckpoint, Knowledge, Ordering, Preparing, Sample, Seed, Silent};

    #[test]
    fn without_knowledge_it_is_the_tournament() {
        let names: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        let sample = Sample::new(names, vec![1., 2., 3., 4., 5., 7.]).unwrap();
        let sample = Prepared::new(&sample, Preparing::as_given()).unwrap();
        let order = Ordering::new(vec![2, 0, 1]).unwrap();
        let (mut observer, mut checkpoint) = (Silent, ForgetfulCheckpoint);
        let mut run = Run {
            seed: Seed(0),
            knowledge: &Knowledge::none(3),
            threads: 1,
            observer: &mut observer,
            checkpoint: &mut checkpoint,
        };
        let tournament = Dag::tournament(&order);
        let pruned = Unpruned {}.prune(&sample, &tournament, &mut run).unwrap();
        assert_eq!(pruned.dag, tournament);
    }
}
