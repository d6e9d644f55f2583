//! Scale-free graphs: few hubs, many nodes with few edges.
//!
//! # Model
//!
//! Nodes come one by one along the order. The k-th (counted from 0) chooses min(m, k) distinct causes
//! among the k before it, m = `attachments`: one after the other without replacement, each with a
//! probability proportional to its degree (causes and effects together) before the k-th came. So the
//! first m + 1 nodes are a full graph, there are Σₖ min(m, k) edges, no node has more than m causes, and
//! early nodes become hubs with many effects: with m = 1 the expected degree of the first of d nodes is
//! Π (1 + 1/(2s)) over s = 1, …, d − 2, which grows like √d.
//!
//! # Departs from the paper
//!
//! The original starts from an unspecified small graph without directions. Ours starts from the full
//! graph, and edges point from old to new, which is what makes it acyclic.
//!
//! # Reference
//!
//! Barabási and Albert, Emergence of scaling in random networks, Science 1999.

use oslow_core::{Dag, Ordering, Result, Rng};
use rand::RngExt;

use super::GraphEntry;
use crate::Spec;

pub(crate) const ENTRY: GraphEntry = GraphEntry {
    name: "barabasi-albert",
    summary: "scale-free: each node has `attachments` earlier causes, chosen in proportion to their degree",
    relabelled: true,
    draw,
};

fn draw(spec: &Spec, order: &Ordering, rng: &mut Rng) -> Result<Dag> {
    let nodes = order.nodes();
    // Every node once for each edge that it is part of: a uniform draw is one in proportion to the degree.
    let mut urn = Vec::new();
    let mut edges = Vec::new();
    for k in 1..nodes.len() {
        let all = k <= spec.attachments;
        let causes = if all { (0..k).collect() } else { distinct(&urn, spec.attachments, rng) };
        edges.extend(causes.iter().map(|&cause| (nodes[cause], nodes[k])));
        urn.extend(causes.into_iter().flat_map(|cause| [cause, k]));
    }
    Dag::new(nodes.len(), &edges)
}

/// `count` different nodes from the urn. Drawing again what has been drawn before is the same as drawing
/// without it.
fn distinct(urn: &[usize], count: usize, rng: &mut Rng) -> Vec<usize> {
    let mut drawn = Vec::with_capacity(count);
    while drawn.len() < count {
        let node = urn[rng.random_range(0..urn.len())];
        if !drawn.contains(&node) {
            drawn.push(node);
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    fn graph(nodes: usize, attachments: usize, rng: &mut Rng) -> Dag {
        draw(&Spec { nodes, attachments, ..Spec::default() }, &Ordering::identity(nodes), rng).unwrap()
    }

    /// The mean of something over draws is the expected one.
    fn check(expected: f64, mut draw: impl FnMut() -> f64) {
        let draws: Vec<f64> = (0..4000).map(|_| draw()).collect();
        let n = draws.len() as f64;
        let mean = draws.iter().sum::<f64>() / n;
        let error = (draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n / n).sqrt();
        assert!((mean - expected).abs() < 4.0 * error, "{mean} is not {expected}, error {error}");
    }

    #[test]
    fn each_node_has_its_number_of_causes() {
        let mut rng = Seed(1).stream("test");
        for (attachments, causes) in [(1, [0, 1, 1, 1, 1]), (2, [0, 1, 2, 2, 2]), (9, [0, 1, 2, 3, 4])] {
            let dag = graph(5, attachments, &mut rng);
            assert_eq!(causes, std::array::from_fn(|node| dag.parents(node).len()));
        }
    }

    #[test]
    fn the_first_node_is_a_hub() {
        let mut rng = Seed(2).stream("test");
        let expected = (1..=38).map(|s| 1.0 + 0.5 / f64::from(s)).product();
        // Choosing uniformly would give 1 + 1/2 + … + 1/39 = 4.25.
        assert!(expected > 6.9);
        let degree = |dag: Dag| dag.edges().iter().filter(|edge| edge.0 == 0).count() as f64;
        check(expected, || degree(graph(40, 1, &mut rng)));
    }

    #[test]
    fn causes_are_chosen_in_proportion_to_degree_without_replacement() {
        // Node 3 chooses two of a triangle. The third then has degree 2 beside 3, 3 and 2 (node 3), and
        // node 4 chooses it first (2/10), or after a neighbour (6/10 · 2/7) or node 3 (2/10 · 2/8).
        let expected = 0.2 + 0.6 * 2.0 / 7.0 + 0.2 * 0.25;
        let mut rng = Seed(3).stream("test");
        check(expected, || {
            let dag = graph(5, 2, &mut rng);
            let left = (0..3).find(|&node| !dag.has(node, 3)).unwrap();
            f64::from(u8::from(dag.has(left, 4)))
        });
    }
}
