//! VI-DP-DAG: a distribution over graphs without cycles and networks that predict each variable from its causes, learned together.
//!
//! # Assumes
//! Each variable is a function of its causes plus noise, and the right graph leaves the smallest squared errors. That holds where noises have
//! equal variances; on standardised data nothing guarantees it.
//! # Model
//! A graph is A = E ∘ (S·U·Sᵀ). The edges E are independent coins with logits φ. S is a permutation matrix (variable by position) from
//! one of two distributions: `vi-dp-dag-sinkhorn` matches log σ(ψ) + Gumbel noise for a matrix ψ; `vi-dp-dag-top-k` sorts ψ + Gumbel noise for
//! a vector ψ. U is strictly upper triangular. Variable j is predicted by a network of its own that sees xᵢ·A(i, j).
//! # Algorithm
//! For each batch draw one graph and take one step of Adam down mean squared error + λ·KL(edges ‖ prior), in the networks and in φ and ψ.
//! Drawn coins and permutations are hard forward; backward their derivatives are those of the Gumbel-softmax, the Sinkhorn operator and SoftSort.
//! Every other pass the graph of all likely edges is judged on held-out rows, and training ends when that gets no better. Then 1000 graphs are
//! drawn. The most frequent one is the graph; the order is a random one of those that it leaves. With `--prune none` this graph is the answer.
//! # Cost
//! Per row and pass O(d²·h + d·h²) for h units a layer; per step the Sinkhorn operator adds 20·d². One thread.
//! # Departs from the paper
//! The prior term is the divergence of the edges from coins of probability 0.01, as the paper defines it. The public program passes logits
//! where log-probabilities are expected, which leaves next to no pressure towards few edges; `prior_weight = 0` is close to that. As in the
//! program both terms are means, the error over numbers and the divergence over pairs: a sum over pairs with the same λ leaves a tenth of the
//! edges (tables of 3 to 6 variables simulated from seeds 7001 to 7075).
//!
//! The graphs are drawn from the state at the end of training, as the OSLow paper did; the method's own program goes back to the best look.
//! Graphs that are equally frequent are drawn, and so is the order of what no path joins; the OSLow paper's use of the program takes the
//! first by column. It matters: with ten variables and no prior all of 1000 graphs may differ. Known edges are part of every graph drawn,
//! impossible ones of none, and orders are moved to the nearest admitted one.
//! # Reference
//! Charpentier, Kibler, Günnemann: Differentiable DAG sampling. ICLR 2022.

mod config;
mod dags;
mod edges;
mod permutations;
mod training;

use oslow_core::{
    Capabilities, Dag, Event, Evidence, Kind, Learned, Learner, Method, Ordering, Precedence, Prepared,
    Result, Rng, Run, Settings, configure, describe,
};
use oslow_perm::{Sinkhorn, SoftSort};
use rand::RngExt;

use config::ViDpDagConfig;
use permutations::Parametrisation;
use training::Training;

/// Pairs of normalisations of the Sinkhorn operator: the program's.
const SINKHORN_ITERATIONS: usize = 20;

/// The methods' entries in the registry.
pub(crate) const METHODS: &[Method] = &[
    Method {
        name: "vi-dp-dag-sinkhorn",
        kind: Kind::Contestant,
        summary: "VI-DP-DAG: a distribution over graphs, orders by Gumbel-Sinkhorn, learned with networks that predict",
        assumes: ASSUMES,
        takes: Capabilities::NUMBERS,
        build: |settings| {
            build(settings, |temperature| {
                Parametrisation::Sinkhorn(Sinkhorn { temperature, iterations: SINKHORN_ITERATIONS })
            })
        },
        resolve: |settings| describe(&configure::<ViDpDagConfig>(settings)?),
    },
    Method {
        name: "vi-dp-dag-top-k",
        kind: Kind::Contestant,
        summary: "VI-DP-DAG: a distribution over graphs, orders by Gumbel-top-k, learned with networks that predict",
        assumes: ASSUMES,
        takes: Capabilities::NUMBERS,
        build: |settings| build(settings, |temperature| Parametrisation::TopK(SoftSort { temperature })),
        resolve: |settings| describe(&configure::<ViDpDagConfig>(settings)?),
    },
];

const ASSUMES: &[&str] = &[
    "each variable is a function of its causes, plus noise",
    "the right graph predicts best: noises have equal variances in the units of the table",
];

/// The learner.
struct ViDpDag {
    config: ViDpDagConfig,
    parametrisation: Parametrisation,
}

fn build(settings: &Settings, at: fn(f64) -> Parametrisation) -> Result<Box<dyn Learner>> {
    let config = configure::<ViDpDagConfig>(settings)?;
    config.check()?;
    Ok(Box::new(ViDpDag { parametrisation: at(config.temperature), config }))
}

