//! Pruners: from an order to a graph.

use crate::{Dag, Ordering, Result, Run, Sample, Settings};

/// Chooses each node's parents among its predecessors.
pub trait Pruner: Send + Sync {
    /// The graph, with evidence per edge. Required edges stay, forbidden ones go.
    fn prune(&self, sample: &Sample, order: &Ordering, run: &mut Run<'_>) -> Result<Pruned>;
}

/// A pruned graph.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// The edges that stayed, by cause and then effect.
    pub edges: Vec<PrunedEdge>,
    /// The same as a graph.
    pub dag: Dag,
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
    /// Builds the pruner from settings; unknown keys are refused.
    pub build: fn(&Settings) -> Result<Box<dyn Pruner>>,
    /// Every setting, as it will be used.
    pub resolve: fn(&Settings) -> Result<Settings>,
}
