//! The exact engine: the globally best order, not a sampled one.
//!
//! # Assumes
//! No hidden common causes, no cycles; each variable, or its normal score, is a function of its causes plus noise of any shape scaled by another function.
//! # Model
//! A valid order is one with the smallest expected negative log-likelihood (the paper's Proposition), which is a sum over variables:
//! ℓ(π) = Σⱼ ℓⱼ(predecessors of j). So let L[j, S] be the held-out negative log-likelihood of variable j given the set S of causes
//! ([`oslow_exact::Scorer`]), and let each cause cost a price λ.
//! # Algorithm
//! 0. Coordinates: columns as they are, as logarithms or as normal scores, whichever predicts the table better.
//! 1. Candidate causes of each variable: all others in small tables, else a forward selection: of those that tell something one by
//!    one, and of those that do so together.
//! 2. L[j, S] for every subset S of the candidates that may be worth its price.
//! 3. best[S ∪ {j}] = min over j of best[S] + min over T ⊆ S of (L[j, T] + λ|T|), over all sets S: the cheapest order and graph of
//!    all, given scores and candidates. Above `exact_up_to` variables a local search with a bound instead.
//! 4. Of tied orders one is drawn. The graph along it has the fewest causes that predict each variable nearly as well as the best
//!    ([`oslow_exact::Sufficient`]).
//! 5. How sure: rows are weighed at random again and again, and for each such table all orders and graphs are summed over
//!    ([`oslow_exact::ConfidenceConfig`]).
//! # Cost
//! Σⱼ 2^(candidates of j) scores, each a few milliseconds a fold; d·2^d steps and 16·2^d bytes for the search.
//! # Departs from the paper
//! It is not in the paper. One model a variable and set replaces the shared flow, dynamic programming the learnt distribution over
//! permutations.
//! # Reference
//! Koivisto, Sood: Exact Bayesian structure discovery in Bayesian networks. JMLR 5:549-573, 2004. Silander, Myllymäki: A simple
//! approach for finding the globally optimal Bayesian network structure. UAI 2006.

mod config;
mod forecast;

use oslow_core::{
    Capabilities, Check, Dag, EdgeEvidence, Evidence, Forecast, Kind, Learned, Learner, Method, Prepared,
    Result, Run, Target, configure, describe, unless_stopped,
};
use oslow_exact::search::{ExactSearch, Found};
use oslow_exact::{GraphProbabilities, LocalScores, Watch};

use config::ExactConfig;

/// The methods of this module.
pub(crate) const METHODS: &[Method] = &[Method {
    name: "exact",
    kind: Kind::Contestant,
    summary: "held-out likelihoods of every set of causes, and the best of all orders by dynamic programming",
    assumes: &[
        "no hidden common causes",
        "no cycles",
        "location-scale noise of any shape, after one monotone transform of each column: X = f(causes) + g(causes)·noise",
        "the probabilities of a discrete column are smooth functions of its causes",
        "independent rows",
    ],
    takes: Capabilities::EVERYTHING,
    build: |settings| {
        let config = configure::<ExactConfig>(settings)?;
        config.check()?;
        Ok(Box::new(Exact { config }))
    },
    resolve: |settings| describe(&configure::<ExactConfig>(settings)?),
}];

/// The learner.
struct Exact {
    config: ExactConfig,
}

