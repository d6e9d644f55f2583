//! GraN-DAG: a network for each variable, trained together until their connections form no cycle.
//!
//! # Assumes
//! Each variable is a nonlinear function of its causes, plus Gaussian noise. With `model = "gaussian"` the scale of the noise may
//! depend on the causes too.
//! # Model
//! xⱼ is normal given all others, with a mean (and a scale) that a network of its own computes from them: two hidden layers of ten
//! leaky ReLU units. A(i, j) is the mean, over all paths from input i to the outputs of network j, of the product of absolute
//! weights along the path; where it is 0, i is no cause of j. The connections A form no cycle if and only if h = tr exp A − d is 0.
//! # Algorithm
//! 1. With many variables: 500 extremely randomised trees predict each variable from the others; those with less than ¾ of the mean importance are no
//!    causes of it.
//! 2. Minimise the negative log-likelihood (mean over rows and variables) under h = 0 by an augmented Lagrangian, + λh + μ/2·h²: steps of RMSprop on batches.
//!    When the value on held-out rows stands still, λ grows by μh, μ tenfold if h is not below 0.9 of what it was at the last such moment,
//!    and RMSprop starts afresh.
//! 3. On the way every edge with A(i, j) < 10⁻⁴ is cut for good. The end is h ≤ 10⁻⁸.
//! 4. If cycles are left, edges are cut from the weakest on until there is none. An edge's strength is the mean of |∂ ln p(xⱼ | …)/∂xᵢ|.
//!
//! The answer is a graph and no order. With `--prune cam` its edges are tested by additive regressions, as in the paper; `--prune none`
//! gives the graph itself, which has far too many edges once training has ended.
//! # Cost
//! A step takes O(64·d·(d·u + u²) + d³) for u units a layer, some 0.1 ms with 11 variables; 25,000 to 60,000 steps are usual. One thread; the
//! trees take all.
//! # Departs from the paper
//! Training in single precision, the constraint in double. h is looked at before a step and not after it.
//!
//! Edges that knowledge excludes are cut from the start, required ones never. Who is known to come before whom counts as a connection in
//! h, so that no path can lead back.
//! # Reference
//! Lachapelle, Brouillard, Deleu, Lacoste-Julien: Gradient-Based Neural DAG Learning. ICLR 2020.

mod conditionals;
mod config;
mod connections;
mod edges;
mod lagrangian;
mod neighbours;
mod training;

use oslow_core::{
    Capabilities, Event, Evidence, Kind, Learned, Learner, Method, Prepared, Result, Run, configure, describe,
};

use config::GranDagConfig;
use edges::Edges;
use neighbours::neighbours;
use training::Training;

/// The method's entry in the registry.
pub(crate) const METHODS: &[Method] = &[Method {
    name: "gran-dag",
    kind: Kind::Contestant,
    summary: "GraN-DAG: a network a variable, trained until their connections form no cycle; a graph and no order, pruned by `cam` in its paper",
    assumes: &["each variable is a nonlinear function of its causes, plus noise", "the noise is Gaussian"],
    takes: Capabilities::NUMBERS,
    build: |settings| {
        let config = configure::<GranDagConfig>(settings)?;
        config.check()?;
        Ok(Box::new(config))
    },
    resolve: |settings| describe(&configure::<GranDagConfig>(settings)?),
}];

impl Learner for GranDagConfig {
    fn learn(&self, sample: &Prepared, run: &mut Run<'_>) -> Result<Learned> {
        let d = sample.columns();
        let mut edges = Edges::new(run.knowledge);
        let mut candidates = None;
        if self.preselects(d) {
            let Some(chosen) = neighbours(self, sample, run)? else {
                // Nothing was learned yet: all that speaks for an edge is knowledge.
                return Ok(Learned { dag: Some(edges.required()?), interrupted: true, ..Learned::default() });
            };
            edges.keep(|k| chosen[k % d].contains(&(k / d)));
            candidates = Some(chosen);
        }
        let mut training = Training::new(self, sample, edges, run.seed);
        let mut interrupted = false;
        while training.advance()? {
            let (done, total) = (training.steps() as u64, self.iterations as u64);
            let loss = training.loss();
            let event = Event::Progress { stage: "learning the graph", done, total, loss, best: None };
            if run.observer.on_event(&event).is_break() && done < total {
                interrupted = true;
                break;
            }
        }
        let (dag, nll) = training.answer()?;
        Ok(Learned {
            dag: Some(dag),
            nll: Some(nll),
            evidence: Evidence { candidates, ..Evidence::default() },
            history: Some(training.history()),
            interrupted,
            ..Learned::default()
        })
    }
}

#[cfg(test)]
mod tests;
