//! The scores of every node and every subset of its candidate parents.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use oslow_core::{Checkpoint, Event, Knowledge, Observer, Result, Sample, Seed};
use rayon::prelude::*;

use crate::store::{Key, Store};
use crate::{LocalConfig, ParentCosts, Score, Scorer};

/// Sets that are scored between two looks at the observer.
const CHUNK: usize = 64;
/// What is being done.
const STAGE: &str = "scoring sets of causes";
/// How often unfinished work is saved.
const SAVE_EVERY: Duration = Duration::from_secs(5);

/// The scores of a table.
pub struct LocalScores {
    nodes: Vec<NodeScores>,
    /// Whether somebody asked to stop: some sets have no score then.
    pub interrupted: bool,
}

/// The scores of one node: `scores[mask]` for a subset of its candidates, bit `b` of the mask standing for `candidates[b]`.
struct NodeScores {
    candidates: Vec<usize>,
    /// The candidates that knowledge requires.
    required: u32,
    scores: Vec<Option<Score>>,
}

/// Who watches the work, and where it is kept.
pub struct Watch<'a> {
    /// Told of progress; may ask to stop.
    pub observer: &'a mut dyn Observer,
    /// Where unfinished work is kept, if anywhere.
    pub checkpoint: Option<&'a mut dyn Checkpoint>,
}

impl LocalScores {
    /// Scores subsets of the candidates of each node, small ones first. Candidates are all `allowed` nodes, or, in larger
    /// tables, those that a forward selection finds; then a set of three or more is scored only if each parent gains something in
    /// each set that has one parent fewer.
    pub fn compute(
        sample: &Sample,
        config: &LocalConfig,
        allowed: &[Vec<usize>],
        knowledge: &Knowledge,
        seed: Seed,
        watch: Watch<'_>,
    ) -> Result<Self> {
        let mut work = Work::resume(watch)?;
        let required: Vec<Vec<usize>> = (0..sample.columns())
            .map(|node| {
                knowledge.required().iter().filter(|edge| edge.1 == node).map(|edge| edge.0).collect()
            })
            .collect();
        let most =
            if sample.columns() <= config.all_candidates_up_to { usize::MAX } else { config.candidates };
        let candidates = if allowed.iter().all(|allowed| allowed.len() <= most.min(16)) {
            allowed.to_vec()
        } else {
            work.choose_candidates(sample, config, allowed, &required, seed)?
        };
        let scorer = Scorer::new(sample, config, seed)?;
        let mut nodes: Vec<NodeScores> = (candidates.into_iter().zip(&required))
            .map(|(candidates, required)| NodeScores::unscored(candidates, required))
            .collect();
        let smallest: Vec<Key> =
            (0..nodes.len()).map(|node| nodes[node].key(node, nodes[node].required)).collect();
        work.score(&scorer, smallest, true)?;
        let least_gain = config.set_gain * config.price(sample.rows());
        let every_set = sample.columns() <= config.all_candidates_up_to;
        let largest = nodes.iter().map(|node| node.candidates.len()).max().unwrap_or(0);
        for size in 0..=largest as u32 {
            let worth =
                |node: usize, mask: u32| every_set || size <= 2 || nodes[node].is_worth(mask, least_gain);
            let masks: Vec<(usize, u32)> = (0..nodes.len())
                .flat_map(|node| nodes[node].masks_of(size).map(move |mask| (node, mask)))
                .filter(|&(node, mask)| worth(node, mask))
                .collect();
            let keys: Vec<Key> = masks.iter().map(|&(node, mask)| nodes[node].key(node, mask)).collect();
            work.score(&scorer, keys.clone(), false)?;
            for ((node, mask), key) in masks.into_iter().zip(keys) {
                nodes[node].scores[mask as usize] = work.store.scores.get(&key).cloned();
            }
        }
        work.save()?;
        Ok(Self { nodes, interrupted: work.stopped })
    }

    /// The candidate parents of each node.
    pub fn candidates(&self) -> Vec<Vec<usize>> {
        self.nodes.iter().map(|node| node.candidates.clone()).collect()
    }

