//! Local scores: how well a set of parents explains a node, on rows that the fit has not seen.

mod parent_costs;

pub use parent_costs::ParentCosts;
