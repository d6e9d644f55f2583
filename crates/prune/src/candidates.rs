//! Which causes an order and the knowledge leave to each variable: where every pruner begins.

use oslow_core::{Error, Knowledge, Ordering, Result, Sample};

/// The candidate causes of each node, causes first: its predecessors, less those that knowledge forbids. Refuses an order of
/// another table, and one that contradicts the knowledge.
///
/// An order that knowledge admits has every required edge among its candidates, as knowledge forbids none that it requires.
pub(crate) fn candidates(
    sample: &Sample,
    order: &Ordering,
    knowledge: &Knowledge,
) -> Result<Vec<Vec<usize>>> {
    if order.len() != sample.columns() {
        return Err(Error::input(format!(
            "the order has {} variables, the table {} columns",
            order.len(),
            sample.columns()
        )));
    }
    if !knowledge.precedence().admits(order) {
        return Err(Error::input("the order contradicts the knowledge")
            .with_hint("look at its tiers and required edges"));
    }
    let mut candidates = vec![Vec::new(); order.len()];
    for (position, &node) in order.nodes().iter().enumerate() {
        let before = &order.nodes()[..position];
        candidates[node] = before.iter().copied().filter(|&from| knowledge.allows(from, node)).collect();
    }
    Ok(candidates)
}
