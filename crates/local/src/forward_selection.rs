//! Which columns are candidate parents of which.

use oslow_core::{Result, Sample, Seed};
use rayon::prelude::*;

use crate::store::Key;
use crate::work::{CHUNK, Work};
use crate::{LocalConfig, Scorer};

impl Work<'_> {
    /// Candidate parents by forward selection, one more for every node in each round, as long as they gain something.
    pub fn choose_candidates(
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
