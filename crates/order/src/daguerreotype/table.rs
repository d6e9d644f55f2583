//! The table as equations see it, and what orders cost.

use oslow_core::{Dag, Knowledge, Ordering, Prepared, Result};
use oslow_math::variances;

/// The columns, scaled to mean 0 and variance 1, with their variances.
pub(super) struct Table {
    /// Column by column.
    pub columns: Vec<Vec<f64>>,
    /// In the units of the run.
    pub variances: Vec<f64>,
}

impl Table {
    pub fn new(sample: &Prepared) -> Self {
        let columns = (0..sample.columns()).map(|j| sample.standard(j).to_vec()).collect();
        Self { columns, variances: variances(sample) }
    }

    pub fn rows(&self) -> usize {
        self.columns[0].len()
    }

    /// Some columns side by side, row by row, in single precision.
    pub fn side_by_side(&self, columns: &[usize]) -> Vec<f32> {
        (0..self.rows()).flat_map(|row| columns.iter().map(move |&j| self.columns[j][row] as f32)).collect()
    }
}

/// What orders cost.
pub(super) trait Losses {
    /// Makes ready for the descent of this index.
    fn start(&mut self, index: usize);

    /// The loss of each order, given their weights.
    fn losses(&mut self, orders: &[Ordering], weights: &[f64]) -> Result<Vec<f64>>;

    /// Keeps what [`Self::graph`] needs: the scores are at their best so far.
    fn remember(&mut self);

    /// The edges among those that follow an order which were learned to be there.
    fn graph(&mut self, order: &Ordering) -> Result<Dag>;
}

/// Negative log-likelihood per row of normal noises with one variance for all, whose squares have this mean over rows and variables.
pub(super) fn nll(d: usize, mean_square: f64) -> f64 {
    d as f64 / 2.0 * (std::f64::consts::TAU * std::f64::consts::E * mean_square).ln()
}

/// The possible causes of each position's node: those before it, less what is known to be none. In the order of the columns.
pub(super) fn possible_causes(order: &Ordering, knowledge: &Knowledge) -> Vec<Vec<usize>> {
    let nodes = order.nodes();
    let causes = |position: usize| {
        let allowed = |cause: &usize| knowledge.allows(*cause, nodes[position]);
        let mut causes: Vec<usize> = nodes[..position].iter().copied().filter(allowed).collect();
        causes.sort_unstable();
        causes
    };
    (0..nodes.len()).map(causes).collect()
}
