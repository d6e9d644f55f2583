//! Random trees.

use oslow_core::Dag;
use rand::RngExt;

use super::GraphEntry;

pub(crate) const ENTRY: GraphEntry = GraphEntry {
    name: "tree",
    summary: "a random recursive tree: each node but the first has one cause, uniform among the earlier ones",
    relabelled: true,
    draw: |_, order, rng| {
        let nodes = order.nodes();
        let edges: Vec<_> = (1..nodes.len()).map(|k| (nodes[rng.random_range(0..k)], nodes[k])).collect();
        Dag::new(nodes.len(), &edges)
    },
};

#[cfg(test)]
mod tests {
    use crate::Spec;
    use oslow_core::{Ordering, Seed};

    #[test]
    fn every_node_but_the_first_has_one_cause_and_the_first_as_many_effects_as_the_formula_says() {
        const DRAWS: usize = 2000;
        let (order, mut rng) = (Ordering::identity(9), Seed(3).stream("test"));
        let mut effects = 0;
        for _ in 0..DRAWS {
            let dag = (super::ENTRY.draw)(&Spec::default(), &order, &mut rng).unwrap();
            let causes: Vec<usize> = (0..9).map(|node| dag.parents(node).len()).collect();
            assert_eq!(causes, [0, 1, 1, 1, 1, 1, 1, 1, 1]);
            effects += dag.edges().iter().filter(|edge| edge.0 == 0).count();
        }
        // Node k takes the first with probability 1/k, independently.
        let chances = (1..9).map(|k| 1.0 / f64::from(k));
        let (mean, variance) = chances.fold((0.0, 0.0), |(m, v), p| (m + p, v + p * (1.0 - p)));
        let got = effects as f64 / DRAWS as f64;
        assert!((got - mean).abs() < 4.0 * (variance / DRAWS as f64).sqrt(), "{got}, {mean}");
    }
}
