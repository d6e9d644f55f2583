//! No pruning: every earlier variable stays a candidate cause of every later one.
//!
//! # Assumes
//! Nothing beyond the order.
//! # Algorithm
//! The tournament of the order, without the edges that knowledge forbids.
//! # Cost
//! O(d²).

use oslow_core::{
    Ordering, Pruned, PrunedEdge, Pruner, PrunerEntry, Result, Run, Sample, configure, describe,
};
use serde::{Deserialize, Serialize};

use crate::candidates::candidates;

/// The pruner's entry in the registry.
pub(crate) const ENTRY: PrunerEntry = PrunerEntry {
    name: "none",
    summary: "every earlier variable stays a candidate cause of every later one",
    assumes: &[],
    build: |settings| Ok(Box::new(configure::<Unpruned>(settings)?)),
    resolve: |settings| describe(&configure::<Unpruned>(settings)?),
};

/// Keeps every edge; it has no settings.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Unpruned {}

impl Pruner for Unpruned {
    fn prune(&self, sample: &Sample, order: &Ordering, run: &mut Run<'_>) -> Result<Pruned> {
        let candidates = candidates(sample, order, run.knowledge)?;
        let edge = |from, to| PrunedEdge { from, to, p_value: None };
        let of = |(to, causes): (usize, &Vec<usize>)| {
            causes.iter().map(move |&from| edge(from, to)).collect::<Vec<_>>()
        };
        Pruned::new(order.len(), candidates.iter().enumerate().flat_map(of).collect(), false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Dag, ForgetfulCheckpoint, Knowledge, Seed, Silent};

    #[test]
    fn without_knowledge_it_is_the_tournament() {
        let names: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        let sample = Sample::new(names, vec![1., 2., 3., 4., 5., 7.]).unwrap();
        let order = Ordering::new(vec![2, 0, 1]).unwrap();
        let (mut observer, mut checkpoint) = (Silent, ForgetfulCheckpoint);
        let mut run = Run {
            seed: Seed(0),
            knowledge: &Knowledge::none(3),
            threads: 1,
            observer: &mut observer,
            checkpoint: &mut checkpoint,
        };
        let pruned = Unpruned {}.prune(&sample, &order, &mut run).unwrap();
        assert_eq!(pruned.dag, Dag::tournament(&order));
    }
}