    /// The costs of each node's sets: the score, and a price for each parent.
    pub fn costs(&self, price: f64) -> Vec<ParentCosts> {
        let cost = |(mask, score): (usize, &Option<Score>)| match score {
            Some(score) => score.nll + price * f64::from(mask.count_ones()),
            None => f64::INFINITY,
        };
        let costs = |node: &NodeScores| {
            ParentCosts::new(node.candidates.clone(), node.scores.iter().enumerate().map(cost).collect())
        };
        self.nodes.iter().map(costs).collect()
    }

    /// The score of a node with each subset of its candidates, where it was computed.
    pub fn of(&self, node: usize) -> &[Option<Score>] {
        &self.nodes[node].scores
    }
}

impl NodeScores {
    fn unscored(candidates: Vec<usize>, required: &[usize]) -> Self {
        let bit = |(bit, candidate): (usize, &usize)| u32::from(required.contains(candidate)) << bit;
        let required = candidates.iter().enumerate().map(bit).sum();
        let scores = vec![None; 1 << candidates.len()];
        Self { candidates, required, scores }
    }

    /// The allowed sets with so many parents that nobody requires.
    fn masks_of(&self, size: u32) -> impl Iterator<Item = u32> + use<> {
        let required = self.required;
        let fits = move |mask: &u32| mask & required == required && (mask ^ required).count_ones() == size;
        (0..self.scores.len() as u32).filter(fits)
    }

    /// Whether every set with one parent fewer was scored, and each of its parents gains something in it: then this set may be
    /// better still.
    fn is_worth(&self, mask: u32, least_gain: f64) -> bool {
        let removable = |mask: u32| bits(mask & !self.required);
        let nll = |mask: u32| self.scores[mask as usize].as_ref().map(|score| score.nll);
        removable(mask).map(|bit| mask ^ bit).all(|smaller| {
            nll(smaller).is_some_and(|with| {
                removable(smaller)
                    .all(|bit| nll(smaller ^ bit).is_some_and(|without| without - with > least_gain))
            })
        })
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

/// Scoring under way.
struct Work<'a> {
    watch: Watch<'a>,
    store: Store,
    stopped: bool,
    saved: Instant,
}

impl<'a> Work<'a> {
    fn resume(mut watch: Watch<'a>) -> Result<Self> {
        let saved = watch.checkpoint.as_mut().and_then(|checkpoint| checkpoint.load());
        let store = saved.map(|bytes| Store::from_bytes(&bytes)).transpose()?.unwrap_or_default();
        Ok(Self { watch, store, stopped: false, saved: Instant::now() })
    }

    fn save(&mut self) -> Result<()> {
        self.saved = Instant::now();
        match &mut self.watch.checkpoint {
            Some(checkpoint) => checkpoint.save(&self.store.to_bytes()),
            None => Ok(()),
        }
    }

    /// Tells how far a stage came; afterwards `stopped` says whether to go on.
    fn report(&mut self, stage: &str, done: usize, total: usize) -> Result<()> {
        let (done, total) = (done as u64, total as u64);
        let event = Event::Progress { stage, done, total, loss: None, best: None };
        self.stopped |= self.watch.observer.on_event(&event) == ControlFlow::Break(()) && done < total;
        if self.stopped || self.saved.elapsed() > SAVE_EVERY {
            self.save()?;
        }
        Ok(())
    }

    /// Scores sets; those that `must` be scored even after a stop.
    fn score(&mut self, scorer: &Scorer, mut keys: Vec<Key>, must: bool) -> Result<()> {
        let total = keys.len();
        keys.retain(|key| !self.store.scores.contains_key(key));
        let mut done = total - keys.len();
        if !must && !self.stopped {
            self.report(STAGE, done, total)?;
        }
        for chunk in keys.chunks(CHUNK) {
            if self.stopped && !must {
                break;
            }
            let scores: Vec<Score> = chunk
                .par_iter()
                .with_max_len(1)
                .map(|(node, parents)| scorer.score(*node, parents))
                .collect();
            self.store.scores.extend(chunk.iter().cloned().zip(scores));
            done += chunk.len();
            if !must {
                self.report(STAGE, done, total)?;
            }
        }
        Ok(())
    }