impl Learner for Exact {
    fn learn(&self, sample: &Prepared, run: &mut Run<'_>) -> Result<Learned> {
        let config = &self.config;
        let d = sample.columns();
        let allowed = allowed_causes(d, run);
        let watch = Watch { observer: run.observer, checkpoint: run.checkpoint };
        let scores = LocalScores::compute(sample, &config.local, &allowed, run.knowledge, run.seed, watch)?;
        let costs = scores.costs(&config.local);
        let precedence = run.knowledge.precedence();
        let found: Found = if d <= config.exact_up_to {
            ExactSearch::new(&costs, precedence)?.draw(&mut run.seed.stream("order/exact/ties"))?
        } else {
            config.search().search(&costs, precedence, run.seed, run.observer)?
        };
        let dag = config.sufficient.dag(&scores, &found.order);
        let stopped = scores.interrupted || found.interrupted;
        let nll: f64 = costs
            .iter()
            .enumerate()
            .map(|(node, table)| table.mask(|other| found.dag.has(other, node)))
            .enumerate()
            .filter_map(|(node, mask)| scores.of(node)[mask as usize].as_ref())
            .map(|score| score.nll)
            .sum();
        // Of sets that were not scored nobody knows anything.
        let appraisal =
            (!stopped).then(|| unless_stopped(|| self.appraise(&scores, &found, dag.as_ref(), sample, run)));
        let Appraisal { complete, probabilities, checks, edges, targets } =
            appraisal.flatten().transpose()?.unwrap_or_default();
        let (probabilities, parent_sets) =
            probabilities.map(|GraphProbabilities { pairs, parent_sets }| (pairs, parent_sets)).unzip();
        let evidence = Evidence {
            probabilities,
            parent_sets,
            ties: found.ties.filter(|_| !stopped),
            objective: Some(found.cost),
            gap: (d > config.exact_up_to && !stopped).then(|| found.gap()),
            edges,
            nll_no_causes: scores.nll_no_causes(),
            checks,
            targets,
            candidates: Some(scores.candidates()),
            seen: scores.seen().to_vec(),
            rows_drawn: scores.rows_drawn(),
            determined: scores.determined().to_vec(),
            ..Evidence::default()
        };
        Ok(Learned {
            order: Some(found.order),
            dag,
            pruned_by: Some("likelihood"),
            nll: Some(nll),
            interrupted: stopped || !complete,
            evidence,
            ..Learned::default()
        })
    }

    fn forecast(&self, sample: &Prepared, run: &Run<'_>) -> Option<Forecast> {
        self.config.check().ok()?;
        Some(forecast::forecast(&self.config, sample, run.threads))
    }
}

/// What speaks for an answer and against it.
#[derive(Default)]
struct Appraisal {
    /// Whether nobody asked to stop meanwhile.
    complete: bool,
    probabilities: Option<GraphProbabilities>,
    checks: Vec<Check>,
    edges: Vec<EdgeEvidence>,
    targets: Vec<Target>,
}

impl Exact {
    /// How sure the answer is, whether its assumptions hold, and how strong its edges are.
    fn appraise(
        &self,
        scores: &LocalScores,
        found: &Found,
        dag: Option<&Dag>,
        sample: &Prepared,
        run: &mut Run<'_>,
    ) -> Result<Appraisal> {
        let ExactConfig { local, confidence, .. } = &self.config;
        let precedence = run.knowledge.precedence();
        let sure = confidence.draws > 0;
        let probabilities =
            sure.then(|| confidence.probabilities(scores, local, precedence, &found.order, run)).flatten();
        let checks = match dag {
            Some(dag) if self.config.checks => {
                scores.checks((&found.dag, dag), sample.names(), local, run.seed)?
            }
            _ => Vec::new(),
        };
        let edges = dag.map_or(Vec::new(), |dag| scores.edge_evidence(dag, local, run.seed));
        let targets = scores.targets(&found.dag, local, run.seed)?;
        Ok(Appraisal { complete: !sure || probabilities.is_some(), probabilities, checks, edges, targets })
    }
}

/// What knowledge leaves to each variable as causes.
fn allowed_causes(d: usize, run: &Run<'_>) -> Vec<Vec<usize>> {
    let precedence = run.knowledge.precedence();
    let may = |from: usize, node: usize| run.knowledge.allows(from, node) && !precedence.requires(node, from);
    (0..d).map(|node| (0..d).filter(|&from| may(from, node)).collect()).collect()
}
