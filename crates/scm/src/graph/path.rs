//! Causal paths.

use oslow_core::Dag;

use super::GraphEntry;

pub(crate) const ENTRY: GraphEntry = GraphEntry {
    name: "path",
    summary: "a chain: each node causes the next one only",
    relabelled: true,
    draw: |_, order, _| {
        let edges: Vec<_> = order.nodes().windows(2).map(|pair| (pair[0], pair[1])).collect();
        Dag::new(order.len(), &edges)
    },
};
