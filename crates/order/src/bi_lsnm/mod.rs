//! bi-LSNM: the direction of every pair by location-scale models of two variables (LOCI), then the order that agrees best.
//!
//! # Assumes
//! Each pair of variables, taken alone, is y = f(x) + g(x)·noise with Gaussian noise in the causal direction only. That is rarely so
//! with more than two variables, even where the whole is such a model: what is not looked at becomes noise. The appendix of the OSLow
//! paper has an example (`experiments/pairwise_counterexample.toml`).
//! # Model
//! Columns are standardised. y given x is normal with natural parameters η₁ = f₁(x) and η₂ = −½f₂(x), f₂ > 0: mean f₁/f₂, variance
//! 1/f₂ ([`NaturalNormal`]). `estimator = "net"`: a network 1-100-2 with tanh units and f₂ an exponential ([`net`]).
//! `estimator = "spline"`: f₁ and f₂ combine B-splines, those of f₂ with weights that are not negative, which makes the
//! penalised likelihood convex ([`spline`]).
//!
//! The score of x → y is log p(y | x) − log p(x | y) per row of the fits (`score = "likelihood"`; the marginal densities are normal and
//! cancel), or HSIC(y, residual of x) − HSIC(x, residual of y) (`score = "hsic"`, [`oslow_math::hsic`]).
//! # Algorithm
//! 1. Score every pair that knowledge does not order. A score of at least `least_score` either way is an arc of that weight.
//! 2. The order is one with the least weight of arcs against it among those that knowledge admits, drawn among equals: of all orders
//!    up to 20 columns, found by dynamic programming, above by insertions from many starts ([`Arcs::order`]).
//! 3. The arcs along the order are the graph with `--prune none`, where a pair that knowledge orders has no edge but a required one; other
//!    pruners begin from the order.
//! # Cost
//! d(d − 1) fits. `net`: `steps`·n·100 units, forward and back; `spline`: some 50 Newton steps of O(n·12² + 58³). HSIC: O(n²). Pairs are
//! spread over threads.
//! # Departs from the paper
//! LOCI is for two variables. The OSLow paper sorts many by "the pairwise comparisons"; its program sorts the graph of arcs
//! topologically, which fails where the arcs have a cycle. Here the arcs that are turned have the least weight. Its text speaks of
//! likelihood ratios, and so is our default; its program has HSIC as default. Differences of HSIC seldom reach 0.01, so that with
//! `score = "hsic"` and this `least_score` there are few arcs, mostly none, and the order is nearly one by chance; the published rows look so.
//!
//! `net`: no second factor on each output, and the best of all steps is the fit. `spline`: one Newton method with a barrier for
//! both sets of weights, which reaches the minimum that alternating ridge regressions and L-BFGS steps would. All fits start at
//! the same random network; the published program fixes one seed.
//! # Reference
//! Immer, Schultheiss, Vogt, Schölkopf, Bühlmann, Marx: On the identifiability and estimation of causal location-scale noise models.
//! ICML 2023.

mod arcs;
mod b_splines;
mod config;
mod natural_normal;
mod net;
mod spline;

use oslow_core::{
    Capabilities, Dag, Error, Event, Evidence, Kind, Knowledge, Learned, Learner, Method, Ordering, Prepared,
    Result, Run, check_stop, configure, describe, room_for, unless_stopped,
};
use oslow_math::hsic;
use rayon::prelude::*;

use arcs::Arcs;
use config::{BiLsnmConfig, Estimator, Score};
use natural_normal::NaturalNormal;
use net::Net;

/// The method's entry in the registry.
pub(crate) const METHODS: &[Method] = &[Method {
    name: "bi-lsnm",
    kind: Kind::Contestant,
    summary: "LOCI on every pair: the direction by location-scale models of two variables, then the order that agrees best",
    assumes: &[
        "each pair alone is a location-scale model in the causal direction only, which many variables rarely are",
        "the noise is Gaussian",
    ],
    takes: Capabilities::NUMBERS,
    build: |settings| {
        let config = configure::<BiLsnmConfig>(settings)?;
        config.check()?;
        Ok(Box::new(BiLsnm { config }))
    },
    resolve: |settings| describe(&configure::<BiLsnmConfig>(settings)?),
}];

/// The learner.
struct BiLsnm {
    config: BiLsnmConfig,
}

