//! How sure the answer is: the held-out scores, weighed again and again.

use std::ops::ControlFlow;

use oslow_core::{Dag, Event, Ordering, PairProbabilities, ParentSet, Precedence, Result, Rng, Run, within};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::row_weights::row_weights;
use crate::search::{OrderChain, OrderSum};
use crate::{LocalConfig, LocalScores, ParentCosts};

/// Steps over sets of columns that all draws together may take: with more columns there are fewer draws, …
const MOST_STEPS: usize = 400_000_000;
/// … but not fewer than this.
const FEWEST_DRAWS: usize = 20;
/// Up to so many columns each draw sums over all orders; with more it follows a Markov chain.
const SUMMED_UP_TO: usize = 20;
/// Graphs that a draw looks at for indirect causes.
const GRAPHS: usize = 20;
/// Moves of a chain, a column, before it is looked at and between two looks.
const MOVES: [usize; 2] = [200, 20];
/// Sets of parents with a smaller probability are not told.
const LEAST_SET: f64 = 0.01;
/// What is being done.
const STAGE: &str = "estimating confidence";

/// How confidences are found; [`Default`] is what we recommend (`docs/adr/0013-confidence.md`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ConfidenceConfig {
    /// Random reweightings of the rows, fewer with many columns; `0`: no confidences.
    pub draws: usize,
    /// How even the weights of rows are: 1 lets scores vary as from table to table, less is more cautious.
    pub evenness: f64,
    /// How much a difference between graphs counts: 1 is its likelihood, less is more cautious.
    pub power: f64,
}

impl Default for ConfidenceConfig {
    fn default() -> Self {
        Self { draws: 200, evenness: 1.0, power: 0.5 }
    }
}

impl ConfidenceConfig {
    /// Refuses values outside their range.
    pub fn check(&self) -> Result<()> {
        within("confidence.draws", self.draws, 0..=100_000)?;
        within("confidence.evenness", self.evenness, 0.01..=100.0)?;
        within("confidence.power", self.power, 0.01..=100.0)
    }

    /// How often rows are reweighted in a table with so many columns.
    fn draws(&self, columns: usize) -> usize {
        let steps = if columns <= SUMMED_UP_TO { columns << columns } else { MOST_STEPS / 50 };
        self.draws.min((MOST_STEPS / steps).max(FEWEST_DRAWS))
    }

    /// Steps over sets of columns that all draws together take; Markov chains take hardly any.
    pub fn steps(&self, columns: usize) -> usize {
        if columns <= SUMMED_UP_TO { self.draws(columns).saturating_mul(columns << columns) } else { 0 }
    }

    /// How probable each edge and each set of parents is. Rows are weighed at random, as if the table were another one; with the scores of each such table all orders and graphs are weighed by
    /// their likelihood and price. `None` if the observer asks to stop.
    ///
    /// It depends on scores, settings and seed, and not on the answer, which may be where a chain over orders starts.
    pub fn probabilities(
        &self,
        scores: &LocalScores,
        local: &LocalConfig,
        precedence: &Precedence,
        answer: &Ordering,
        run: &mut Run<'_>,
    ) -> Option<GraphProbabilities> {
        let (nodes, draws) = (answer.len(), self.draws(answer.len()));
        let mut all = PairProbabilities::none(nodes);
        let mut all_sets: Vec<Vec<f64>> = Vec::new();
        let numbers: Vec<u64> = (0..draws as u64).collect();
        for chunk in numbers.chunks(rayon::current_num_threads().max(1)) {
            let (done, total) = (chunk[0], draws as u64);
            let event = Event::Progress { stage: STAGE, done, total, loss: None, best: None };
            if run.observer.on_event(&event) == ControlFlow::Break(()) {
                return None;
            }
            let seed = run.seed;
            let drawn: Vec<Drawn> = chunk
                .par_iter()
                .map(|&number| {
                    let mut rng = seed.indexed("exact/confidence", number);
                    let costs = self.weighed(scores, local, &mut rng);
                    Some(if nodes <= SUMMED_UP_TO {
                        Drawn::of_sum(&OrderSum::new(&costs, precedence)?, nodes, &mut rng)
                    } else {
                        Drawn::of_chain(OrderChain::new(&costs, precedence, answer), nodes, &mut rng)
                    })
                })
                .collect::<Option<_>>()?;
            for Drawn { edge, before, causes, sets } in drawn {
                all.add([&edge, &before, &causes], 1.0 / draws as f64);
                add_sets(&mut all_sets, sets, 1.0 / draws as f64);
            }
        }
        Some(GraphProbabilities { pairs: all, parent_sets: likely_sets(&scores.candidates(), &all_sets) })
    }

