//! Order learners: the contestants.

use crate::{
    Capabilities, Check, Dag, EdgeEvidence, Forecast, Interventional, Ordering, PairProbabilities, ParentSet,
    Prepared, Result, Run, SeenColumn, Settings, Target,
};

/// Learns a causal order (or a graph) from data. It sees a prepared sample and knowledge, never the truth.
pub trait Learner: Send + Sync {
    /// Learns; if told to stop, returns the best it has.
    fn learn(&self, sample: &Prepared, run: &mut Run<'_>) -> Result<Learned>;

    /// What [`Self::learn`] will need on the threads of the run, where it can be told without doing it.
    fn forecast(&self, _sample: &Prepared, _run: &Run<'_>) -> Option<Forecast> {
        None
    }
}

/// What a learner found.
#[derive(Default)]
pub struct Learned {
    /// The order, where the method yields one.
    pub order: Option<Ordering>,
    /// The graph, where the method yields one.
    pub dag: Option<Dag>,
    /// The pruner whose graph `dag` is: it need not be asked again.
    pub pruned_by: Option<&'static str>,
    /// Held-out negative log-likelihood per row of the answer, in the units of the sample.
    pub nll: Option<f64>,
    /// What speaks for the answer.
    pub evidence: Evidence,
    /// A fitted model of the answer, where there is one.
    pub model: Option<Box<dyn FittedModel>>,
    /// How training went, where there was any.
    pub history: Option<History>,
    /// Whether the run was stopped before it was finished.
    pub interrupted: bool,
}

/// What speaks for an answer.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// How many orders are as good as the answer, itself included, where that is known.
    pub ties: Option<usize>,
    /// Where training left the method's own objective, per row, lower is better. Only the method knows what it is:
    /// `oslow` has the expected loss under its distribution over orders, an ablation may cheat here.
    pub objective: Option<f64>,
    /// How much worse than the best the answer may be in that objective, where the search was not exact.
    pub gap: Option<f64>,
    /// How probable each edge is, whether the answer has it or not.
    pub probabilities: Option<PairProbabilities>,
    /// By column, the likeliest sets of its parents, where that is known.
    pub parent_sets: Option<Vec<Vec<ParentSet>>>,
    /// How strong the edges of the method's own graph are, where that is known.
    pub edges: Vec<EdgeEvidence>,
    /// What the data say about the method's assumptions, where it looked.
    pub checks: Vec<Check>,
    /// The answer's `nll` if no column had a cause.
    pub nll_no_causes: Option<f64>,
    /// The candidate causes of each column, where the method chose some.
    pub candidates: Option<Vec<Vec<usize>>>,
    /// How the method saw each column, where it may have changed some; empty where it did not.
    pub seen: Vec<SeenColumn>,
    /// How many rows were analysed, where those were not all.
    pub rows_drawn: Option<usize>,
    /// Columns that determine each other: nothing tells which is the cause.
    pub determined: Vec<(usize, usize)>,
    /// The conditions that act on columns, where rows were observed under several.
    pub targets: Vec<Target>,
    /// Other orders that the method has to offer, by name (`mode`, `best-validated`, …).
    pub alternatives: Vec<OrderAlternative>,
}

/// An order beside the answer.
#[derive(Clone, Debug)]
pub struct OrderAlternative {
    /// The rule that chose it.
    pub rule: &'static str,
    /// The order.
    pub order: Ordering,
    /// Held-out negative log-likelihood per row.
    pub nll: Option<f64>,
}

/// A table of numbers per step of training.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The columns' names.
    pub columns: Vec<&'static str>,
    /// One row a step.
    pub rows: Vec<Vec<f64>>,
}

/// A model that can be saved.
pub trait FittedModel: Interventional + Send + Sync {
    /// The model as a safetensors file.
    fn to_safetensors(&self) -> Result<Vec<u8>>;
}

/// What a method is in a table for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It is meant to be right.
    Contestant,
    /// It shows what happens when a part of another method is replaced.
    Ablation,
    /// It sorts by a statistic that should carry no causal information: where it is right, the data can be gamed.
    Diagnostic,
    /// It does not look at the data.
    Trivial,
}

/// A registered method.
pub struct Method {
    /// The name users type.
    pub name: &'static str,
    /// What it is in a table for.
    pub kind: Kind,
    /// One line.
    pub summary: &'static str,
    /// What must hold for the answer to be right.
    pub assumes: &'static [&'static str],
    /// What it can take.
    pub takes: Capabilities,
    /// Builds the learner from settings; unknown keys are refused.
    pub build: fn(&Settings) -> Result<Box<dyn Learner>>,
    /// Every setting, as it will be used.
    pub resolve: fn(&Settings) -> Result<Settings>,
}
