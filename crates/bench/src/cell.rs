//! One run of one contestant on one data set, judged with every pruner.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use oslow::metrics::{Answer, METRICS, r2_sortability, var_sortability};
use oslow::{
    Dag, DiscoverOptions, Error, ForgetfulCheckpoint, Observer, Ordering, Prepared, Preparing, Result,
    Sample, Seed, Settings, StableHash, Standardize, VERSION, discover, find, methods, prune_graph, pruners,
};

use crate::experiment::{Contestant, Experiment};
use crate::memory::Memory;
use crate::problem::Problem;
use crate::row::Row;
use crate::schedule::Job;

/// Who is judged.
#[derive(Clone, Debug)]
pub enum Entrant {
    /// A registered method.
    Method(Contestant),
    /// The truth's own order: what a pruner makes of it is the floor of every method.
    TrueOrder,
    /// No edges at all.
    EmptyGraph,
}

impl Entrant {
    /// What the tables call it.
    pub fn label(&self) -> &str {
        match self {
            Self::Method(contestant) => contestant.label(),
            Self::TrueOrder => "true order",
            Self::EmptyGraph => "empty graph",
        }
    }

    /// The pruners that its orders are given to.
    pub fn pruners<'a>(&'a self, experiment: &'a Experiment) -> &'a [String] {
        match self {
            Self::Method(contestant) => contestant.pruners(experiment),
            Self::TrueOrder | Self::EmptyGraph => &experiment.prune,
        }
    }
}

/// The name of a method's own answer among its orders.
pub const ANSWER: &str = "answer";

/// One run of one entrant on one problem.
#[derive(Debug)]
pub struct Cell {
    key: String,
    problem: Problem,
    entrant: Entrant,
    run: u64,
    pruners: Vec<String>,
    options: DiscoverOptions,
    memory: Memory,
}

impl Cell {
    /// The cell with everything that it depends on.
    pub fn new(
        experiment: &Experiment,
        problem: Problem,
        entrant: Entrant,
        run: u64,
        memory: &Memory,
    ) -> Result<Self> {
        let mut options = DiscoverOptions {
            standardize: experiment.standardize.parse()?,
            outliers: experiment.outliers.parse()?,
            seed: Seed(run),
            // The order is learned once and then given to each pruner.
            prune: "none".into(),
            threads: Some(1),
            ..DiscoverOptions::default()
        };
        let mut method = String::new();
        if let Entrant::Method(contestant) = &entrant {
            options.method.clone_from(&contestant.name);
            options.settings.clone_from(&contestant.settings);
            overlay(&mut options.settings, problem.told.get(&contestant.name));
            if let Some(other) = &contestant.standardize {
                options.standardize = other.parse::<Standardize>()?;
            }
            let resolved = (find("method", &contestant.name, methods())?.resolve)(&options.settings)?;
            method = format!("{}\n{resolved}\n{:?}", contestant.name, contestant.also);
        }
        let pruners = entrant.pruners(experiment).to_vec();
        let pruning = pruners.iter().map(|name| pruner_settings(name)).collect::<Result<Vec<_>>>()?;
        let identity = [
            VERSION,
            entrant.label(),
            &method,
            &problem.identity()?,
            &options.standardize.to_string(),
            &options.outliers.to_string(),
            &run.to_string(),
            &pruning.join("\n"),
        ]
        .join("\n\n");
        let (key, memory) = (StableHash::of(&identity)[..16].into(), memory.clone());
        Ok(Self { key, problem, entrant, run, pruners, options, memory })
    }

    /// Rows of every order and pruner; `None` if it was stopped.
    fn rows(&self, observer: &mut dyn Observer) -> Result<Option<Vec<Row>>> {
        let (sample, truth) = self.problem.shuffled(self.run)?;
        let judged = Judged { cell: self, row: self.head(&sample, &truth)?, sample: &sample, truth: &truth };
        let contestant = match &self.entrant {
            Entrant::EmptyGraph => {
                let empty = Dag::empty(truth.nodes());
                return Ok(Some(vec![judged.row(None, Some(&empty))]));
            }
            Entrant::TrueOrder => {
                return judged.pruned(&Found::order(&truth.topological_order()), &[], observer);
            }
            Entrant::Method(contestant) => contestant,
        };
        let found = discover(&sample, &self.options, observer, &mut ForgetfulCheckpoint)?;
        if found.interrupted {
            return Ok(None);
        }
        let own = found.dag()?;
        let row = Row {
            nll: found.nll,
            objective: found.objective,
            seconds: Some(found.seconds),
            ..judged.row.clone()
        };
        let judged = Judged { row, ..judged };
        let answer = match &found.order {
            Some(order) => Found::order(order),
            None => Found { order: None, within: own.clone() },
        };
        let known: Vec<(&str, &Dag)> =
            ["none"].into_iter().chain(found.pruned_by).map(|name| (name, &own)).collect();
        let Some(mut rows) = judged.pruned(&answer, &known, observer)? else { return Ok(None) };
        for rule in &contestant.also {
            let other = found
                .alternatives
                .iter()
                .find(|other| other.rule == rule)
                .ok_or_else(|| Error::input(format!("`{}` offers no order `{rule}`", contestant.name)))?;
            let row = Row { rule: rule.clone(), nll: other.nll, ..judged.row.clone() };
            match (Judged { row, ..judged }).pruned(&Found::order(&other.order), &[], observer)? {
                Some(more) => rows.extend(more),
                None => return Ok(None),
            }
        }
        Ok(Some(rows))
    }

