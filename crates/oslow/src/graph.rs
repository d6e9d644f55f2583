//! From what a learner found to a graph.

use oslow_core::{
    Dag, Error, ForgetfulCheckpoint, Learned, Prepared, PrunedEdge, Result, Run, check_stop, unless_stopped,
};

use crate::DiscoveredEdge;
use crate::plan::Plan;

/// The pruner that takes no time.
const NO_PRUNER: &str = "none";

/// A graph and how it came about.
pub(crate) struct Graph {
    pub edges: Vec<DiscoveredEdge>,
    /// Whether somebody asked to stop before every edge was looked at.
    pub cut_short: bool,
    /// Whether that was before any edge was looked at.
    pub unpruned: bool,
}

/// The graph: what the pruner leaves of the order, or of the method's own graph where it yields no order; or that graph itself
/// where nobody asked to prune it or where it is what the pruner would give. No edges where the learner was stopped before it had
/// an answer.
pub(crate) fn graph(plan: &Plan, sample: &Prepared, learned: &Learned, run: &mut Run<'_>) -> Result<Graph> {
    let pruner = plan.pruner_entry.name;
    let done = pruner == NO_PRUNER || (learned.pruned_by == Some(pruner) && plan.pruner_by_default);
    let within = match (&learned.order, &learned.dag) {
        (_, Some(dag)) if done => return Ok(Graph::of(unweighted(dag))),
        (Some(order), _) => &Dag::tournament(order),
        (None, Some(dag)) => dag,
        (None, None) if learned.interrupted => return Ok(Graph::of(Vec::new())),
        (None, None) => {
            let message = format!("the method `{}` gave neither order nor graph", plan.method.name);
            return Err(Error::internal(message));
        }
    };
    // The run's own checkpoint is the learner's.
    let (observer, checkpoint) = (&mut *run.observer, &mut ForgetfulCheckpoint);
    pruned(plan, sample, within, &mut Run { observer, checkpoint, ..*run })
}

/// What the pruner leaves of a graph, or all of it where there was no time to prune.
pub(crate) fn pruned(plan: &Plan, sample: &Prepared, within: &Dag, run: &mut Run<'_>) -> Result<Graph> {
    let in_time = || {
        if plan.pruner_entry.name != NO_PRUNER {
            check_stop();
        }
        plan.pruner.prune(sample, within, run)
    };
    let pruned = unless_stopped(in_time).transpose()?;
    let unpruned = pruned.is_none();
    let pruned = match pruned {
        Some(pruned) => pruned,
        None => oslow_prune::unpruned(sample, within, run.knowledge)?,
    };
    let edges = pruned.edges.iter().map(DiscoveredEdge::from).collect();
    Ok(Graph { edges, cut_short: pruned.interrupted || unpruned, unpruned })
}

impl Graph {
    fn of(edges: Vec<DiscoveredEdge>) -> Self {
        Self { edges, cut_short: false, unpruned: false }
    }
}

fn unweighted(dag: &Dag) -> Vec<DiscoveredEdge> {
    dag.edges().into_iter().map(DiscoveredEdge::new).collect()
}

impl From<&PrunedEdge> for DiscoveredEdge {
    fn from(edge: &PrunedEdge) -> Self {
        Self { p_value: edge.p_value, ..Self::new((edge.from, edge.to)) }
    }
}
