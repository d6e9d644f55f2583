//! Kinds of causal graphs.

use oslow_core::{Dag, Named, Ordering, Result, Rng};

use crate::Spec;

registry! {
    /// The kinds of graphs.
    GRAPHS: GraphEntry = {
        erdos_renyi, barabasi_albert, tree, path, fork, collider, tournament, given
    }
}

pub(crate) mod hidden;

/// A registered kind of graph.
#[derive(Debug)]
pub struct GraphEntry {
    /// The name users type.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Whether the nodes are labelled at random; otherwise the user has said which is which.
    pub relabelled: bool,
    /// A graph of this kind. Where nodes are labelled at random, its edges follow the order.
    pub draw: fn(&Spec, &Ordering, &mut Rng) -> Result<Dag>,
}

impl Named for GraphEntry {
    fn name(&self) -> &'static str {
        self.name
    }
}

/// A graph whose nodes carry random labels, unless the user gave it: the columns' order must tell a learner
/// nothing.
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
                let nodes = 2 + seed as usize % 7;
                let edges = if entry.relabelled { vec![] } else { vec![(0, 1)] };
                let spec = Spec { graph: entry.name.into(), nodes, edges, ..Spec::default() };
                spec.resolve().unwrap();
                let random = Ordering::random(nodes, &mut rng);
                let order = if entry.relabelled { random } else { Ordering::identity(nodes) };
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
        // Each of three nodes comes first equally often, and each last: 300 draws, sd 8.2 each. A fork has
        // one node that can come first, a collider one that can come last; a path has both.
        let ends =
            [(&fork::ENTRY, true), (&collider::ENTRY, false), (&path::ENTRY, true), (&path::ENTRY, false)];
        for (entry, first) in ends {
            let mut counts = [0; 3];
            for seed in 0..300 {
                let spec = Spec { nodes: 3, ..Spec::default() };
                let dag = draw(entry, &spec, &mut Seed(seed).stream("test")).unwrap();
                counts[dag.topological_order().nodes()[if first { 0 } else { 2 }]] += 1;
            }
            assert!(counts.iter().all(|count| (67..133).contains(count)), "{}: {counts:?}", entry.name);
        }
    }

    #[test]
    fn labels_of_a_given_graph_stay() {
        let spec = Spec { edges: vec![(2, 0), (0, 1)], nodes: 3, ..Spec::default() };
        for seed in 0..20 {
            let dag = draw(&given::ENTRY, &spec, &mut Seed(seed).stream("test")).unwrap();
            assert_eq!(dag.edges(), [(0, 1), (2, 0)]);
        }
    }
}
