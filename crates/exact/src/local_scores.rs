//! The scores of every node and every subset of its candidate parents.

use std::sync::Arc;

use oslow_core::{
    Dag, Edge, EdgeEvidence, EffectShape, Knowledge, Prepared, Result, Seed, SeenColumn, Target,
};
use rayon::prelude::*;

use crate::columns::Columns;
use crate::drawn_rows::drawn_rows;
use crate::effect_shape::effect_shapes;
use crate::forward_selection::{Candidates, Selection};
use crate::store::Key;
use crate::work::{Watch, Work};
use crate::{LocalConfig, ParentCosts, Score, Scorer, difference};

/// The scores of a table.
pub struct LocalScores {
    nodes: Vec<NodeScores>,
    columns: Arc<Columns>,
    /// Whether only some rows were analysed.
    drawn: bool,
    /// Whether somebody asked to stop: some sets have no score then.
    pub interrupted: bool,
}

/// The scores of one node: `scores[mask]` for a subset of its candidates, bit `b` of the mask standing for `candidates[b]`.
struct NodeScores {
    candidates: Vec<usize>,
    /// The candidates that knowledge requires.
    required: u32,
    /// Which smaller sets must speak for a larger one.
    witnesses: Witnesses,
    /// Candidates of which every set is scored.
    interacting: u32,
    scores: Vec<Option<Score>>,
}

/// Which of the sets with one parent fewer must speak for a set, each parent in them gaining something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Witnesses {
    /// All of them.
    All,
    /// Those that were scored. In large tables these are few, and a column with many causes has a set that was not.
    Scored,
}

impl LocalScores {
    /// Scores subsets of the candidates of each node, small ones first. Candidates are all `allowed` nodes, and every set is scored, or, in
    /// larger tables, those that a forward selection finds, among the columns that a screening finds; then a set of three or more is scored only if each parent gains
    /// something in each set that has one parent fewer, or if its parents were found to interact.
    pub fn compute(
        sample: &Prepared,
        config: &LocalConfig,
        allowed: &[Vec<usize>],
        knowledge: &Knowledge,
        seed: Seed,
        watch: Watch<'_>,
    ) -> Result<Self> {
        let drawn = drawn_rows(sample, config.most_rows, seed)?;
        let (sample, drawn) = (drawn.as_ref(), sample.rows() > drawn.rows());
        let mut work = Work::resume(watch)?;
        let required: Vec<Vec<usize>> = (0..sample.columns())
            .map(|node| {
                knowledge.required().iter().filter(|edge| edge.1 == node).map(|edge| edge.0).collect()
            })
            .collect();
        let own = Columns::observed(sample, config, knowledge, seed)?;
        let screened = (sample.columns() > config.all_others_up_to)
            .then(|| work.screen(&own, allowed, &required))
            .transpose()?;
        let witnesses = if screened.is_some() { Witnesses::Scored } else { Witnesses::All };
        let looked_at = screened.as_deref().unwrap_or(allowed);
        let columns = work.choose_coordinates((sample, own), config, looked_at, knowledge, seed)?;
        work.store.take_coordinates(columns.transforms());
        let every_set = sample.columns() <= config.all_candidates_up_to;
        let candidates: Vec<Candidates> = if every_set {
            allowed.iter().map(|all| Candidates { columns: all.clone(), interacting: 0 }).collect()
        } else {
            work.choose_candidates(&Selection {
                columns: &columns,
                config,
                allowed,
                looked_at,
                required: &required,
                seed,
            })?
        };
        let smooth = candidates.iter().any(|candidates| candidates.interacting > 0);
        let scorer = Scorer::on(columns.clone(), config, seed)?;
        let scorer = if smooth { scorer.with_processes() } else { scorer };
        let mut nodes: Vec<NodeScores> = (candidates.into_iter().zip(&required))
            .map(|(candidates, required)| NodeScores {
                witnesses,
                ..NodeScores::unscored(candidates, required)
            })
            .collect();
        let smallest: Vec<Key> =
            (0..nodes.len()).map(|node| nodes[node].key(node, nodes[node].required)).collect();
        work.score(&scorer, smallest, true)?;
        let least_gain = config.set_gain * config.price(sample.rows());
        let largest = nodes.iter().map(|node| node.candidates.len()).max().unwrap_or(0);
        for size in 0..=largest as u32 {
            let every_set = every_set || size <= 2;
            let masks: Vec<(usize, u32)> = (nodes.iter().enumerate())
                .flat_map(|(node, of)| {
                    let masks = if every_set {
                        of.masks_of(size).collect()
                    } else {
                        of.promising(size, least_gain, config.most_sets)
                    };
                    masks.into_iter().map(move |mask| (node, mask))
                })
                .collect();
            let keys: Vec<Key> = masks.iter().map(|&(node, mask)| nodes[node].key(node, mask)).collect();
            work.score(&scorer, keys.clone(), false)?;
            for ((node, mask), key) in masks.into_iter().zip(keys) {
                nodes[node].scores[mask as usize] = work.known(&scorer, key).cloned();
            }
        }
        work.save()?;
        Ok(Self { nodes, columns, drawn, interrupted: work.stopped })
    }

