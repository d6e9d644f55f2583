//! What a discovery found, and its JSON.

use oslow_core::{Dag, History, OrderAlternative, Ordering, Outliers, Result, Seed, Standardize};
use oslow_report::EdgeAttributes;
use serde::Serialize;

/// Everything that a run of [`discover`](crate::discover) found.
#[derive(Clone, Debug)]
pub struct Discovery {
    /// The order learner.
    pub method: &'static str,
    /// The pruner.
    pub prune: &'static str,
    /// What the data is called.
    pub dataset: Option<String>,
    /// Rows that were used.
    pub rows: usize,
    /// Rows that were left out as outliers.
    pub rows_removed: usize,
    /// How columns were brought to a common scale.
    pub standardize: Standardize,
    /// Which rows were held to be outliers.
    pub outliers: Outliers,
    /// The columns' names.
    pub columns: Vec<String>,
    /// The causal order, where the method yields one.
    pub order: Option<Ordering>,
    /// The edges, by cause and then effect.
    pub edges: Vec<DiscoveredEdge>,
    /// Held-out negative log-likelihood per row in standardised units, where the method has one.
    pub nll: Option<f64>,
    /// Where training left the method's own objective, per row, lower is better; methods differ in what it is.
    pub objective: Option<f64>,
    /// Other orders that the method has to offer.
    pub alternatives: Vec<OrderAlternative>,
    /// What must hold for the answer to be right.
    pub assumptions: Vec<&'static str>,
    /// How many orders are as good as the answer, itself included, where that is known.
    pub ties: Option<usize>,
    /// The seed of the run.
    pub seed: Seed,
    /// How long it took.
    pub seconds: f64,
    /// How training went, where there was any.
    pub history: Option<History>,
    /// The fitted model as a safetensors file, where there is one.
    pub model: Option<Vec<u8>>,
    /// Whether the run was stopped before it was finished.
    pub interrupted: bool,
}

/// An edge, cause → effect, by column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscoveredEdge {
    /// The cause.
    pub from: usize,
    /// The effect.
    pub to: usize,
    /// The p-value, where the pruner tests.
    pub p_value: Option<f64>,
    /// How often a bootstrap found it, where there was one.
    pub confidence: Option<f64>,
}

/// The JSON of `oslow discover --json`: keys in the documented order.
#[derive(Serialize)]
struct Written<'a> {
    method: &'a str,
    prune: &'a str,
    dataset: Option<&'a str>,
    rows: usize,
    rows_removed: usize,
    standardize: String,
    outliers: String,
    columns: &'a [String],
    order: Option<Vec<&'a str>>,
    edges: Vec<WrittenEdge<'a>>,
    nll: Option<f64>,
    alternatives: Vec<WrittenAlternative<'a>>,
    assumptions: &'a [&'static str],
    ties: Option<usize>,
    seed: u64,
    interrupted: bool,
    seconds: f64,
    version: &'static str,
}

#[derive(Serialize)]
struct WrittenEdge<'a> {
    from: &'a str,
    to: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    p_value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
}

#[derive(Serialize)]
struct WrittenAlternative<'a> {
    rule: &'a str,
    order: Vec<&'a str>,
    nll: Option<f64>,
}

impl Discovery {
    /// The JSON of `oslow discover --json`, indented, with a line break at the end.
    pub fn to_json(&self) -> Result<String> {
        let name = |node: usize| self.columns[node].as_str();
        let edge = |e: &DiscoveredEdge| WrittenEdge {
            from: name(e.from),
            to: name(e.to),
            p_value: e.p_value,
            confidence: e.confidence,
        };
        let written = Written {
            method: self.method,
            prune: self.prune,
            dataset: self.dataset.as_deref(),
            rows: self.rows,
            rows_removed: self.rows_removed,
            standardize: self.standardize.to_string(),
            outliers: self.outliers.to_string(),
            columns: &self.columns,
            order: self.order.as_ref().map(|order| order.names(&self.columns)),
            edges: self.edges.iter().map(edge).collect(),
            nll: self.nll,
            alternatives: self.alternatives.iter().map(|other| self.alternative(other)).collect(),
            assumptions: &self.assumptions,
            ties: self.ties,
            seed: self.seed.0,
            interrupted: self.interrupted,
            seconds: self.seconds,
            version: crate::identity::VERSION,
        };
        let text = serde_json::to_string_pretty(&written);
        Ok(text.map_err(|e| oslow_core::Error::input(format!("the result cannot be written: {e}")))? + "\n")
    }

    fn alternative<'a>(&'a self, other: &'a OrderAlternative) -> WrittenAlternative<'a> {
        WrittenAlternative { rule: other.rule, order: other.order.names(&self.columns), nll: other.nll }
    }

    /// The edges as a graph.
    pub fn dag(&self) -> Result<Dag> {
        let edges: Vec<_> = self.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        Dag::new(self.columns.len(), &edges)
    }

    /// The edges with their evidence, as writers of graphs take them.
    pub fn edge_attributes(&self) -> Vec<(oslow_core::Edge, EdgeAttributes)> {
        let known = |e: &DiscoveredEdge| EdgeAttributes { p_value: e.p_value, confidence: e.confidence };
        self.edges.iter().map(|edge| ((edge.from, edge.to), known(edge))).collect()
    }
}
