//! Local scores: how well a set of parents explains a node, on rows that the fit has not seen.

mod best_dag;
mod parent_costs;

pub use best_dag::best_dag;
pub use parent_costs::ParentCosts;
