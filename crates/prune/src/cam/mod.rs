//! CAM's pruning: one additive regression a variable on all its predecessors; those whose smooth term is significant stay.
//!
//! # Assumes
//! Each variable is a sum of smooth functions of its causes, plus noise of one variance.
//! # Model
//! xⱼ = α + Σᵢ fᵢ(xᵢ) + noise over the predecessors i of j, each fᵢ a thin plate regression spline with k coefficients, smoothed
//! by generalised cross-validation ([`oslow_math::fit_additive`]). k = 10; with n rows, p candidates and n/p < 3k it is ⌈n/(3p)⌉,
//! at least 3.
//! # Algorithm
//! For each variable with candidates: fit, test each term (Wood 2013), keep those with p < `cutoff`. If the fit fails, the same
//! without a penalty, as CAM does. Edges that knowledge requires stay, whatever their p-value; those that it forbids are not
//! candidates.
//!
//! Many candidates are thinned first: boosting with one smooth term a step; those that were chosen in more than 2 % of the steps stay, the
//! ten most often chosen at most (a ninth of the rows where that is less). That is CAM's own preselection. `preselect = "auto"` does it where there are more than
//! `preselect_above` candidates, or fewer than 9 rows for each (k would have to be below 3).
//! # Cost
//! O(n·q² + t·q³) a variable with q = (k − 1)·p coefficients and some t = 20 steps: all of Sachs takes some 0.04 s on one core. Variables are
//! spread over threads.
//! # Departs from the paper
//! The λ are those of the deepest minimum of GCV that was found, not of the first: at each minimum every term is tried on a grid of λ. A variable
//! with fewer than k distinct values has as many coefficients as values; mgcv refuses it. No p-value is lost below 2e-5.
//! # Reference
//! Bühlmann, Peters, Ernest: CAM: causal additive models, high-dimensional order search and penalized regression. Annals of
//! Statistics 42:2526-2556, 2014.

mod config;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use oslow_core::{
    Capabilities, Dag, Event, Knowledge, Prepared, Pruned, PrunedEdge, Pruner, PrunerEntry, Result, Run,
    configure, describe, unless_stopped,
};
use oslow_math::{SmoothBases, coefficients, select_terms};
use rayon::prelude::*;

use crate::candidates::Candidates;
use config::CamConfig;

/// The pruner's entry in the registry.
pub(crate) const ENTRY: PrunerEntry = PrunerEntry {
    name: "cam",
    summary: "fits one additive regression per variable; keeps predecessors with a significant smooth term",
    assumes: &["each variable is a sum of smooth functions of its causes, plus noise"],
    takes: Capabilities::NUMBERS,
    build: |settings| {
        let config = configure::<CamConfig>(settings)?;
        config.check()?;
        Ok(Box::new(Cam { config }))
    },
    resolve: |settings| describe(&configure::<CamConfig>(settings)?),
};

/// The pruner.
struct Cam {
    config: CamConfig,
}

impl Pruner for Cam {
    fn prune(&self, sample: &Prepared, within: &Dag, run: &mut Run<'_>) -> Result<Pruned> {
        let Candidates { order, causes: candidates } = Candidates::new(sample, within, run.knowledge)?;
        // The largest regressions first, so that no thread is left with one at the end.
        let mut nodes: Vec<usize> = order.nodes().to_vec();
        nodes.sort_by_key(|&node| std::cmp::Reverse(candidates[node].len()));
        nodes.retain(|&node| !candidates[node].is_empty());
        let bases = SmoothBases::new(sample, self.config.k);
        let cause = |j: &usize| nodes.iter().any(|&node| candidates[node].contains(j));
        (0..order.len()).into_par_iter().filter(cause).for_each(|j| bases.prepare(j));
        let (stop, progress) = (AtomicBool::new(false), Mutex::new((0, &mut *run.observer)));
        let regressed = |&node: &usize| -> Result<Vec<PrunedEdge>> {
            let causes = &candidates[node];
            let in_time = || self.regress(node, causes, &bases, run.knowledge);
            let edges = if stop.load(Relaxed) { None } else { unless_stopped(in_time).transpose()? };
            let Some(edges) = edges else {
                stop.store(true, Relaxed);
                let edge = |&from| PrunedEdge { from, to: node, p_value: None };
                return Ok(causes.iter().map(edge).collect());
            };
            if let Ok(mut progress) = progress.lock() {
                progress.0 += 1;
                let (done, total) = (progress.0, nodes.len() as u64);
                let event = Event::Progress { stage: "pruning", done, total, loss: None, best: None };
                if progress.1.on_event(&event).is_break() && done < total {
                    stop.store(true, Relaxed);
                }
            }
            Ok(edges)
        };
        let edges = nodes.par_iter().with_max_len(1).map(regressed).collect::<Result<Vec<_>>>()?;
        Pruned::new(order.len(), edges.concat(), stop.into_inner())
    }
}

impl Cam {
    /// The edges into a node that stay.
    fn regress(
        &self,
        node: usize,
        candidates: &[usize],
        bases: &SmoothBases<'_>,
        knowledge: &Knowledge,
    ) -> Result<Vec<PrunedEdge>> {
        let required = |from: usize| knowledge.required().contains(&(from, node));
        let y = bases.column(node);
        let mut causes = candidates.to_vec();
        if self.config.preselects(bases.rows(), causes.len()) {
            let chosen = select_terms(y, &bases.of(&causes, self.config.k)?, self.config.keep(bases.rows()));
            let mut index = 0..;
            causes.retain(|&from| index.next().is_some_and(|i| chosen.contains(&i)) || required(from));
        }
        if causes.is_empty() {
            return Ok(Vec::new());
        }
        let k = coefficients(bases.rows(), causes.len(), self.config.k);
        let fit = bases.regress(node, &causes, k)?;
        let p_values = fit.terms.iter().map(|term| term.p_value);
        let kept = |(from, p): (usize, f64)| {
            (p < self.config.cutoff || required(from)).then_some(PrunedEdge {
                from,
                to: node,
                p_value: Some(p),
            })
        };
        Ok(causes.into_iter().zip(p_values).filter_map(kept).collect())
    }
}
