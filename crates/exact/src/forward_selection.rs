//! Which columns are candidate parents of which.

use std::sync::Arc;

use oslow_core::{Result, Seed};

use crate::columns::Columns;
use crate::drawn_nodes::drawn_nodes;
use crate::interacting_causes::InteractingCauses;
use crate::store::{Interacting, Key};
use crate::work::{CHUNK, Work};
use crate::{LocalConfig, Scorer};

/// Nodes whose interacting causes are looked for between two looks at the observer.
const NODES: usize = 4;
/// Most nodes that tell whether a table needs processes.
const MOST_JUDGES: usize = 30;
/// What processes gain and lose at most with one node, in nats per row, where a table is judged: one node must not decide for all.
const MOST_OF_ONE_NODE: f64 = 0.1;
/// What a loss counts for beside a gain. Where processes lose, another family is taken.
const LOSS: f64 = 0.5;

/// The candidate parents of a node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidates {
    pub columns: Vec<usize>,
    /// The first so many interact.
    pub interacting: usize,
}

/// What candidates are chosen from.
pub(crate) struct Selection<'a> {
    pub columns: &'a Arc<Columns>,
    pub config: &'a LocalConfig,
    /// What each node may have as parents, …
    pub allowed: &'a [Vec<usize>],
    /// … of these what is worth a look, …
    pub looked_at: &'a [Vec<usize>],
    /// … and what it must have.
    pub required: &'a [Vec<usize>],
    pub seed: Seed,
}

impl Work<'_> {
    /// Candidate parents by forward selection: those that smooth units gain from one by one (all that are allowed, where they are few
    /// enough), and before them those that interact.
    pub fn choose_candidates(&mut self, from: &Selection<'_>) -> Result<Vec<Candidates>> {
        let &Selection { config, allowed, looked_at, required, .. } = from;
        let few = looked_at.iter().all(|looked_at| looked_at.len() <= config.candidates);
        let gaining = if few { looked_at.to_vec() } else { self.gaining(from)? };
        let interacting = self.interacting(from)?;
        // Both begin with what is required.
        let both = |((gaining, interacting), required): ((Vec<usize>, Vec<usize>), &Vec<usize>)| {
            let more = gaining.into_iter().filter(|other| !interacting.contains(other));
            let most = config.candidates.max(required.len());
            let columns = interacting.iter().copied().chain(more).take(most).collect();
            Candidates { columns, interacting: interacting.len() }
        };
        let candidates = gaining.into_iter().zip(interacting).zip(required).map(both).collect();
        Ok(symmetric(candidates, allowed, config.candidates))
    }

    /// The causes of each node that interact; none of any node where Gaussian processes of them are not what the table needs. That is for
    /// the whole table to say, or for enough of its nodes: an effect that is fitted better than its cause would look like the cause.
    fn interacting(&mut self, from: &Selection<'_>) -> Result<Vec<Vec<usize>>> {
        let &Selection { columns, config, looked_at, required, seed, .. } = from;
        let most = config.interacting.min(config.candidates);
        let none = vec![Vec::new(); looked_at.len()];
        if most == 0 {
            return Ok(none);
        }
        let causes = InteractingCauses::new(columns, seed);
        let scorer = Scorer::on(columns.clone(), config, seed)?;
        let find = |(node, looked_at): &Key| {
            let columns = causes.of(*node, looked_at, &required[*node], most);
            let gain = if columns.len() > 1 { scorer.process_gain(*node, &columns) } else { 0.0 };
            Interacting { columns, gain }
        };
        // Only what is looked at now: the store may also know what was looked at before.
        let keys: Vec<Key> = looked_at.iter().map(sorted).enumerate().collect();
        let judges = drawn_nodes(keys.len(), MOST_JUDGES, &mut seed.stream("local/judges"));
        let judges: Vec<Key> = judges.into_iter().map(|node| keys[node].clone()).collect();
        self.find_interacting(&judges, &find)?;
        if self.stopped || !needs_processes(judges.iter().map(|key| self.store.interacting[key].gain)) {
            return Ok(none);
        }
        self.find_interacting(&keys, &find)?;
        if self.stopped {
            return Ok(none);
        }
        Ok(keys.iter().map(|key| self.store.interacting[key].columns.clone()).collect())
    }

    /// Looks for the causes that interact where that was not done before.
    fn find_interacting(&mut self, keys: &[Key], find: &(impl Fn(&Key) -> Interacting + Sync)) -> Result<()> {
        let missing: Vec<Key> =
            keys.iter().filter(|key| !self.store.interacting.contains_key(*key)).cloned().collect();
        let mut done = keys.len() - missing.len();
        for chunk in missing.chunks(NODES) {
            if self.stopped {
                break;
            }
            let found = self.in_time(chunk, find);
            done += found.len();
            self.store.interacting.extend(found);
            self.report("looking for causes that interact", done, keys.len())?;
        }
        Ok(())
    }

    /// Columns that gain something, one more for every node in each round.
    fn gaining(&mut self, from: &Selection<'_>) -> Result<Vec<Vec<usize>>> {
        let &Selection { columns, config, looked_at, required, seed, .. } = from;
        let scorer = Scorer::on(columns.clone(), &config.screening(), seed)?;
        let least_gain = config.candidate_gain * config.price(columns.rows());
        let mut chosen = required.to_vec();
        let mut growing: Vec<usize> = (0..looked_at.len()).collect();
        let key = |node: usize, parents: &[usize], more: Option<usize>| -> Key {
            (node, sorted(parents.iter().chain(more.as_ref())))
        };
        let rounds = config.candidates;
        for round in 0..rounds {
            growing.retain(|&node| chosen[node].len() < config.candidates.min(looked_at[node].len()));
            let mut keys = Vec::new();
            for &node in &growing {
                keys.push(key(node, &chosen[node], None));
                let more = looked_at[node].iter().filter(|other| !chosen[node].contains(other));
                keys.extend(more.map(|&other| key(node, &chosen[node], Some(other))));
            }
            keys.retain(|key| !self.store.screened.contains_key(key));
            for (part, chunk) in keys.chunks(2 * CHUNK).enumerate() {
                let scores = self.in_time(chunk, |(node, parents)| scorer.score(*node, parents).nll);
                self.store.screened.extend(scores);
                let share = ((part + 1) * 2 * CHUNK).min(keys.len()) * 100 / keys.len();
                self.report("choosing candidate causes", round * 100 + share, rounds * 100)?;
                if self.stopped {
                    return Ok(chosen);
                }
            }
            let nll = |node: usize, more| self.store.screened[&key(node, &chosen[node], more)];
            let best = |node: usize| {
                let more = looked_at[node].iter().filter(|other| !chosen[node].contains(other));
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
        Ok(chosen)
    }
}

/// Columns in increasing order: a set is kept under the same key whatever order it comes from.
fn sorted<'a>(columns: impl IntoIterator<Item = &'a usize>) -> Vec<usize> {
    let mut columns: Vec<usize> = columns.into_iter().copied().collect();
    columns.sort_unstable();
    columns
}