    /// Scores what is asked about a graph: each node with its parents, without each of them, and without all.
    pub fn of_graph(
        sample: &Prepared,
        dag: &Dag,
        config: &LocalConfig,
        knowledge: &Knowledge,
        seed: Seed,
        watch: Watch<'_>,
    ) -> Result<Self> {
        let drawn = drawn_rows(sample, config.most_rows, seed)?;
        let (sample, drawn) = (drawn.as_ref(), sample.rows() > drawn.rows());
        let mut work = Work::resume(watch)?;
        let d = sample.columns();
        let others: Vec<Vec<usize>> =
            (0..d).map(|node| (0..d).filter(|&other| other != node).collect()).collect();
        let parents: Vec<Vec<usize>> = (0..d).map(|node| dag.parents(node)).collect();
        let own = Columns::observed(sample, config, knowledge, seed)?;
        let others = if d > config.all_others_up_to { work.screen(&own, &others, &parents)? } else { others };
        let columns = work.choose_coordinates((sample, own), config, &others, knowledge, seed)?;
        work.store.take_coordinates(columns.transforms());
        let scorer = Scorer::on(columns.clone(), config, seed)?;
        let unscored =
            |node| NodeScores::unscored(Candidates { columns: dag.parents(node), interacting: 0 }, &[]);
        let mut nodes: Vec<NodeScores> = (0..d).map(unscored).collect();
        let masks = |node: &NodeScores| {
            let all = (node.scores.len() - 1) as u32;
            bits(all).map(|bit| all ^ bit).chain([all, 0]).collect::<Vec<u32>>()
        };
        let asked: Vec<(usize, u32)> =
            (0..d).flat_map(|node| masks(&nodes[node]).into_iter().map(move |mask| (node, mask))).collect();
        let keys: Vec<Key> = asked.iter().map(|&(node, mask)| nodes[node].key(node, mask)).collect();
        work.score(&scorer, keys.clone(), false)?;
        for ((node, mask), key) in asked.into_iter().zip(keys) {
            nodes[node].scores[mask as usize] = work.known(&scorer, key).cloned();
        }
        Ok(Self { nodes, columns, drawn, interrupted: work.stopped })
    }

    /// How many rows were analysed, where those were not all.
    pub fn rows_drawn(&self) -> Option<usize> {
        self.drawn.then(|| self.rows())
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns.rows()
    }

    /// How each column was seen.
    pub fn seen(&self) -> &[SeenColumn] {
        &self.columns.seen
    }

    /// Pairs of columns that determine each other.
    pub fn determined(&self) -> &[(usize, usize)] {
        &self.columns.determined
    }

    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Which rows are copies of one another.
    pub(crate) fn groups(&self) -> Option<&[usize]> {
        self.columns.groups.as_deref()
    }

    /// The candidate parents of each node.
    pub fn candidates(&self) -> Vec<Vec<usize>> {
        self.nodes.iter().map(|node| node.candidates.clone()).collect()
    }

    /// The costs of each node's sets: the score, and a price for each parent and for the family.
    pub fn costs(&self, config: &LocalConfig) -> Vec<ParentCosts> {
        self.costs_by(|score, parents| config.cost(score.nll, parents, &score.family, self.rows()))
    }

    /// The costs of each node's sets, by a rule that sees the score and the number of parents; a set without a score costs infinity.
    pub(crate) fn costs_by(&self, rule: impl Fn(&Score, usize) -> f64) -> Vec<ParentCosts> {
        let cost = |(mask, score): (usize, &Option<Score>)| match score {
            Some(score) => rule(score, mask.count_ones() as usize),
            None => f64::INFINITY,
        };
        let costs = |node: &NodeScores| {
            ParentCosts::new(node.candidates.clone(), node.scores.iter().enumerate().map(cost).collect())
        };
        self.nodes.iter().map(costs).collect()
    }

