//! Which layer each node stands in.

use oslow_core::Dag;

/// The layer of each node, 0 on top: every cause above its effects, first as high as possible, then as near to most of its
/// neighbours as it may stand.
pub(super) fn layers(dag: &Dag) -> Vec<usize> {
    let order = dag.topological_order();
    let mut layer = vec![0; dag.nodes()];
    for &node in order.nodes() {
        layer[node] = highest(dag, node, &layer);
    }
    // A node with more effects than causes has shorter edges if it stands lower. Going upwards, effects have moved before it.
    for &node in order.nodes().iter().rev() {
        let children = dag.children(node);
        if children.len() > dag.parents(node).len()
            && let Some(nearest) = children.iter().map(|&child| layer[child]).min()
        {
            layer[node] = nearest - 1;
        }
    }
    layer
}

/// The highest layer below all causes.
fn highest(dag: &Dag, node: usize, layer: &[usize]) -> usize {
    dag.parents(node).iter().map(|&parent| layer[parent] + 1).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_cause_stands_above_its_effect() {
        // 0 → 1 → 2 → 3 and 4 → 3.
        let dag = Dag::new(5, &[(0, 1), (1, 2), (2, 3), (4, 3)]).unwrap();
        assert_eq!(layers(&dag), [0, 1, 2, 3, 2]);
    }
}
