//! From a known order to a graph.

use oslow_core::{ForgetfulCheckpoint, Observer, Ordering, Result, Run, Sample};

use crate::plan::Plan;
use crate::pool::with_threads;
use crate::prepared::Prepared;
use crate::{DiscoverOptions, DiscoveredEdge};

/// Prunes an order with the pruner of the options; their method is not asked.
pub fn prune(
    sample: &Sample,
    order: &Ordering,
    options: &DiscoverOptions,
    observer: &mut dyn Observer,
) -> Result<Vec<DiscoveredEdge>> {
    let plan = Plan::new(sample.names(), options)?;
    let prepared = Prepared::new(sample, options)?;
    let mut checkpoint = ForgetfulCheckpoint;
    with_threads(options.threads, |threads| {
        let knowledge = &plan.knowledge;
        let mut run = Run { seed: options.seed, knowledge, threads, observer, checkpoint: &mut checkpoint };
        let pruned = plan.pruner.prune(&prepared.scaled, order, &mut run)?;
        Ok(pruned.edges.iter().map(DiscoveredEdge::from).collect())
    })
}