    /// What all rows have in common.
    fn head(&self, sample: &Sample, truth: &Dag) -> Result<Row> {
        let as_given = Prepared::new(sample, Preparing::as_given())?;
        Ok(Row {
            nodes: truth.nodes(),
            rows: sample.rows(),
            edges: truth.edges().len(),
            var_sortability: var_sortability(truth, &as_given),
            r2_sortability: r2_sortability(truth, &as_given)?,
            ..self.name_tag()
        })
    }

    /// What is known without looking at the data.
    fn name_tag(&self) -> Row {
        let method = match &self.entrant {
            Entrant::Method(contestant) => contestant.name.clone(),
            _ => String::new(),
        };
        Row {
            column: self.problem.column.clone(),
            family: self.problem.family.clone(),
            problem: self.problem.name.clone(),
            data_seed: self.problem.seed,
            label: self.entrant.label().into(),
            method,
            rule: ANSWER.into(),
            standardize: self.options.standardize.to_string(),
            run: self.run,
            ..Row::default()
        }
    }

    fn failed(&self, why: String) -> Vec<Row> {
        vec![Row { error: why, ..self.name_tag() }]
    }
}

impl Job for Cell {
    fn key(&self) -> &str {
        &self.key
    }

    fn run(&self, observer: &mut dyn Observer) -> Option<Vec<Vec<String>>> {
        // A panic is a bug in one method; it must not cost the night's work of the others.
        let rows = match catch_unwind(AssertUnwindSafe(|| self.rows(observer))) {
            Ok(Ok(rows)) => rows?,
            Ok(Err(error)) => self.failed(error.to_string()),
            Err(panic) => self.failed(format!("panicked: {}", said(panic.as_ref()))),
        };
        Some(rows.iter().map(Row::fields).collect())
    }
}

/// What a contestant found.
struct Found<'a> {
    /// Its order, if it has one.
    order: Option<&'a Ordering>,
    /// The graph to choose from: the tournament of the order, or the contestant's own.
    within: Dag,
}

impl<'a> Found<'a> {
    fn order(order: &'a Ordering) -> Self {
        Self { order: Some(order), within: Dag::tournament(order) }
    }
}

/// A data set with its truth, and what its rows have in common.
struct Judged<'a> {
    cell: &'a Cell,
    row: Row,
    sample: &'a Sample,
    truth: &'a Dag,
}

impl Judged<'_> {
    /// A row for each pruner; `None` if one was stopped. Graphs that are known already (by the pruner's name) are not made
    /// again.
    fn pruned(
        &self,
        found: &Found<'_>,
        known: &[(&str, &Dag)],
        observer: &mut dyn Observer,
    ) -> Result<Option<Vec<Row>>> {
        let mut rows = Vec::new();
        for name in &self.cell.pruners {
            let start = Instant::now();
            let graph = match known.iter().find(|(pruner, _)| pruner == name) {
                Some((_, graph)) => Ok(Some((*graph).clone())),
                None => self.prune(&found.within, name, observer),
            };
            let seconds = start.elapsed().as_secs_f64();
            let row = match graph {
                Ok(Some(graph)) => self.row(found.order, Some(&graph)),
                Ok(None) => return Ok(None),
                Err(error) => Row { error: error.to_string(), ..self.row(found.order, None) },
            };
            rows.push(Row { prune: name.clone(), prune_seconds: Some(seconds), ..row });
        }
        Ok(Some(rows))
    }

    /// The pruned graph; `None` if it was stopped.
    fn prune(&self, within: &Dag, name: &str, observer: &mut dyn Observer) -> Result<Option<Dag>> {
        let options = DiscoverOptions { prune: name.into(), ..self.cell.options.clone() };
        let Cell { problem, run, memory, .. } = self.cell;
        let DiscoverOptions { standardize, outliers, .. } = &options;
        let mut known =
            memory.of(format!("{}\nrun {run}, {standardize}, {outliers}, {name}", problem.identity()?));
        let found = prune_graph(self.sample, within, &options, observer, &mut known)?;
        if found.interrupted { Ok(None) } else { found.dag().map(Some) }
    }

    /// The metrics of an answer.
    fn row(&self, order: Option<&Ordering>, graph: Option<&Dag>) -> Row {
        let answer = Answer { order, graph };
        let metrics = METRICS.iter().map(|metric| (metric.measure)(self.truth, &answer)).collect();
        Row { metrics, ..self.row.clone() }
    }
}

/// Every setting of a pruner, so that a change of its defaults makes a new cell.
fn pruner_settings(name: &str) -> Result<String> {
    Ok(format!("{name}\n{}", (find("pruner", name, pruners())?.resolve)(&Settings::new())?))
}

/// Puts settings over others, tables key by key.
fn overlay(settings: &mut Settings, over: Option<&Settings>) {
    for (key, value) in over.into_iter().flatten() {
        match (settings.get_mut(key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(value)) => overlay(inner, Some(value)),
            _ => drop(settings.insert(key.clone(), value.clone())),
        }
    }
}

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a word")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_overlaid_key_by_key() {
        let mut settings: Settings = "a = 1\n[flow]\nhidden = [8]\nbase = 'gaussian'".parse().unwrap();
        let over: Settings = "b = 2\n[flow]\nbase = 'laplace'".parse().unwrap();
        overlay(&mut settings, Some(&over));
        let expected: Settings = "a = 1\nb = 2\n[flow]\nhidden = [8]\nbase = 'laplace'".parse().unwrap();
        assert_eq!(settings, expected);
    }
}
