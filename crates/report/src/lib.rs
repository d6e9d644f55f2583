//! Results made readable: graphs for other programs, plots for people.
//!
//! [`dot`] and [`graphml`] take a [`Dag`](oslow_core::Dag), the names of its nodes and what is known of its edges
//! ([`EdgeAttributes`]); a [`LinePlot`] is an SVG of curves.

mod attributes;
mod dot;
mod graphml;
mod line_plot;

pub use attributes::EdgeAttributes;
pub use dot::dot;
pub use graphml::graphml;
pub use line_plot::{Curve, LinePlot};
