//! What a discovery found, and its JSON.

use std::collections::{BTreeMap, HashSet};

use oslow_core::{
    Check, ColumnType, Dag, Edge, EdgeEvidence, History, OrderAlternative, Ordering, Outliers,
    PairProbabilities, ParentSet, Result, Seed, SeenColumn, Standardize, Transform,
};
use oslow_report::{EdgeAttributes, GraphPicture};
use serde::Serialize;

use crate::found_condition::ConditionRecord;
use crate::order_pairs::WrittenPairs;
use crate::{CheckRecord, Confidence, EdgeShare, FoundCondition};

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
    /// How many of these the method analysed, drawn at random, where those were not all.
    pub rows_drawn: Option<usize>,
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
    /// The pruner that gives the graph which the method found itself, where it did.
    pub pruned_by: Option<&'static str>,
    /// Held-out negative log-likelihood per row in standardised units, where the method has one.
    pub nll: Option<f64>,
    /// Where training left the method's own objective, per row, lower is better; methods differ in what it is.
    pub objective: Option<f64>,
    /// How much worse than the best the answer may be in that objective, where the search was not exact.
    pub gap: Option<f64>,
    /// How probable each edge is, whether the answer has it or not, where the method can tell.
    pub probabilities: Option<PairProbabilities>,
    /// By column, the likeliest sets of its direct causes, where the method can tell.
    pub parent_sets: Option<Vec<Vec<ParentSet>>>,
    /// What the data say about the assumptions, where the method looked.
    pub checks: Vec<Check>,
    /// What `nll` would be if no column had a cause, where that is known.
    pub nll_no_causes: Option<f64>,
    /// The candidate causes of each column, where the method chose some.
    pub candidates: Option<Vec<Vec<usize>>>,
    /// How the method saw each column, where it may have changed some; the step of a grid is in the data's units.
    pub seen: Vec<SeenColumn>,
    /// Columns that determine each other: nothing tells which is the cause.
    pub determined: Vec<(usize, usize)>,
    /// The conditions under which rows were observed, where there were several.
    pub conditions: Vec<FoundCondition>,
    /// Other orders that the method has to offer.
    pub alternatives: Vec<OrderAlternative>,
    /// What must hold for the answer to be right.
    pub assumptions: Vec<&'static str>,
    /// How many orders are as good as the answer, itself included, where that is known.
    pub ties: Option<usize>,
    /// How often resamples of the rows gave what, where there was a bootstrap.
    pub confidence: Option<Confidence>,
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
    /// Whether that was before pruning began: the edges are all that there are to choose from.
    pub unpruned: bool,
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
    /// How probable it is; where there was a bootstrap, the share of resamples whose graph has it.
    pub confidence: Option<f64>,
    /// Whether the data tell which way it points, where that is known.
    pub direction: Option<Direction>,
    /// How probable its direction is, given that there is an edge.
    pub direction_confidence: Option<f64>,
    /// How strong it is, where the method knows.
    pub strength: Option<EdgeEvidence>,
}

/// A direction is decided from this probability on.
pub const DECIDED: f64 = 0.8;
/// Tables with more columns than this have only pairs in their JSON that may have an edge, …
const ALL_PAIRS_UP_TO: usize = 100;
/// … with this probability or more.
const FEWEST_IN_PAIRS: f64 = 0.05;

/// Whether the data tell which way an edge points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// They do.
    Decided,
    /// They do not.
    Undecided,
}

impl std::fmt::Display for Direction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Decided => "decided",
            Self::Undecided => "undecided",
        })
    }
}

impl DiscoveredEdge {
    /// An edge of which nothing is known but that it is there.
    pub(crate) fn new((from, to): Edge) -> Self {
        Self {
            from,
            to,
            p_value: None,
            confidence: None,
            direction: None,
            direction_confidence: None,
            strength: None,
        }
    }
}

/// The JSON of `oslow discover --json`: keys in the documented order.
#[derive(Serialize)]
struct Written<'a> {
    method: &'a str,
    prune: &'a str,
    dataset: Option<&'a str>,
    rows: usize,
    rows_removed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows_drawn: Option<usize>,
    standardize: String,
    outliers: String,
    columns: &'a [String],
    order: Option<Vec<&'a str>>,
    edges: Vec<WrittenEdge<'a>>,
    nll: Option<f64>,
    alternatives: Vec<WrittenAlternative<'a>>,
    assumptions: &'a [&'static str],
    ties: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<WrittenPair<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nll_no_causes: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checks: Vec<CheckRecord<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    determined: Vec<[&'a str; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conditions: Vec<ConditionRecord<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    columns_info: Vec<WrittenColumn<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<BTreeMap<&'a str, Vec<&'a str>>>,
    #[serde(flatten)]
    confidence: Option<WrittenConfidence<'a>>,
    seed: u64,
    interrupted: bool,
    stopped: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unpruned: bool,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction_confidence: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gain: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gain_se: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effect: Option<String>,
}

