//! The picture of the page.

use oslow_core::{Dag, Edge, Ordering, Result};
use oslow_report::{EdgeAttributes, GraphPicture};

use super::written::WrittenRun;

/// Edges that the picture shows, at most: the strongest. More are a thicket.
const MOST_DRAWN: usize = 500;

/// The graph as SVG, and how many edges it has.
pub(super) fn picture(run: &WrittenRun, strongest: &[usize]) -> Result<(String, usize)> {
    let all = run.edges()?;
    let mut drawn: Vec<usize> = strongest.iter().copied().take(MOST_DRAWN).collect();
    drawn.sort_unstable();
    let attributes: Vec<(Edge, EdgeAttributes)> = drawn.iter().map(|&place| all[place]).collect();
    let edges: Vec<Edge> = attributes.iter().map(|(edge, _)| *edge).collect();
    let dag = Dag::new(run.columns.len(), &edges)?;
    let order = match &run.order {
        None => None,
        Some(names) => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            Some(Ordering::from_names(&names, &run.columns)?)
        }
    };
    let picture =
        GraphPicture { dag: &dag, names: &run.columns, order: order.as_ref(), attributes: &attributes };
    Ok((picture.to_svg(), drawn.len()))
}
