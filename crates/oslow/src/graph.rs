//! From what a learner found to a graph.

use oslow_core::{Dag, Error, Learned, PrunedEdge, Result, Run, Sample};

use crate::DiscoveredEdge;
use crate::plan::Plan;

/// The graph: the pruner's, or the method's own where it yields one and nobody asked to prune it, where it is what the
/// pruner would give, or where there is no order to prune. And whether pruning was stopped before it was finished.
pub(crate) fn graph(
    plan: &Plan,
    sample: &Sample,
    learned: &Learned,
    run: &mut Run<'_>,
) -> Result<(Vec<DiscoveredEdge>, bool)> {
    let pruner = plan.pruner_entry.name;
    let done = pruner == "none" || (learned.pruned_by == Some(pruner) && plan.pruner_by_default);
    match (&learned.order, &learned.dag) {
        (None, Some(dag)) => Ok((unweighted(dag), false)),
        (Some(_), Some(dag)) if done => Ok((unweighted(dag), false)),
        (Some(order), _) => {
            let pruned = plan.pruner.prune(sample, order, run)?;
            Ok((pruned.edges.iter().map(DiscoveredEdge::from).collect(), pruned.interrupted))
        }
        (None, None) => {
            Err(Error::input(format!("the method `{}` gave neither order nor graph", plan.method.name)))
        }
    }
}

fn unweighted(dag: &Dag) -> Vec<DiscoveredEdge> {
    dag.edges()
        .into_iter()
        .map(|(from, to)| DiscoveredEdge { from, to, p_value: None, confidence: None })
        .collect()
}

impl From<&PrunedEdge> for DiscoveredEdge {
    fn from(edge: &PrunedEdge) -> Self {
        Self { from: edge.from, to: edge.to, p_value: edge.p_value, confidence: None }
    }
}
