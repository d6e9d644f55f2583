//! What a bootstrap found.

use oslow_core::{Edge, Ordering};
use serde::{Deserialize, Serialize};

use crate::OrderPairs;

/// How often the resamples of a table gave each edge and each pair of the order.
#[derive(Clone, Debug, PartialEq)]
pub struct Confidence {
    /// Resamples that were asked for.
    pub asked: usize,
    /// Resamples that were finished; every share is one of these.
    pub finished: usize,
    /// The edges that some resample has, by cause and then effect.
    pub edges: Vec<EdgeShare>,
    /// How often each variable came before each other; `None` where the method yields no order, and where no
    /// resample was finished.
    pub order_pairs: Option<OrderPairs>,
}

/// An edge, cause → effect, and how often it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeShare {
    /// The cause.
    pub from: usize,
    /// The effect.
    pub to: usize,
    /// The share of resamples whose graph has it.
    pub share: f64,
}

/// What the stages made of one resample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// The order, causes first, where the method yields one.
    pub order: Option<Vec<usize>>,
    pub edges: Vec<Edge>,
}

impl Outcome {
    /// Whether a table with this many columns may have it.
    pub(crate) fn fits(&self, columns: usize) -> bool {
        self.order.as_ref().is_none_or(|order| order.len() == columns)
            && self.edges.iter().all(|&(from, to)| from < columns && to < columns)
    }
}

impl Confidence {
    /// Counts over the finished ones of `asked` resamples of a table with this many columns.
    pub(crate) fn new(columns: usize, asked: usize, outcomes: &[&Outcome]) -> oslow_core::Result<Self> {
        let finished = outcomes.len();
        let mut counts = vec![0_usize; columns * columns];
        for (from, to) in outcomes.iter().flat_map(|outcome| &outcome.edges) {
            counts[from * columns + to] += 1;
        }
        let found = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let edges = found.map(|(k, &count)| EdgeShare {
            from: k / columns,
            to: k % columns,
            share: count as f64 / finished as f64,
        });
        let orders = outcomes.iter().filter_map(|outcome| outcome.order.clone()).map(Ordering::new);
        let orders: Vec<Ordering> = orders.collect::<oslow_core::Result<_>>()?;
        Ok(Self {
            asked,
            finished,
            edges: edges.collect(),
            order_pairs: OrderPairs::new(columns, orders.iter()),
        })
    }

    /// The share of resamples that have this edge; `None` if none was finished.
    pub fn of(&self, from: usize, to: usize) -> Option<f64> {
        let found = self.edges.binary_search_by_key(&(from, to), |edge| (edge.from, edge.to));
        (self.finished > 0).then(|| found.map_or(0.0, |place| self.edges[place].share))
    }

    /// Whether it was stopped before every resample was finished.
    pub fn interrupted(&self) -> bool {
        self.finished < self.asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_finished_resamples() {
        let outcome = |order: Option<[usize; 3]>, edges: &[Edge]| Outcome {
            order: order.map(Into::into),
            edges: edges.to_vec(),
        };
        let outcomes = [
            outcome(Some([0, 1, 2]), &[(0, 1), (1, 2)]),
            outcome(Some([1, 0, 2]), &[(1, 2)]),
            outcome(Some([0, 1, 2]), &[(0, 1), (1, 2)]),
            outcome(Some([2, 0, 1]), &[(2, 0)]),
        ];
        let found = Confidence::new(3, 10, &outcomes.iter().collect::<Vec<_>>()).unwrap();
        assert_eq!((found.finished, found.interrupted()), (4, true));
        let shares = [found.of(0, 1), found.of(1, 2), found.of(2, 0), found.of(1, 0)];
        assert_eq!(shares, [Some(0.5), Some(0.75), Some(0.25), Some(0.0)]);
        assert_eq!(found.edges.len(), 3);
        assert_eq!(found.order_pairs.unwrap().share(0, 2), 0.75);

        let without_order = Confidence::new(3, 1, &[&outcome(None, &[(0, 1)])]).unwrap();
        assert_eq!((without_order.order_pairs.is_none(), without_order.of(0, 1)), (true, Some(1.0)));
        let nothing = Confidence::new(3, 1, &[]).unwrap();
        assert_eq!((nothing.order_pairs.is_none(), nothing.of(0, 1)), (true, None));
    }
}
