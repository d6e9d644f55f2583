//! What a search found.

use crate::{ParentCosts, best_dag};
use oslow_core::{Dag, Error, Ordering, Result};

/// The cheapest order that a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The order.
    pub order: Ordering,
    /// The cheapest graph that agrees with it.
    pub dag: Dag,
    /// The cost of both.
    pub cost: f64,
    /// What no order undercuts. It is the cost itself where the search is exact.
    pub lower_bound: f64,
    /// How many orders are as cheap, this one included, where that is known.
    pub ties: Option<usize>,
    /// Whether the search was told to stop before it had settled.
    pub interrupted: bool,
}

impl Found {
    /// An order and its cheapest graph; refuses one that leaves a node without an allowed set of parents.
    pub(super) fn new(costs: &[ParentCosts], order: Ordering, lower_bound: f64) -> Result<Self> {
        let (dag, cost) = best_dag(costs, &order).ok_or_else(impossible)?;
        Ok(Self { order, dag, cost, lower_bound: lower_bound.min(cost), ties: None, interrupted: false })
    }

    /// How much cheaper another order could be at most.
    pub fn gap(&self) -> f64 {
        self.cost - self.lower_bound
    }
}

/// Every order leaves some node without an allowed set of parents.
pub(super) fn impossible() -> Error {
    Error::input("no order was found that leaves every column an allowed set of parents")
        .with_hint("look at the required and forbidden edges, roots and leaves")
}

/// Refuses costs that cannot be added and compared.
pub(super) fn check(costs: &[ParentCosts]) -> Result<()> {
    for (node, table) in costs.iter().enumerate() {
        if table.costs().iter().any(|&cost| cost.is_nan() || cost == f64::NEG_INFINITY) {
            return Err(Error::non_finite("the cost of a set of parents", format!("column {node}")));
        }
    }
    Ok(())
}