impl Learner for BiLsnm {
    fn learn(&self, sample: &Prepared, run: &mut Run<'_>) -> Result<Learned> {
        if self.config.score == Score::Hsic {
            let rows = sample.rows();
            let numbers = 0.5 * (rows as f64).powi(2) * run.threads as f64;
            let work = format!("HSIC of {rows} rows");
            room_for(&work, numbers, "draw fewer rows, or leave `score` at `likelihood`")?;
        }
        let start = Net::random(&mut run.seed.stream("order/bi-lsnm/net"));
        let pairs = open_pairs(run.knowledge);
        let total = pairs.len() as u64;
        let mut scores = Vec::with_capacity(pairs.len());
        let mut interrupted = false;
        for chunk in pairs.chunks(run.threads.max(1)) {
            let score = |&(a, b): &(usize, usize)| {
                let score = self.score(&start, sample.standard(a), sample.standard(b));
                score.map_err(|error| name_pair(error, sample, a, b))
            };
            let Some(scored) = unless_stopped(|| chunk.par_iter().map(score).collect::<Result<Vec<f64>>>())
            else {
                interrupted = true;
                break;
            };
            scores.extend(scored?);
            let done = scores.len() as u64;
            let event = Event::Progress { stage: "scoring pairs", done, total, loss: None, best: None };
            if run.observer.on_event(&event).is_break() && done < total {
                interrupted = true;
                break;
            }
        }
        if scores.is_empty() {
            check_stop();
        }
        let mut arcs = Arcs::new(sample.columns());
        for (&(a, b), score) in pairs.iter().zip(scores) {
            if score.abs() >= self.config.least_score {
                arcs.add(if score > 0.0 { (a, b) } else { (b, a) }, score.abs());
            }
        }
        let found = arcs.order(run.knowledge.precedence(), run.seed)?;
        let dag = graph(&arcs, &found.order, run.knowledge)?;
        let evidence = Evidence { ties: found.ties, objective: Some(found.against), ..Evidence::default() };
        Ok(Learned { order: Some(found.order), dag: Some(dag), evidence, interrupted, ..Learned::default() })
    }
}

impl BiLsnm {
    /// How much speaks for x → y, negative where y → x is the likelier.
    fn score(&self, start: &Net, x: &[f64], y: &[f64]) -> Result<f64> {
        let (forward, backward) = (self.fit(start, x, y)?, self.fit(start, y, x)?);
        let score = match self.config.score {
            Score::Likelihood => backward.nll(x) - forward.nll(y),
            Score::Hsic => hsic(y, &backward.residuals(x)) - hsic(x, &forward.residuals(y)),
        };
        if score.is_finite() { Ok(score) } else { Err(Error::non_finite("the score", "its last step")) }
    }

    /// The law of y given x.
    fn fit(&self, start: &Net, x: &[f64], y: &[f64]) -> Result<NaturalNormal> {
        match self.config.estimator {
            Estimator::Net => net::fit(start, x, y, self.config.steps, self.config.rate),
            Estimator::Spline => spline::fit(x, y, self.config.knots, self.config.degree, self.config.ridge),
        }
    }
}

/// The pairs whose order knowledge leaves open.
fn open_pairs(knowledge: &Knowledge) -> Vec<(usize, usize)> {
    let precedence = knowledge.precedence();
    let open = |&(a, b): &(usize, usize)| !precedence.requires(a, b) && !precedence.requires(b, a);
    (0..knowledge.len()).flat_map(|b| (0..b).map(move |a| (a, b))).filter(open).collect()
}

fn name_pair(error: Error, sample: &Prepared, a: usize, b: usize) -> Error {
    let pair = format!("the columns `{}` and `{}`", sample.names()[a], sample.names()[b]);
    match error {
        Error::NonFinite { what, step } => Error::non_finite(what, format!("{step} of {pair}")),
        other => other.at(pair),
    }
}

/// The arcs along the order that may be edges, and the edges that must be.
fn graph(arcs: &Arcs, order: &Ordering, knowledge: &Knowledge) -> Result<Dag> {
    let (d, positions) = (order.len(), order.positions());
    let is_edge = |&(from, to): &(usize, usize)| {
        knowledge.required().contains(&(from, to))
            || (arcs.weight(from, to) > 0.0 && positions[from] < positions[to] && knowledge.allows(from, to))
    };
    let edges: Vec<(usize, usize)> =
        (0..d).flat_map(|from| (0..d).map(move |to| (from, to))).filter(is_edge).collect();
    Dag::new(d, &edges)
}

#[cfg(test)]
mod tests;
