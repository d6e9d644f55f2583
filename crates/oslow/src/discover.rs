//! From a table to a graph, stage by stage.

use std::ops::ControlFlow;
use std::time::Instant;

use oslow_core::{Checkpoint, Error, Event, Learned, Observer, PrunedEdge, Result, Run, Sample};

use crate::plan::Plan;
use crate::pool::with_threads;
use crate::prepared::Prepared;
use crate::{DiscoverOptions, DiscoveredEdge, Discovery};

/// Learns the causal order of a table's columns and prunes it to a graph.
///
/// The observer is told of progress and may stop the run, which then gives the best it has
/// ([`Discovery::interrupted`]); the checkpoint keeps the state of long work.
pub fn discover(
    sample: &Sample,
    options: &DiscoverOptions,
    observer: &mut dyn Observer,
    checkpoint: &mut dyn Checkpoint,
) -> Result<Discovery> {
    let start = Instant::now();
    let plan = Plan::new(sample.names(), options)?;
    let Prepared { scaled, scaling } = Prepared::new(sample, options)?;
    let (learned, edges, cut_short) = with_threads(options.threads, |threads| {
        let knowledge = &plan.knowledge;
        let mut run = Run { seed: options.seed, knowledge, threads, observer, checkpoint };
        let learned = plan.learner.learn(&scaled, &mut run)?;
        let mut observer = AfterLearning { observer: run.observer, was_stopped: learned.interrupted };
        let mut run = Run { observer: &mut observer, ..run };
        let (edges, cut_short) = graph(&plan, &scaled, &learned, &mut run)?;
        Ok((learned, edges, cut_short))
    })?;
    let model = learned.model.as_ref().map(|model| model.to_safetensors(&scaling)).transpose()?;
    Ok(Discovery {
        method: plan.method.name,
        prune: plan.pruner_entry.name,
        dataset: options.dataset.clone(),
        rows: scaled.rows(),
        rows_removed: sample.rows() - scaled.rows(),
        standardize: options.standardize,
        outliers: options.outliers,
        columns: sample.names().to_vec(),
        order: learned.order,
        edges,
        nll: learned.nll,
        objective: learned.evidence.objective,
        alternatives: learned.evidence.alternatives,
        assumptions: plan.assumptions(),
        ties: learned.evidence.ties,
        seed: options.seed,
        seconds: start.elapsed().as_secs_f64(),
        history: learned.history,
        model,
        interrupted: learned.interrupted || cut_short,
    })
}

/// The graph: the pruner's, or the method's own where it yields one and nobody asked to prune it, or where there
/// is no order to prune. And whether pruning was stopped before it was finished.
fn graph(
    plan: &Plan,
    sample: &Sample,
    learned: &Learned,
    run: &mut Run<'_>,
) -> Result<(Vec<DiscoveredEdge>, bool)> {
    let unasked = plan.pruner_entry.name == "none";
    match (&learned.order, &learned.dag) {
        (None, Some(dag)) => Ok((unweighted(dag), false)),
        (Some(_), Some(dag)) if unasked => Ok((unweighted(dag), false)),
        (Some(order), _) => {
            let pruned = plan.pruner.prune(sample, order, run)?;
            Ok((pruned.edges.iter().map(DiscoveredEdge::from).collect(), pruned.interrupted))
        }
        (None, None) => {
            Err(Error::input(format!("the method `{}` gave neither order nor graph", plan.method.name)))
        }
    }
}

/// A learner that was told to stop has an order, and the user wants its graph: the pruner is not told again.
struct AfterLearning<'a> {
    observer: &'a mut dyn Observer,
    was_stopped: bool,
}

impl Observer for AfterLearning<'_> {
    fn on_event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            // What is said of a stopped run is how far its learning came.
            Event::Progress { .. } if self.was_stopped => ControlFlow::Continue(()),
            _ => self.observer.on_event(event),
        }
    }
}

fn unweighted(dag: &oslow_core::Dag) -> Vec<DiscoveredEdge> {
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
