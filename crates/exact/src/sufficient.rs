//! Which parents are needed: the smallest set that predicts nearly as well as the best.

use oslow_core::{Dag, Edge, Ordering, Result, positive, within};
use serde::{Deserialize, Serialize};

use crate::{LocalScores, Score, difference};

/// When a smaller set of causes is good enough; [`Default`] is what we recommend (`docs/adr/0010-exact-engine.md`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Sufficient {
    /// It is worse than the best set by at most so many standard errors of the difference over rows, …
    pub standard_errors: f64,
    /// … or it has at least this share of what the best set gains over no causes, in nats.
    pub explained: f64,
}

impl Default for Sufficient {
    fn default() -> Self {
        Self { standard_errors: 1.0, explained: 0.9 }
    }
}

impl Sufficient {
    /// Refuses values outside their range.
    pub fn check(&self) -> Result<()> {
        within("sufficient.standard_errors", self.standard_errors, 0.0..=1e6)?;
        positive("sufficient.explained", self.explained, 1.0)
    }

    /// The graph along an order: each node takes, among sets of its predecessors, the smallest sufficient one; of equally small
    /// ones the best. `None` if a node is left without a scored set.
    ///
    /// # Panics
    /// If there are not as many nodes in the order as in the scores.
    pub fn dag(&self, scores: &LocalScores, order: &Ordering) -> Option<Dag> {
        let positions = order.positions();
        let mut edges: Vec<Edge> = Vec::new();
        for (node, costs) in scores.costs_by(|score, _| score.nll).iter().enumerate() {
            let inside = costs.mask(|other| positions[other] < positions[node]);
            let sets: Vec<(u32, &Score)> = (0u32..)
                .zip(scores.of(node))
                .filter(|(mask, _)| mask & !inside == 0)
                .filter_map(|(mask, score)| score.as_ref().map(|score| (mask, score)))
                .collect();
            let mask = self.smallest(&sets)?;
            edges.extend(costs.parents(mask).into_iter().map(|parent| (parent, node)));
        }
        Some(Dag::new(order.len(), &edges).expect("edges along an order make no cycle"))
    }

    /// The smallest sufficient of some sets, the first of which is a subset of all.
    fn smallest(&self, sets: &[(u32, &Score)]) -> Option<u32> {
        let best = sets.iter().min_by(|a, b| a.1.nll.total_cmp(&b.1.nll))?.1;
        let to_gain = sets.first()?.1.nll - best.nll;
        let suffices = |score: &Score| {
            let (worse, error) = difference(&score.rows, &best.rows);
            worse <= (self.standard_errors * error).max((1.0 - self.explained) * to_gain)
        };
        sets.iter()
            .filter(|(_, score)| suffices(score))
            .min_by(|a, b| (a.0.count_ones().cmp(&b.0.count_ones())).then(a.1.nll.total_cmp(&b.1.nll)))
            .map(|(mask, _)| *mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Family, Location, Noise};

    fn score(rows: [f32; 4]) -> Score {
        Score::new(
            rows.to_vec(),
            Family { location: Location::Units, affine: false, noise: Some(Noise::Gaussian) },
        )
    }

    #[test]
    fn the_smallest_set_that_is_not_clearly_worse_is_taken() {
        let none = score([5.0, 5.0, 5.0, 5.0]);
        let first = score([1.2, 0.9, 1.2, 0.9]);
        let second = score([4.0, 4.0, 4.0, 4.0]);
        let both = score([1.0, 1.0, 1.0, 1.0]);
        let sets = [(0, &none), (1, &first), (2, &second), (3, &both)];
        let smallest =
            |standard_errors, explained| Sufficient { standard_errors, explained }.smallest(&sets).unwrap();
        // One cause is worse by 0.05 ± 0.087, of 4 that there are to gain.
        assert_eq!(smallest(1.0, 1.0), 1);
        assert_eq!(smallest(0.5, 1.0), 3);
        assert_eq!(smallest(0.5, 0.98), 1);
        // Either cause alone has a fifth of it: the better one is taken.
        assert_eq!(smallest(0.5, 0.2), 1);
        assert_eq!(Sufficient::default().smallest(&[]), None);
    }
}
