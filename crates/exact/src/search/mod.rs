//! The cheapest order and graph, given what each set of parents of each node costs.
//!
//! A graph costs the sum over its nodes of the cost of their parents; an order costs what the cheapest graph along it
//! does. Up to [`MOST_NODES`] nodes [`ExactSearch`] finds the cheapest of all. Many orders are equally cheap, since a
//! node's place matters only to those that could have it as a parent: they are counted, and one is drawn. For more nodes
//! [`ComponentSearch`] cuts the problem into parts that can be ordered one after the other. Parts that are still too large [`LocalSearch`] climbs from
//! several starts, and says how far from the cheapest it can be.

mod climb;
mod component_search;
mod components;
mod exact_search;
mod found;
mod groups;
mod local_search;
mod order_chain;
mod order_sum;
mod prefix_table;
mod problem;
mod relaxation;
mod soft_min;
mod step;
#[cfg(test)]
mod tests;
mod tied_orders;
mod total;

pub use component_search::ComponentSearch;
pub use exact_search::{ExactSearch, MOST_NODES, bytes};
pub use found::Found;
pub use local_search::LocalSearch;
pub(crate) use order_chain::OrderChain;
pub(crate) use order_sum::OrderSum;
