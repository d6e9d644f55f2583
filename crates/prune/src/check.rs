//! What every pruner checks before it starts.

use oslow_core::{Error, Knowledge, Ordering, Result, Sample};

/// Refuses an order of another table, and one that contradicts the knowledge.
pub(crate) fn check_order(sample: &Sample, order: &Ordering, knowledge: &Knowledge) -> Result<()> {
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
    Ok(())
}
