//! Kinds of causal graphs.

use oslow_core::{Dag, Named, Ordering, Result, Rng};

use crate::Spec;

registry! {
    /// The kinds of graphs.
    GRAPHS: GraphEntry = { erdos_renyi, path, tournament }
}

/// A registered kind of graph.
#[derive(Debug)]
pub struct GraphEntry {
    /// The name users type.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// A graph of this kind whose edges follow the order.
    pub draw: fn(&Spec, &Ordering, &mut Rng) -> Result<Dag>,
}

impl Named for GraphEntry {
    fn name(&self) -> &'static str {
        self.name
    }
}

/// A graph whose nodes carry random labels: the columns' order must tell a learner nothing.
pub(crate) fn draw(entry: &GraphEntry, spec: &Spec, rng: &mut Rng) -> Result<Dag> {
    let order = Ordering::random(spec.nodes, rng);
    (entry.draw)(spec, &order, rng)
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    #[test]
    fn every_graph_has_edges_that_follow_its_order() {
        for entry in GRAPHS {
            for seed in 0..50 {
                let mut rng = Seed(seed).stream("test");
                let spec = Spec { nodes: 2 + seed as usize % 7, ..Spec::default() };
                let order = Ordering::random(spec.nodes, &mut rng);
                let dag = (entry.draw)(&spec, &order, &mut rng).unwrap();
                let positions = order.positions();
                assert_eq!(dag.nodes(), spec.nodes);
                assert!(!dag.edges().is_empty(), "{}", entry.name);
                assert!(dag.edges().iter().all(|&(a, b)| positions[a] < positions[b]), "{}", entry.name);
            }
        }
    }

    #[test]
    fn labels_are_random() {
        // Each of three nodes is the source of a path equally often: 300 draws, sd 8.2 each.
        let mut sources = [0; 3];
        for seed in 0..300 {
            let spec = Spec { nodes: 3, ..Spec::default() };
            let dag = draw(&path::ENTRY, &spec, &mut Seed(seed).stream("test")).unwrap();
            sources[dag.topological_order().nodes()[0]] += 1;
        }
        assert!(sources.iter().all(|count| (67..133).contains(count)), "{sources:?}");
    }
}
