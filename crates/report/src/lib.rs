//! Results made readable: graphs for other programs, plots for people.
//!
//! [`dot`] and [`graphml`] take a [`Dag`](oslow_core::Dag), the names of its nodes and what is known of its edges
//! ([`EdgeAttributes`]); a [`LinePlot`] is an SVG of curves; a [`Table`] becomes Markdown, HTML or LaTeX; a [`Page`] is a
//! whole run as one HTML file.

#![forbid(unsafe_code)]

mod attributes;
mod birkhoff;
mod dot;
mod graph_picture;
mod graphml;
mod line_plot;
mod markup;
mod page;
mod table;

pub use attributes::EdgeAttributes;
pub use birkhoff::BirkhoffPicture;
pub use dot::dot;
pub use graph_picture::GraphPicture;
pub use graphml::graphml;
pub use line_plot::{Curve, LinePlot};
pub use markup::escape;
pub use page::{LOOK, MAKING, Page};
pub use table::{RowGroup, Table, html_page, html_text};
