//! Full graphs.

use oslow_core::Dag;

use super::GraphEntry;

pub(crate) const ENTRY: GraphEntry = GraphEntry {
    name: "tournament",
    summary: "a full graph: each node causes all later ones",
    relabelled: true,
    draw: |_, order, _| Ok(Dag::tournament(order)),
};
