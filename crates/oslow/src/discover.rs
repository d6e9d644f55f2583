//! From a table to a graph, stage by stage.

use std::ops::ControlFlow;
use std::time::Instant;

use oslow_core::{
    Checkpoint, Event, ForgetfulCheckpoint, Knowledge, Learned, Observer, Prepared, Result, Run, Sample,
    SeenColumn, Standardizer, Stop, unless_stopped,
};
use oslow_flow::{FitConfig, FittedFlow};

use crate::bootstrap::{check_number, count, run_resamples};
use crate::graph::{Graph, graph};
use crate::parted_checkpoint::PartedCheckpoint;
use crate::plan::Plan;
use crate::pool::with_threads;
use crate::{DiscoverOptions, Discovery, FoundCondition, forecast};

/// Learns the causal order of a table's columns and prunes it to a graph. With
/// [`bootstrap`](DiscoverOptions::bootstrap) the same is then done on resamples of the rows, which changes nothing
/// about the answer and says how sure it is ([`Discovery::confidence`]).
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
    let Some(resamples) = options.bootstrap else {
        let found = answer(sample, options, observer, checkpoint)?;
        let found = with_model(found, sample, options, observer)?;
        return Ok(Discovery { seconds: start.elapsed().as_secs_f64(), ..found });
    };
    check_number(resamples)?;
    let mut checkpoint = PartedCheckpoint::open(checkpoint)?;
    let found = answer(sample, options, observer, &mut checkpoint.learner())?;
    // A run that was stopped begins no resamples; those that it finished before it was resumed still count.
    let observer = if found.interrupted { &mut Stopped as &mut dyn Observer } else { observer };
    let confidence = with_threads(options.threads, &observer.stop(), |threads| {
        let checkpoint = &mut checkpoint.resamples();
        let finished = run_resamples(sample, options, 0..resamples, threads, observer, checkpoint)?;
        count(sample.columns(), resamples, &finished)
    })?;
    let found = with_model(found.with_confidence(confidence), sample, options, observer)?;
    Ok(Discovery { seconds: start.elapsed().as_secs_f64(), ..found })
}

/// Refuses, before work starts, options that cannot be carried out on a table.
pub fn check_options(sample: &Sample, options: &DiscoverOptions) -> Result<()> {
    Plan::of(sample, options)?;
    if let Some(resamples) = options.bootstrap {
        check_number(resamples)?;
    }
    Prepared::new(sample, options.preparing()).map(drop)
}

/// The answer with a flow of its graph, where one is wanted and the answer is whole.
fn with_model(
    found: Discovery,
    sample: &Sample,
    options: &DiscoverOptions,
    observer: &mut dyn Observer,
) -> Result<Discovery> {
    if !options.fit || found.interrupted {
        return Ok(found);
    }
    let graph = found.dag()?;
    let order = found.order.clone().unwrap_or_else(|| graph.topological_order());
    let prepared = Prepared::new(sample, options.preparing())?;
    let fitted = with_threads(options.threads, &observer.stop(), |threads| {
        let (knowledge, checkpoint) = (&Knowledge::of_graph(&graph), &mut ForgetfulCheckpoint);
        let mut run = Run { seed: options.seed, knowledge, threads, observer, checkpoint };
        unless_stopped(|| FittedFlow::fit(&prepared, &order, &FitConfig::default(), &mut run)).transpose()
    })?;
    match fitted {
        Some((flow, false)) => Ok(Discovery { model: Some(flow.to_bytes()?), ..found }),
        _ => Ok(Discovery { interrupted: true, ..found }),
    }
}

/// The stages on the whole table.
fn answer(
    sample: &Sample,
    options: &DiscoverOptions,
    observer: &mut dyn Observer,
    checkpoint: &mut dyn Checkpoint,
) -> Result<Discovery> {
    let start = Instant::now();
    let plan = Plan::of(sample, options)?;
    let prepared = Prepared::new(sample, options.preparing())?;
    let (learned, graph) = with_threads(options.threads, &observer.stop(), |threads| {
        let knowledge = &plan.knowledge;
        let needs = forecast::of_discovery(&plan, &prepared, options.bootstrap, threads);
        forecast::announce(needs, threads, observer);
        let mut run = Run { seed: options.seed, knowledge, threads, observer, checkpoint };
        let learned = learn(&plan, &prepared, &mut run)?;
        let mut observer = AfterLearning { observer: run.observer, was_stopped: learned.interrupted };
        let mut run = Run { observer: &mut observer, ..run };
        let graph = graph(&plan, &prepared, &learned, &mut run)?;
        Ok((learned, graph))
    })?;
    let Graph { edges, cut_short, unpruned } = graph;
    let model = learned.model.as_ref().map(|model| model.to_safetensors()).transpose()?;
    let found = Discovery {
        method: plan.method.name,
        prune: plan.pruner_entry.name,
        dataset: options.dataset.clone(),
        rows: prepared.rows(),
        rows_removed: sample.rows() - prepared.rows(),
        rows_drawn: learned.evidence.rows_drawn,
        standardize: options.standardize,
        outliers: options.outliers,
        columns: sample.names().to_vec(),
        order: learned.order,
        edges,
        pruned_by: learned.pruned_by,
        nll: learned.nll,
        objective: learned.evidence.objective,
        gap: learned.evidence.gap,
        probabilities: learned.evidence.probabilities,
        parent_sets: learned.evidence.parent_sets,
        nll_no_causes: learned.evidence.nll_no_causes,
        checks: learned.evidence.checks,
        candidates: learned.evidence.candidates,
        seen: in_data_units(learned.evidence.seen, prepared.scaling()),
        determined: learned.evidence.determined,
        conditions: FoundCondition::all(prepared.conditions(), &learned.evidence.targets),
        alternatives: learned.evidence.alternatives,
        assumptions: plan.assumptions(sample),
        ties: learned.evidence.ties,
        confidence: None,
        seed: options.seed,
        seconds: start.elapsed().as_secs_f64(),
        history: learned.history,
        model,
        interrupted: learned.interrupted || cut_short,
        unpruned,
    };
    Ok(found.with_evidence(&learned.evidence.edges))
}

/// What the learner finds, or nothing where it was stopped before it had found anything.
pub(crate) fn learn(plan: &Plan, sample: &Prepared, run: &mut Run<'_>) -> Result<Learned> {
    let nothing = Learned { interrupted: true, ..Learned::default() };
    unless_stopped(|| plan.learner.learn(sample, run)).unwrap_or(Ok(nothing))
}

/// Steps of grids in the units of the data.
fn in_data_units(seen: Vec<SeenColumn>, scaling: &Standardizer) -> Vec<SeenColumn> {
    let unscaled =
        |(seen, scale): (SeenColumn, &f64)| SeenColumn { grid: seen.grid.map(|step| step * scale), ..seen };
    seen.into_iter().zip(&scaling.scale).map(unscaled).collect()
}

/// A learner that was told to stop has an order, and the user wants its graph: the pruner is not told again of what was answered between steps.
/// Where a [`Stop`] is due, the pruner has no time left.
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

    fn stop(&self) -> Stop {
        self.observer.stop()
    }
}

/// Somebody has already asked to stop.
struct Stopped;

impl Observer for Stopped {
    fn on_event(&mut self, _: &Event<'_>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}
