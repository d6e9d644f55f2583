//! From a known order, or a graph with too many edges, to a graph.

use std::time::Instant;

use oslow_core::{Checkpoint, Dag, ForgetfulCheckpoint, Observer, Ordering, Prepared, Result, Run, Sample};

use crate::graph::pruned;
use crate::plan::Plan;
use crate::pool::with_threads;
use crate::{DiscoverOptions, Discovery, FoundCondition};

/// What [`Discovery::method`] says of an order or a graph that nobody learned.
const GIVEN: &str = "given";

/// Prunes an order with the pruner of the options; their method is not asked.
pub fn prune(
    sample: &Sample,
    order: &Ordering,
    options: &DiscoverOptions,
    observer: &mut dyn Observer,
) -> Result<Discovery> {
    let found = prune_graph(sample, &Dag::tournament(order), options, observer, &mut ForgetfulCheckpoint)?;
    Ok(Discovery { order: Some(order.clone()), ..found })
}

/// The same of a graph: its edges are what there is to choose from, and the answer has no order. The checkpoint keeps what
/// the pruner found out about the table, for further orders and graphs of the same table with the same options.
pub fn prune_graph(
    sample: &Sample,
    within: &Dag,
    options: &DiscoverOptions,
    observer: &mut dyn Observer,
    checkpoint: &mut dyn Checkpoint,
) -> Result<Discovery> {
    let start = Instant::now();
    let plan = Plan::of(sample, options)?;
    let prepared = Prepared::new(sample, options.preparing())?;
    let found = with_threads(options.threads, &observer.stop(), |threads| {
        let knowledge = &plan.knowledge;
        let mut run = Run { seed: options.seed, knowledge, threads, observer, checkpoint };
        pruned(&plan, &prepared, within, &mut run)
    })?;
    Ok(Discovery {
        method: GIVEN,
        prune: plan.pruner_entry.name,
        dataset: options.dataset.clone(),
        rows: prepared.rows(),
        rows_removed: sample.rows() - prepared.rows(),
        rows_drawn: None,
        standardize: options.standardize,
        outliers: options.outliers,
        columns: sample.names().to_vec(),
        order: None,
        edges: found.edges,
        pruned_by: None,
        nll: None,
        objective: None,
        gap: None,
        probabilities: None,
        parent_sets: None,
        nll_no_causes: None,
        checks: Vec::new(),
        seen: Vec::new(),
        determined: Vec::new(),
        conditions: FoundCondition::all(prepared.conditions(), &[]),
        candidates: None,
        alternatives: Vec::new(),
        assumptions: plan.pruner_entry.assumes.to_vec(),
        ties: None,
        confidence: None,
        seed: options.seed,
        seconds: start.elapsed().as_secs_f64(),
        history: None,
        model: None,
        interrupted: found.cut_short,
        unpruned: found.unpruned,
    })
}