/// Whether what processes gain with some nodes outweighs what they lose with others.
fn needs_processes(gains: impl Iterator<Item = f64>) -> bool {
    let weight = |gain: f64| if gain > 0.0 { gain } else { LOSS * gain };
    gains.map(|gain| weight(gain.clamp(-MOST_OF_ONE_NODE, MOST_OF_ONE_NODE))).sum::<f64>() > 0.0
}

/// Candidates that are mutual where allowed and where there is room: the direction of an edge is for the scores to decide, not for
/// the selection.
fn symmetric(mut chosen: Vec<Candidates>, allowed: &[Vec<usize>], most: usize) -> Vec<Candidates> {
    for (node, candidates) in chosen.clone().into_iter().enumerate() {
        for other in candidates.columns {
            let columns = &mut chosen[other].columns;
            if !columns.contains(&node) && allowed[other].contains(&node) && columns.len() < most {
                columns.push(node);
            }
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_node_alone_decides_on_processes_and_losses_count_less() {
        let needs = |gains: &[f64]| needs_processes(gains.iter().copied());
        assert!(!needs(&[0.0, 0.0]));
        assert!(needs(&[0.03, -0.05]));
        assert!(!needs(&[0.02, -0.05]));
        assert!(needs(&[0.06, f64::NEG_INFINITY]) && !needs(&[0.04, f64::NEG_INFINITY]));
        assert!(!needs(&[3.0, -0.08, -0.08, -0.08]));
    }

    #[test]
    fn candidates_become_mutual_where_there_is_room_and_leave() {
        let chosen: Vec<Candidates> = [vec![1, 2], vec![], vec![1], vec![0]]
            .map(|columns| Candidates { interacting: columns.len(), columns })
            .into();
        let allowed = vec![vec![1, 2, 3], vec![0], vec![0, 1, 3], vec![0]];
        let columns = |most: usize| -> Vec<Vec<usize>> {
            symmetric(chosen.clone(), &allowed, most).into_iter().map(|one| one.columns).collect()
        };
        assert_eq!(columns(3), [vec![1, 2, 3], vec![0], vec![1, 0], vec![0]]);
        assert_eq!(columns(2), [vec![1, 2], vec![0], vec![1, 0], vec![0]]);
        assert_eq!(symmetric(chosen, &allowed, 3)[0].interacting, 2);
    }
}