/// What is known of two columns, whether the answer has an edge between them or not.
#[derive(Serialize)]
struct WrittenPair<'a> {
    a: &'a str,
    b: &'a str,
    a_to_b: f64,
    b_to_a: f64,
    none: f64,
    a_before_b: f64,
    a_causes_b: f64,
    b_causes_a: f64,
}

/// How a method saw a column.
#[derive(Serialize)]
struct WrittenColumn<'a> {
    name: &'a str,
    kind: ColumnType,
    transform: Transform,
    #[serde(skip_serializing_if = "Option::is_none")]
    log_end: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grid: Option<f64>,
    missing: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_sets: Option<Vec<WrittenSet<'a>>>,
}

/// A set of direct causes that a column may have.
#[derive(Serialize)]
struct WrittenSet<'a> {
    parents: Vec<&'a str>,
    probability: f64,
}

/// What a bootstrap adds besides the edges' own confidence.
#[derive(Serialize)]
struct WrittenConfidence<'a> {
    bootstrap: WrittenNumber,
    order_pairs: Option<WrittenPairs<'a>>,
    other_edges: Vec<OtherEdge<'a>>,
}

/// An edge of resamples that the answer does not have.
#[derive(Serialize)]
struct OtherEdge<'a> {
    from: &'a str,
    to: &'a str,
    confidence: f64,
}

