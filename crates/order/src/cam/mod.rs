//! CAM: edges are added one by one, each time the one that raises the likelihood of an additive model most.
//!
//! # Assumes
//! Each variable is a sum of smooth, nonlinear functions of its causes, plus Gaussian noise.
//! # Model
//! xⱼ = α + Σᵢ fᵢ(xᵢ) + noise over the causes i of j, each fᵢ a thin plate regression spline smoothed by generalised
//! cross-validation, as in the pruner of the same name; straight lines with `terms = "linear"`. The log-likelihood per row of a graph is
//! −½Σⱼ log(RSSⱼ/n) and a constant.
//! # Algorithm
//! 1. With `preselect`: boosting chooses the possible causes of each variable.
//! 2. From the graph of the required edges on, add the edge with the largest gain of likelihood among those that close no cycle, until
//!    there is none. A gain changes only where the effect has got a new cause; the others are kept.
//! 3. The order is a random one of those that the graph leaves.
//! 4. Edges of the graph that are not significant in an additive regression on all causes (p ≥ `cutoff`) are dropped. This
//!    graph is the answer with `--prune none`; other pruners begin from the order.
//! # Cost
//! d² regressions with one term, then up to d for each edge, of up to d terms: O(d⁴·n·k²) where nothing is preselected. Those of one
//! effect are spread over threads.
//! # Departs from the paper
//! Edges that knowledge requires are there from the start, and what has to come before counts as a path. Equal gains are drawn, and
//! so is the order of what no path joins.
//! # Reference
//! Bühlmann, Peters, Ernest: CAM: causal additive models, high-dimensional order search and penalized regression. Annals of
//! Statistics 42:2526-2556, 2014.

mod config;
mod gains;
mod paths;

use oslow_core::{
    Capabilities, Dag, Edge, Event, Kind, Knowledge, Learned, Learner, Method, Prepared, Result, Run,
    configure, describe, unless_stopped,
};
use oslow_math::{SmoothBases, select_terms};
use rayon::prelude::*;

use config::CamConfig;
use gains::Gains;
use paths::Paths;

/// The method's entry in the registry.
pub(crate) const METHODS: &[Method] = &[Method {
    name: "cam",
    kind: Kind::Contestant,
    summary: "CAM: adds the edge with the largest gain of an additive model's likelihood, one by one",
    assumes: &[
        "each variable is a sum of smooth, nonlinear functions of its causes, plus noise",
        "the noise is Gaussian",
    ],
    takes: Capabilities::NUMBERS,
    build: |settings| {
        let config = configure::<CamConfig>(settings)?;
        config.check()?;
        Ok(Box::new(Cam { config }))
    },
    resolve: |settings| describe(&configure::<CamConfig>(settings)?),
}];

/// The learner.
struct Cam {
    config: CamConfig,
}

impl Learner for Cam {
    fn learn(&self, sample: &Prepared, run: &mut Run<'_>) -> Result<Learned> {
        let (d, knowledge) = (sample.columns(), run.knowledge);
        let mut rng = run.seed.stream("order/cam");
        let bases = SmoothBases::new(sample, self.config.k);
        (0..d).into_par_iter().for_each(|j| bases.prepare(j));
        let mut paths = Paths::new(d, knowledge.precedence());
        let candidates = self.candidates(&bases, knowledge, &paths)?;
        let required = (0..d).map(|to| required_causes(knowledge, to).collect()).collect();
        let mut gains = Gains::new(&self.config, &bases, required, &candidates)?;
        let total = gains.open_pairs();
        let mut interrupted = false;
        while let Some((from, to)) = gains.best(&mut rng) {
            paths.add(from, to);
            gains.retain(|from, to| paths.admit(from, to));
            if unless_stopped(|| gains.add(from, to)).transpose()?.is_none() {
                interrupted = true;
                break;
            }
            let done = total - gains.open_pairs();
            let event = Event::Progress { stage: "adding edges", done, total, loss: None, best: None };
            if run.observer.on_event(&event).is_break() && done < total {
                interrupted = true;
                break;
            }
        }
        let order = paths.random_order(&mut rng)?;
        let significant = || self.significant(&bases, gains.causes(), knowledge);
        let dag = unless_stopped(significant).transpose()?;
        let interrupted = interrupted || dag.is_none();
        Ok(Learned { order: Some(order), dag, interrupted, ..Learned::default() })
    }
}

fn required_causes(knowledge: &Knowledge, to: usize) -> impl Iterator<Item = usize> + '_ {
    knowledge.required().iter().filter(move |edge| edge.1 == to).map(|edge| edge.0)
}

