//! One cause of many effects.

use oslow_core::Dag;

use super::GraphEntry;

pub(crate) const ENTRY: GraphEntry = GraphEntry {
    name: "fork",
    summary: "one common cause: the first node causes all others, which cause nothing",
    relabelled: true,
    draw: |_, order, _| {
        let edges: Vec<_> = order.nodes()[1..].iter().map(|&node| (order.nodes()[0], node)).collect();
        Dag::new(order.len(), &edges)
    },
};

#[cfg(test)]
mod tests {
    use crate::Spec;
    use oslow_core::{Ordering, Seed};

    #[test]
    fn the_first_causes_all_others() {
        let order = Ordering::new(vec![2, 0, 3, 1]).unwrap();
        let dag = (super::ENTRY.draw)(&Spec::default(), &order, &mut Seed(0).stream("test")).unwrap();
        assert_eq!(dag.edges(), [(2, 0), (2, 1), (2, 3)]);
    }
}