    /// Candidate parents by forward selection, one more for every node in each round, as long as they gain something.
    fn choose_candidates(
        &mut self,
        sample: &Sample,
        config: &LocalConfig,
        allowed: &[Vec<usize>],
        required: &[Vec<usize>],
        seed: Seed,
    ) -> Result<Vec<Vec<usize>>> {
        let scorer = Scorer::new(sample, &config.screening(), seed)?;
        let least_gain = config.candidate_gain * config.price(sample.rows());
        let mut chosen = required.to_vec();
        let mut growing: Vec<usize> = (0..allowed.len()).collect();
        let key = |node: usize, parents: &[usize], more: Option<usize>| -> Key {
            let mut parents: Vec<usize> = parents.iter().copied().chain(more).collect();
            parents.sort_unstable();
            (node, parents)
        };
        let rounds = config.candidates;
        for round in 0..rounds {
            growing.retain(|&node| chosen[node].len() < config.candidates.min(allowed[node].len()));
            let mut keys = Vec::new();
            for &node in &growing {
                keys.push(key(node, &chosen[node], None));
                let more = allowed[node].iter().filter(|other| !chosen[node].contains(other));
                keys.extend(more.map(|&other| key(node, &chosen[node], Some(other))));
            }
            keys.retain(|key| !self.store.screened.contains_key(key));
            for (part, chunk) in keys.chunks(2 * CHUNK).enumerate() {
                let scores: Vec<f64> = chunk
                    .par_iter()
                    .with_max_len(1)
                    .map(|(node, parents)| scorer.score(*node, parents).nll)
                    .collect();
                self.store.screened.extend(chunk.iter().cloned().zip(scores));
                let share = ((part + 1) * 2 * CHUNK).min(keys.len()) * 100 / keys.len();
                self.report("choosing candidate causes", round * 100 + share, rounds * 100)?;
                if self.stopped {
                    return Ok(chosen);
                }
            }
            let nll = |node: usize, more| self.store.screened[&key(node, &chosen[node], more)];
            let best = |node: usize| {
                let more = allowed[node].iter().filter(|other| !chosen[node].contains(other));
                more.map(|&other| (nll(node, Some(other)), other)).min_by(|a, b| a.0.total_cmp(&b.0))
            };
            let gains: Vec<(usize, usize)> = (growing.iter())
                .filter_map(|&node| best(node).map(|(with, other)| (node, other, nll(node, None) - with)))
                .filter(|&(_, _, gain)| gain > least_gain)
                .map(|(node, other, _)| (node, other))
                .collect();
            growing = gains.iter().map(|&(node, _)| node).collect();
            for (node, other) in gains {
                chosen[node].push(other);
            }
        }
        Ok(symmetric(chosen, allowed, config.candidates))
    }
}

/// Candidates that are mutual where allowed and where there is room: the direction of an edge is for the scores to decide, not for
/// the selection.
fn symmetric(mut chosen: Vec<Vec<usize>>, allowed: &[Vec<usize>], most: usize) -> Vec<Vec<usize>> {
    for (node, others) in chosen.clone().into_iter().enumerate() {
        for other in others {
            if !chosen[other].contains(&node) && allowed[other].contains(&node) && chosen[other].len() < most
            {
                chosen[other].push(node);
            }
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_become_mutual_where_there_is_room_and_leave() {
        let chosen = vec![vec![1, 2], vec![], vec![1], vec![0]];
        let allowed = vec![vec![1, 2, 3], vec![0], vec![0, 1, 3], vec![0]];
        assert_eq!(symmetric(chosen.clone(), &allowed, 3), [vec![1, 2, 3], vec![0], vec![1, 0], vec![0]]);
        assert_eq!(symmetric(chosen, &allowed, 2), [vec![1, 2], vec![0], vec![1, 0], vec![0]]);
    }
}