    /// The score of a node with some parents, where it was computed.
    pub fn with_parents(&self, node: usize, parents: &[usize]) -> Option<&Score> {
        let of = &self.nodes[node];
        let bit = |parent: &usize| {
            of.candidates.iter().position(|candidate| candidate == parent).map(|bit| 1 << bit)
        };
        let mask: usize = parents.iter().map(bit).sum::<Option<usize>>()?;
        of.scores[mask].as_ref()
    }

    /// The scores of an effect with its parents in a graph, and without one of them, where both were computed.
    pub(crate) fn with_and_without(&self, (cause, effect): Edge, dag: &Dag) -> Option<(&Score, &Score)> {
        let parents = dag.parents(effect);
        let others: Vec<usize> = parents.iter().copied().filter(|&other| other != cause).collect();
        self.with_parents(effect, &parents).zip(self.with_parents(effect, &others))
    }

    /// What each column costs without causes, all together, where that was computed.
    pub fn nll_no_causes(&self) -> Option<f64> {
        (0..self.nodes.len()).map(|node| Some(self.with_parents(node, &[])?.nll)).sum()
    }

    /// How strong the edges of a graph are, those of which every score that it takes was computed.
    pub fn edge_evidence(&self, dag: &Dag, config: &LocalConfig, seed: Seed) -> Vec<EdgeEvidence> {
        let of_node = |node: usize| {
            let parents = dag.parents(node);
            if parents.is_empty() {
                return Vec::new();
            }
            let shapes = match self.common_rows(node, &parents) {
                Some(rows) => {
                    effect_shapes(&self.columns.only(&rows), node, &parents, &config.effort(), seed)
                }
                None => effect_shapes(&self.columns, node, &parents, &config.effort(), seed),
            };
            let evidence = |(&parent, effect): (&usize, EffectShape)| {
                let (with, without) = self.with_and_without((parent, node), dag)?;
                let (gain, gain_error) = difference(&without.rows, &with.rows);
                Some(EdgeEvidence { edge: (parent, node), gain, gain_error, effect })
            };
            parents.iter().zip(shapes).filter_map(evidence).collect()
        };
        (0..dag.nodes()).into_par_iter().map(of_node).collect::<Vec<_>>().concat()
    }

    /// The rows that the common mechanism of a node made, where conditions act on it.
    fn common_rows(&self, node: usize, parents: &[usize]) -> Option<Vec<usize>> {
        let regimes = self.columns.regimes.as_ref()?;
        Some(regimes.common_rows(node, self.with_parents(node, parents)?.changed_by))
    }

    /// The rows in which no condition acts on any column, given a graph; all where there are no conditions.
    pub(crate) fn untouched_rows(&self, dag: &Dag) -> Option<Vec<usize>> {
        let parts = (0..dag.nodes()).map(|node| self.common_rows(node, &dag.parents(node)));
        parts.reduce(|all, part| {
            let (all, part) = (all?, part?);
            Some(all.into_iter().filter(|row| part.binary_search(row).is_ok()).collect())
        })?
    }

    /// The conditions that act on columns, by what is known or by the scores of a graph.
    pub fn targets(&self, dag: &Dag, config: &LocalConfig, seed: Seed) -> Result<Vec<Target>> {
        let Some(regimes) = &self.columns.regimes else { return Ok(Vec::new()) };
        let scorer = Scorer::on(self.columns.clone(), config, seed)?;
        let of_node = |node: usize| {
            let parents = dag.parents(node);
            let score = self.with_parents(node, &parents)?;
            Some(scorer.changes(node, &parents, score.changed_by))
        };
        let found: Vec<Vec<Target>> = (0..dag.nodes()).into_par_iter().filter_map(of_node).collect();
        let mut all: Vec<Target> = regimes.known().chain(found.concat()).collect();
        all.sort_by_key(|target| (target.condition, target.column));
        Ok(all)
    }

    /// The score of a node with each subset of its candidates, where it was computed.
    pub fn of(&self, node: usize) -> &[Option<Score>] {
        &self.nodes[node].scores
    }
}

impl NodeScores {
    fn unscored(candidates: Candidates, required: &[usize]) -> Self {
        let Candidates { columns: candidates, interacting } = candidates;
        let bit = |(bit, candidate): (usize, &usize)| u32::from(required.contains(candidate)) << bit;
        let required = candidates.iter().enumerate().map(bit).sum();
        let interacting = (1 << interacting) - 1;
        let scores = vec![None; 1 << candidates.len()];
        Self { candidates, required, witnesses: Witnesses::All, interacting, scores }
    }