    /// −ln of what each set weighs when rows have random weights.
    fn weighed(&self, scores: &LocalScores, local: &LocalConfig, rng: &mut Rng) -> Vec<ParentCosts> {
        let rows = scores.rows();
        let weights = row_weights(rows, scores.groups(), self.evenness, rng);
        let scale = self.power * rows as f64;
        scores.costs_by(|score, parents| {
            let nll: f64 =
                weights.iter().zip(&score.rows).map(|(weight, row)| weight * f64::from(*row)).sum();
            scale * local.cost(nll / rows as f64, parents, &score.family, rows)
        })
    }
}

/// What is probable about a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphProbabilities {
    /// By ordered pair of columns.
    pub pairs: PairProbabilities,
    /// By column, the sets of its parents with a probability of at least one in a hundred, the likeliest first.
    pub parent_sets: Vec<Vec<ParentSet>>,
}

/// What one draw says, by ordered pair, and of each set of candidates of each node.
struct Drawn {
    edge: Vec<f64>,
    before: Vec<f64>,
    causes: Vec<f64>,
    sets: Vec<Vec<f64>>,
}

impl Drawn {
    fn of_sum(sum: &OrderSum<'_>, nodes: usize, rng: &mut Rng) -> Self {
        let pairs = sum.pairs();
        let mut causes = vec![0.0; nodes * nodes];
        (0..GRAPHS).for_each(|_| add_causes(&sum.draw(rng), &mut causes));
        Self { edge: pairs.edge, before: pairs.before, causes, sets: pairs.sets }
    }

    fn of_chain(mut chain: OrderChain<'_>, nodes: usize, rng: &mut Rng) -> Self {
        let mut found = Self {
            edge: vec![0.0; nodes * nodes],
            before: vec![0.0; nodes * nodes],
            causes: vec![0.0; nodes * nodes],
            sets: Vec::new(),
        };
        chain.walk(MOVES[0] * nodes, rng);
        for _ in 0..GRAPHS {
            chain.walk(MOVES[1] * nodes, rng);
            let pairs = chain.pairs();
            for (mine, more) in [(&mut found.edge, pairs.edge), (&mut found.before, pairs.before)] {
                mine.iter_mut().zip(more).for_each(|(mine, more)| *mine += more / GRAPHS as f64);
            }
            add_sets(&mut found.sets, pairs.sets, 1.0 / GRAPHS as f64);
            add_causes(&chain.draw(rng), &mut found.causes);
        }
        found
    }
}

/// Adds probabilities of sets, each times a weight.
fn add_sets(all: &mut Vec<Vec<f64>>, more: Vec<Vec<f64>>, weight: f64) {
    if all.is_empty() {
        *all = more.iter().map(|sets| vec![0.0; sets.len()]).collect();
    }
    all.iter_mut().flatten().zip(more.into_iter().flatten()).for_each(|(mine, more)| *mine += weight * more);
}

/// The sets of each node's candidates that are worth telling, by their probabilities.
fn likely_sets(candidates: &[Vec<usize>], probabilities: &[Vec<f64>]) -> Vec<Vec<ParentSet>> {
    let of_node = |(candidates, probabilities): (&Vec<usize>, &Vec<f64>)| {
        let likely = probabilities.iter().enumerate().filter(|(_, probability)| **probability >= LEAST_SET);
        let mut sets: Vec<ParentSet> = likely
            .map(|(mask, &probability)| {
                let chosen = (0..candidates.len()).filter(|bit| mask >> bit & 1 == 1);
                let mut parents: Vec<usize> = chosen.map(|bit| candidates[bit]).collect();
                parents.sort_unstable();
                ParentSet { parents, probability: probability.min(1.0) }
            })
            .collect();
        sets.sort_by(|a, b| b.probability.total_cmp(&a.probability).then_with(|| a.parents.cmp(&b.parents)));
        sets
    };
    candidates.iter().zip(probabilities).map(of_node).collect()
}

/// Adds one of [`GRAPHS`] graphs to the shares of direct and indirect causes.
fn add_causes(dag: &Dag, causes: &mut [f64]) {
    let nodes = dag.nodes();
    let mut of: Vec<Vec<bool>> = vec![vec![false; nodes]; nodes];
    for &node in dag.topological_order().nodes() {
        for parent in dag.parents(node) {
            let inherited = of[parent].clone();
            of[node].iter_mut().zip(inherited).for_each(|(mine, theirs)| *mine |= theirs);
            of[node][parent] = true;
        }
        for (cause, _) in of[node].iter().enumerate().filter(|(_, is)| **is) {
            causes[cause * nodes + node] += 1.0 / GRAPHS as f64;
        }
    }
}
