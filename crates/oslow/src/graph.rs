//! From what a learner found to a graph.

use oslow_core::{Dag, Error, ForgetfulCheckpoint, Learned, Prepared, PrunedEdge, Result, Run};

use crate::DiscoveredEdge;
use crate::plan::Plan;

/// The graph: what the pruner leaves of the order, or of the method's own graph where it yields no order; or that graph itself
/// where nobody asked to prune it or where it is what the pruner would give. And whether pruning was stopped before it was
/// finished.
pub(crate) fn graph(
    plan: &Plan,
    sample: &Prepared,
    learned: &Learned,
    run: &mut Run<'_>,
) -> Result<(Vec<DiscoveredEdge>, bool)> {
    let pruner = plan.pruner_entry.name;
    let done = pruner == "none" || (learned.pruned_by == Some(pruner) && plan.pruner_by_default);
    let within = match (&learned.order, &learned.dag) {
        (_, Some(dag)) if done => return Ok((unweighted(dag), false)),
        (Some(order), _) => &Dag::tournament(order),
        (None, Some(dag)) => dag,
        (None, None) => {
            let message = format!("the method `{}` gave neither order nor graph", plan.method.name);
            return Err(Error::internal(message));
        }
    };
    // The run's own checkpoint is the learner's.
    let (observer, checkpoint) = (&mut *run.observer, &mut ForgetfulCheckpoint);
    let pruned = plan.pruner.prune(sample, within, &mut Run { observer, checkpoint, ..*run })?;
    Ok((pruned.edges.iter().map(DiscoveredEdge::from).collect(), pruned.interrupted))
}

fn unweighted(dag: &Dag) -> Vec<DiscoveredEdge> {
    dag.edges().into_iter().map(DiscoveredEdge::new).collect()
}

impl From<&PrunedEdge> for DiscoveredEdge {
    fn from(edge: &PrunedEdge) -> Self {
        Self { p_value: edge.p_value, ..Self::new((edge.from, edge.to)) }
    }
}
