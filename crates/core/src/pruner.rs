//! Pruners: from an order, or a graph with too many edges, to a graph.

use crate::{Capabilities, Dag, Prepared, Result, Run, Settings};

/// Chooses each node's parents among its parents in a larger graph: the tournament of an order ([`Dag::tournament`]), or the
/// graph of a learner that yields no order.
pub trait Pruner: Send + Sync {
    /// The part of the larger graph `within` that stays, with evidence per edge. Required edges stay, forbidden ones go. If told
    /// to stop, edges that were not looked at stay, without evidence.
    fn prune(&self, sample: &Prepared, within: &Dag, run: &mut Run<'_>) -> Result<Pruned>;
}

/// A pruned graph.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// The edges that stayed, by cause and then effect.
    pub edges: Vec<PrunedEdge>,
    /// The same as a graph.
    pub dag: Dag,
    /// Whether it was stopped before every edge was looked at.
    pub interrupted: bool,
}

impl Pruned {
    /// The graph of these edges, which may come in any order.
    pub fn new(nodes: usize, mut edges: Vec<PrunedEdge>, interrupted: bool) -> Result<Self> {
        edges.sort_by_key(|edge| (edge.from, edge.to));
        let dag = Dag::new(nodes, &edges.iter().map(|edge| (edge.from, edge.to)).collect::<Vec<_>>())?;
        Ok(Self { edges, dag, interrupted })
    }
}

/// One edge and what speaks for it.
#[derive(Clone, Debug)]
pub struct PrunedEdge {
    /// The cause.
    pub from: usize,
    /// The effect.
    pub to: usize,
    /// The test's p-value, where the pruner tests.
    pub p_value: Option<f64>,
}

/// A registered pruner.
pub struct PrunerEntry {
    /// The name users type.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What must hold for the answer to be right.
    pub assumes: &'static [&'static str],
    /// What it can take.
    pub takes: Capabilities,
    /// Builds the pruner from settings; unknown keys are refused.
    pub build: fn(&Settings) -> Result<Box<dyn Pruner>>,
    /// Every setting, as it will be used.
    pub resolve: fn(&Settings) -> Result<Settings>,
}
