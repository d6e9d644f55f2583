//! One effect of many causes.

use oslow_core::Dag;

use super::GraphEntry;

pub(crate) const ENTRY: GraphEntry = GraphEntry {
    name: "collider",
    summary: "independent causes with one common effect: all others cause the last node",
    relabelled: true,
    draw: |_, order, _| {
        let last = order.len() - 1;
        let edges: Vec<_> = order.nodes()[..last].iter().map(|&node| (node, order.nodes()[last])).collect();
        Dag::new(order.len(), &edges)
    },
};

#[cfg(test)]
mod tests {
    use crate::Spec;
    use oslow_core::{Ordering, Seed};

    #[test]
    fn all_others_cause_the_last() {
        let order = Ordering::new(vec![2, 0, 3, 1]).unwrap();
        let dag = (super::ENTRY.draw)(&Spec::default(), &order, &mut Seed(0).stream("test")).unwrap();
        assert_eq!(dag.edges(), [(0, 1), (2, 1), (3, 1)]);
    }
}