    /// Whether all parents that nobody requires are among those that interact.
    fn interact(&self, mask: u32) -> bool {
        mask & !self.required & !self.interacting == 0
    }

    /// The allowed sets with so many parents that nobody requires.
    fn masks_of(&self, size: u32) -> impl Iterator<Item = u32> + use<> {
        let required = self.required;
        let fits = move |mask: &u32| mask & required == required && (mask ^ required).count_ones() == size;
        (0..self.scores.len() as u32).filter(fits)
    }

    /// The sets with so many parents that are worth scoring: all whose parents interact, and of the others at most so many, those first which a set with one parent fewer
    /// predicts best.
    fn promising(&self, size: u32, least_gain: f64, most: usize) -> Vec<u32> {
        let (mut masks, others): (Vec<u32>, Vec<u32>) =
            self.masks_of(size).partition(|&mask| self.interact(mask));
        let nll = |mask: u32| self.scores[mask as usize].as_ref().map_or(f64::INFINITY, |score| score.nll);
        let promise =
            |mask: u32| bits(mask & !self.required).map(|bit| nll(mask ^ bit)).fold(f64::INFINITY, f64::min);
        let mut others: Vec<(f64, u32)> = (others.into_iter())
            .filter(|&mask| self.is_worth(mask, least_gain))
            .map(|mask| (promise(mask), mask))
            .collect();
        // Among equally promising ones the first.
        others.sort_by(|a, b| a.0.total_cmp(&b.0));
        masks.extend(others.into_iter().take(most).map(|(_, mask)| mask));
        masks.sort_unstable();
        masks
    }

    /// Whether each parent gains something in the sets with one parent fewer that must speak for this one: then it may be better still.
    fn is_worth(&self, mask: u32, least_gain: f64) -> bool {
        let removable = |mask: u32| bits(mask & !self.required);
        let nll = |mask: u32| self.scores[mask as usize].as_ref().map(|score| score.nll);
        let partly = self.witnesses == Witnesses::Scored;
        let gains = |smaller: u32, with: f64| {
            let without = |bit: u32| nll(smaller ^ bit);
            removable(smaller).all(|bit| without(bit).map_or(partly, |without| without - with > least_gain))
        };
        let smaller: Vec<u32> = removable(mask).map(|bit| mask ^ bit).collect();
        let spoken = smaller.iter().any(|&smaller| nll(smaller).is_some());
        spoken && smaller.iter().all(|&smaller| nll(smaller).map_or(partly, |with| gains(smaller, with)))
    }

    fn key(&self, node: usize, mask: u32) -> Key {
        let chosen = (0..self.candidates.len()).filter(|bit| mask >> bit & 1 == 1);
        let mut parents: Vec<usize> = chosen.map(|bit| self.candidates[bit]).collect();
        parents.sort_unstable();
        (node, parents)
    }
}

/// The bits of a mask, one at a time.
fn bits(mask: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS).map(|bit| 1 << bit).filter(move |bit| mask & bit != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Family, Noise};

    #[test]
    fn a_set_is_worth_scoring_if_each_parent_gains_in_the_smaller_ones() {
        let family = Family { location: crate::Location::Units, affine: false, noise: Some(Noise::Gaussian) };
        let worth = |scored: &[(u32, f64)], witnesses: Witnesses| {
            let candidates = Candidates { columns: vec![4, 5, 6], interacting: 0 };
            let mut node = NodeScores { witnesses, ..NodeScores::unscored(candidates, &[]) };
            for &(mask, nll) in scored {
                node.scores[mask as usize] = Some(Score { nll, ..Score::new(vec![0.0], family) });
            }
            node.is_worth(0b111, 0.1)
        };
        let singles = [(0b000, 3.0), (0b001, 2.5), (0b010, 2.5), (0b100, 2.5)];
        let with = |pairs: &[(u32, f64)]| [&singles, pairs].concat();
        let all = with(&[(0b011, 2.0), (0b101, 2.0), (0b110, 2.0)]);
        assert!(worth(&all, Witnesses::All) && worth(&all, Witnesses::Scored));
        let some = with(&[(0b011, 2.0), (0b101, 2.0)]);
        assert!(!worth(&some, Witnesses::All) && worth(&some, Witnesses::Scored));
        let useless = with(&[(0b011, 2.45), (0b101, 2.0), (0b110, 2.0)]);
        assert!(!worth(&useless, Witnesses::All) && !worth(&useless, Witnesses::Scored));
        assert!(!worth(&singles, Witnesses::Scored), "no smaller set was scored");
    }
}