impl Cam {
    /// The possible causes of each node: those that knowledge and, if asked for, boosting leave. Required ones are in already.
    fn candidates(
        &self,
        bases: &SmoothBases<'_>,
        knowledge: &Knowledge,
        paths: &Paths,
    ) -> Result<Vec<Vec<usize>>> {
        let d = knowledge.len();
        let of = |to: usize| -> Result<Vec<usize>> {
            let required: Vec<usize> = required_causes(knowledge, to).collect();
            let possible = |from: &usize| {
                knowledge.allows(*from, to) && paths.admit(*from, to) && !required.contains(from)
            };
            let possible: Vec<usize> = (0..d).filter(possible).collect();
            if !self.config.preselect {
                return Ok(possible);
            }
            // Boosting takes splines whatever the terms are: what it looks for is dependence.
            let terms = bases.of(&possible, self.config.k)?;
            let mut chosen = select_terms(bases.column(to), &terms, self.config.preselect_keep);
            chosen.sort_unstable();
            Ok(chosen.into_iter().map(|index| possible[index]).collect())
        };
        (0..d).into_par_iter().map(of).collect()
    }

    /// The edges that are required or significant beside all other causes of the same node.
    fn significant(&self, bases: &SmoothBases<'_>, causes: &[Vec<usize>], known: &Knowledge) -> Result<Dag> {
        let kept = |to: usize| -> Result<Vec<Edge>> {
            let causes = &causes[to];
            if causes.is_empty() {
                return Ok(Vec::new());
            }
            let fit = bases.regress(to, causes, self.config.coefficients(bases.rows(), causes.len()))?;
            let stays = |from: usize, p: f64| {
                p < self.config.cutoff || self.config.cutoff == 1.0 || known.required().contains(&(from, to))
            };
            let tested = causes.iter().zip(&fit.terms).filter(|(from, term)| stays(**from, term.p_value));
            Ok(tested.map(|(&from, _)| (from, to)).collect())
        };
        let edges = (0..causes.len()).into_par_iter().map(kept).collect::<Result<Vec<_>>>()?;
        Dag::new(causes.len(), &edges.concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{ForgetfulCheckpoint, Preparing, Sample, Seed, Settings, Silent};
    use oslow_scm::{Simulated, Spec, simulate};

    fn simulated() -> Simulated {
        let (graph, mechanism) = ("path".into(), "gaussian-process".into());
        simulate(&Spec { nodes: 4, graph, mechanism, additive: true, ..Spec::default() }, 400, Seed(1))
            .unwrap()
    }

    fn learn(sample: &Sample, settings: &str, knowledge: &Knowledge) -> Learned {
        let settings: Settings = settings.parse().unwrap();
        let (observer, checkpoint) = (&mut Silent, &mut ForgetfulCheckpoint);
        let mut run = Run { seed: Seed(0), knowledge, threads: 1, observer, checkpoint };
        (METHODS[0].build)(&settings)
            .unwrap()
            .learn(&Prepared::new(sample, Preparing::as_given()).unwrap(), &mut run)
            .unwrap()
    }

    #[test]
    fn a_path_is_found_and_the_rest_is_not_significant() {
        let (data, none) = (simulated(), Knowledge::none(4));
        for preselect in ["preselect = true", "preselect = false"] {
            let found = learn(&data.sample, preselect, &none);
            assert_eq!(found.order, Some(data.dag.topological_order()), "{preselect}");
            assert_eq!(found.dag, Some(data.dag.clone()), "{preselect}");
        }
        let whole = learn(&data.sample, "preselect = false\ncutoff = 1.0", &none);
        assert_eq!(whole.dag, whole.order.as_ref().map(Dag::tournament));
    }

    #[test]
    fn required_edges_are_there_and_forbidden_ones_are_not() {
        let data = simulated();
        let nodes = data.dag.topological_order().nodes().to_vec();
        let (required, forbidden) = ((nodes[3], nodes[2]), (nodes[0], nodes[1]));
        let names = data.sample.names();
        let knowledge = Knowledge::new(names, &[], &[required], &[forbidden], &[], &[]).unwrap();
        for settings in ["", "preselect = false", "terms = 'linear'"] {
            let found = learn(&data.sample, settings, &knowledge);
            let dag = found.dag.unwrap();
            assert!(dag.has(required.0, required.1) && !dag.has(forbidden.0, forbidden.1), "{settings}");
            assert!(knowledge.precedence().admits(found.order.as_ref().unwrap()));
        }
    }
}