#[derive(Serialize)]
struct WrittenNumber {
    resamples: usize,
    finished: usize,
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
            direction: e.direction.map(|direction| direction.to_string()),
            direction_confidence: e.direction_confidence,
            gain: e.strength.map(|strength| strength.gain),
            gain_se: e.strength.map(|strength| strength.gain_error),
            effect: e.strength.map(|strength| strength.effect.to_string()),
        };
        let written = Written {
            method: self.method,
            prune: self.prune,
            dataset: self.dataset.as_deref(),
            rows: self.rows,
            rows_removed: self.rows_removed,
            rows_drawn: self.rows_drawn,
            standardize: self.standardize.to_string(),
            outliers: self.outliers.to_string(),
            columns: &self.columns,
            order: self.order.as_ref().map(|order| order.names(&self.columns)),
            edges: self.edges.iter().map(edge).collect(),
            nll: self.nll,
            alternatives: self.alternatives.iter().map(|other| self.alternative(other)).collect(),
            assumptions: &self.assumptions,
            ties: self.ties,
            pairs: self.probabilities.as_ref().map_or(Vec::new(), |known| self.pairs(known)),
            nll_no_causes: self.nll_no_causes,
            checks: self.checks.iter().map(|check| CheckRecord::new(check, &self.columns)).collect(),
            determined: self.determined.iter().map(|&(a, b)| [name(a), name(b)]).collect(),
            conditions: (self.conditions.iter())
                .map(|condition| ConditionRecord::new(condition, &self.columns))
                .collect(),
            columns_info: (self.columns.iter().zip(&self.seen).enumerate())
                .map(|(node, (name, &SeenColumn { kind, transform, end, grid, missing }))| WrittenColumn {
                    name,
                    kind,
                    transform,
                    log_end: end,
                    grid,
                    missing,
                    parent_sets: self.parent_sets.as_ref().map(|sets| self.written_sets(&sets[node])),
                })
                .collect(),
            gap: self.gap,
            candidates: self.candidates.as_ref().map(|of| {
                let named = |nodes: &Vec<usize>| nodes.iter().map(|&node| name(node)).collect();
                of.iter().enumerate().map(|(node, candidates)| (name(node), named(candidates))).collect()
            }),
            confidence: self.confidence.as_ref().map(|confidence| self.written(confidence)),
            seed: self.seed.0,
            interrupted: self.interrupted,
            stopped: self.interrupted,
            unpruned: self.unpruned,
            seconds: self.seconds,
            version: crate::identity::VERSION,
        };
        let text = serde_json::to_string_pretty(&written);
        Ok(text.map_err(|e| oslow_core::Error::internal(format!("the result cannot be written: {e}")))?
            + "\n")
    }

    /// Every pair of columns once, in large tables those that may have an edge.
    fn pairs<'a>(&'a self, known: &PairProbabilities) -> Vec<WrittenPair<'a>> {
        let d = self.columns.len();
        let all = (0..d).flat_map(|a| (a + 1..d).map(move |b| (a, b)));
        let worth = |&(a, b): &Edge| d <= ALL_PAIRS_UP_TO || known.adjacent(a, b) >= FEWEST_IN_PAIRS;
        let pair = |(a, b): Edge| WrittenPair {
            a: &self.columns[a],
            b: &self.columns[b],
            a_to_b: rounded(known.edge(a, b)),
            b_to_a: rounded(known.edge(b, a)),
            none: rounded(1.0 - known.adjacent(a, b)),
            a_before_b: rounded(known.before(a, b)),
            a_causes_b: rounded(known.causes(a, b)),
            b_causes_a: rounded(known.causes(b, a)),
        };
        all.filter(worth).map(pair).collect()
    }

    /// The answer with what the method knows of its edges.
    #[must_use]
    pub(crate) fn with_evidence(mut self, evidence: &[EdgeEvidence]) -> Self {
        for edge in &mut self.edges {
            let known = self.probabilities.as_ref();
            edge.confidence = known.map(|known| rounded(known.edge(edge.from, edge.to)));
            edge.direction_confidence =
                known.and_then(|known| known.direction(edge.from, edge.to)).map(rounded);
            let determined = self.determined.contains(&(edge.from.min(edge.to), edge.from.max(edge.to)));
            edge.direction = match edge.direction_confidence {
                Some(known) if known >= DECIDED && !determined => Some(Direction::Decided),
                Some(_) => Some(Direction::Undecided),
                None => determined.then_some(Direction::Undecided),
            };
            edge.strength = evidence.iter().find(|one| one.edge == (edge.from, edge.to)).copied();
        }
        self
    }

    /// Pairs without an edge in the answer that have one more likely than not, the likeliest first.
    pub fn other_likely_pairs(&self) -> Vec<Edge> {
        let Some(known) = &self.probabilities else { return Vec::new() };
        let d = self.columns.len();
        let found: HashSet<Edge> = self.edges.iter().map(|e| (e.from.min(e.to), e.from.max(e.to))).collect();
        let all = (0..d).flat_map(|a| (a + 1..d).map(move |b| (a, b)));
        let mut others: Vec<Edge> =
            all.filter(|&(a, b)| !found.contains(&(a, b)) && known.adjacent(a, b) >= 0.5).collect();
        others.sort_by(|x, y| known.adjacent(y.0, y.1).total_cmp(&known.adjacent(x.0, x.1)));
        others
    }

    fn written_sets(&self, sets: &[ParentSet]) -> Vec<WrittenSet<'_>> {
        let set = |set: &ParentSet| WrittenSet {
            parents: set.parents.iter().map(|&parent| self.columns[parent].as_str()).collect(),
            probability: rounded(set.probability),
        };
        sets.iter().map(set).collect()
    }

    fn written<'a>(&'a self, confidence: &'a Confidence) -> WrittenConfidence<'a> {
        let columns = &self.columns;
        let other = |edge: EdgeShare| OtherEdge {
            from: &columns[edge.from],
            to: &columns[edge.to],
            confidence: edge.share,
        };
        WrittenConfidence {
            bootstrap: WrittenNumber { resamples: confidence.asked, finished: confidence.finished },
            order_pairs: confidence.order_pairs.as_ref().map(|pairs| WrittenPairs { pairs, columns }),
            other_edges: self.other_edges().into_iter().map(other).collect(),
        }
    }

    fn alternative<'a>(&'a self, other: &'a OrderAlternative) -> WrittenAlternative<'a> {
        WrittenAlternative { rule: other.rule, order: other.order.names(&self.columns), nll: other.nll }
    }

    /// The answer with what a bootstrap says of it.
    #[must_use]
    pub(crate) fn with_confidence(mut self, confidence: Confidence) -> Self {
        for edge in &mut self.edges {
            edge.confidence = confidence.of(edge.from, edge.to);
        }
        self.interrupted |= confidence.interrupted();
        Self { confidence: Some(confidence), ..self }
    }

    /// The edges that resamples have and the answer does not, the most frequent first.
    pub fn other_edges(&self) -> Vec<EdgeShare> {
        let answer: HashSet<_> = self.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        let found = self.confidence.iter().flat_map(|confidence| &confidence.edges);
        let mut others: Vec<EdgeShare> =
            found.filter(|edge| !answer.contains(&(edge.from, edge.to))).copied().collect();
        others.sort_by(|a, b| b.share.total_cmp(&a.share));
        others
    }

    /// The edges as a graph.
    pub fn dag(&self) -> Result<Dag> {
        let edges: Vec<_> = self.edges.iter().map(|edge| (edge.from, edge.to)).collect();
        Dag::new(self.columns.len(), &edges)
    }

    /// The picture of the graph: causes above effects.
    pub fn to_svg(&self) -> Result<String> {
        let (dag, attributes) = (self.dag()?, self.edge_attributes());
        let picture = GraphPicture {
            dag: &dag,
            names: &self.columns,
            order: self.order.as_ref(),
            attributes: &attributes,
        };
        Ok(picture.to_svg())
    }

    /// The edges with their evidence, as writers of graphs take them.
    pub fn edge_attributes(&self) -> Vec<(oslow_core::Edge, EdgeAttributes)> {
        let known = |e: &DiscoveredEdge| EdgeAttributes {
            p_value: e.p_value,
            confidence: e.confidence,
            direction_confidence: e.direction_confidence,
            decided: e.direction.map(|direction| direction == Direction::Decided),
        };
        self.edges.iter().map(|edge| ((edge.from, edge.to), known(edge))).collect()
    }
}

/// Four digits: more are not known.
fn rounded(probability: f64) -> f64 {
    (probability * 1e4).round() / 1e4
}
