//! Graphs written for other programs.
//!
//! One file is one format and holds one public function of its name. Each takes a [`Dag`](oslow_core::Dag), the
//! names of its nodes and what is known of its edges ([`EdgeAttributes`]).

mod attributes;
mod dot;
mod graphml;

pub use attributes::EdgeAttributes;
pub use dot::dot;
pub use graphml::graphml;