impl Learner for ViDpDag {
    fn learn(&self, sample: &Prepared, run: &mut Run<'_>) -> Result<Learned> {
        let mut training = Training::new(&self.config, self.parametrisation, sample, run.knowledge, run.seed);
        let (mut interrupted, epochs) = (false, self.config.epochs);
        for epoch in 0..epochs {
            training.pass(&mut run.seed.indexed("order/vi-dp-dag/pass", epoch as u64))?;
            if epoch % self.config.check_every == 0 {
                training.look()?;
                if training.is_settled() {
                    break;
                }
            }
            let (done, total) = (epoch as u64 + 1, epochs as u64);
            let event = Event::Progress { stage: "learning the graph", done, total, loss: None, best: None };
            if run.observer.on_event(&event).is_break() && done < total {
                interrupted = true;
                break;
            }
        }
        let mut rng = run.seed.stream("order/vi-dp-dag/answer");
        let dag = training.dags().most_frequent(self.config.draws, &mut rng)?;
        Ok(Learned {
            order: Some(random_order(&dag, run.knowledge.precedence(), &mut rng)),
            dag: Some(dag),
            evidence: Evidence { objective: training.loss(), ..Evidence::default() },
            history: Some(training.history()),
            interrupted,
            ..Learned::default()
        })
    }
}

/// An order that follows a graph and what is known, by random priorities.
fn random_order(dag: &Dag, known: &Precedence, rng: &mut Rng) -> Ordering {
    let d = dag.nodes();
    let relation = (0..d * d).map(|k| dag.has(k / d, k % d) || known.requires(k / d, k % d)).collect();
    let priority: Vec<f64> = (0..d).map(|_| rng.random()).collect();
    let order = Precedence::from_relation(d, relation).sort(&priority);
    order.expect("every graph is drawn along an order that the knowledge admits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{ForgetfulCheckpoint, Knowledge, Preparing, Sample, Seed, Silent};
    use oslow_scm::{Spec, simulate};

    fn learn(method: &Method, settings: &str, sample: &Sample, knowledge: &Knowledge, seed: u64) -> Learned {
        let settings: Settings = settings.parse().unwrap();
        let (observer, checkpoint) = (&mut Silent, &mut ForgetfulCheckpoint);
        let mut run = Run { seed: Seed(seed), knowledge, threads: 1, observer, checkpoint };
        (method.build)(&settings)
            .unwrap()
            .learn(&Prepared::new(sample, Preparing::as_given()).unwrap(), &mut run)
            .unwrap()
    }

    #[test]
    fn required_edges_are_there_and_forbidden_ones_are_not() {
        let spec = Spec { nodes: 4, graph: "tournament".into(), ..Spec::default() };
        let data = simulate(&spec, 300, Seed(1)).unwrap();
        let nodes = data.dag.topological_order().nodes().to_vec();
        let (required, forbidden) = ((nodes[3], nodes[2]), (nodes[0], nodes[1]));
        let (tiers, names) = ([vec![nodes[1]], vec![nodes[0]]], data.sample.names());
        let knowledge = Knowledge::new(names, &tiers, &[required], &[forbidden], &[], &[]).unwrap();
        for method in METHODS {
            for seed in 0..5 {
                let found = learn(method, "epochs = 3", &data.sample, &knowledge, seed);
                let (dag, order) = (found.dag.unwrap(), found.order.unwrap());
                assert!(dag.has(required.0, required.1) && !dag.has(forbidden.0, forbidden.1));
                assert!(knowledge.precedence().admits(&order));
                let positions = order.positions();
                assert!(dag.edges().iter().all(|&(from, to)| positions[from] < positions[to]));
            }
        }
    }

    #[test]
    fn a_strong_prior_leaves_no_edge() {
        let data = simulate(&Spec { nodes: 3, ..Spec::default() }, 200, Seed(2)).unwrap();
        for method in METHODS {
            let found = learn(method, "prior_weight = 10.0", &data.sample, &Knowledge::none(3), 0);
            assert_eq!(found.dag, Some(Dag::empty(3)));
        }
    }

    #[test]
    fn training_ends_when_it_has_settled() {
        let data = simulate(&Spec { nodes: 3, ..Spec::default() }, 200, Seed(2)).unwrap();
        for method in METHODS {
            let found = learn(method, "patience = 2\nrate = 0.05", &data.sample, &Knowledge::none(3), 0);
            let looks = found.history.unwrap().rows;
            assert!((3..50).contains(&looks.len()), "{}", looks.len());
            let loss = |back: usize| looks[looks.len() - back][1];
            assert!(loss(2) <= loss(1) && (looks[0][0], looks[1][0]) == (1.0, 3.0));
            assert_eq!((found.evidence.objective, found.interrupted), (Some(loss(1)), false));
        }
    }

    #[test]
    fn what_no_edge_joins_is_ordered_by_draw() {
        let (dag, none) = (Dag::new(3, &[(2, 0)]).unwrap(), Knowledge::none(3));
        let mut place = [0; 3];
        for seed in 0..300 {
            let positions = random_order(&dag, none.precedence(), &mut Seed(seed).stream("test")).positions();
            assert!(positions[2] < positions[0]);
            place[positions[1]] += 1;
        }
        assert!(place.iter().all(|&times| times > 50), "{place:?}");
    }
}
