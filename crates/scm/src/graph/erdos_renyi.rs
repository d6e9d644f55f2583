//! Erdős–Rényi graphs.

use oslow_core::{Dag, Error, Ordering, Result, Rng};
use rand::RngExt;

use super::GraphEntry;
use crate::Spec;

pub(crate) const ENTRY: GraphEntry = GraphEntry {
    name: "erdos-renyi",
    summary: "each pair is joined with probability `p`, or so that `expected_edges` are expected; never without edges",
    relabelled: true,
    draw,
};

/// An edgeless graph is drawn again; a p so small that this many draws are edgeless is a mistake.
const DRAWS: usize = 10_000;

fn draw(spec: &Spec, order: &Ordering, rng: &mut Rng) -> Result<Dag> {
    let (p, nodes) = (spec.edge_probability(), order.nodes());
    for _ in 0..DRAWS {
        let pairs = (0..nodes.len()).flat_map(|a| (a + 1..nodes.len()).map(move |b| (nodes[a], nodes[b])));
        let edges: Vec<_> = pairs.filter(|_| rng.random_bool(p)).collect();
        if !edges.is_empty() {
            return Dag::new(nodes.len(), &edges);
        }
    }
    Err(Error::input(format!("p = {p}: {DRAWS} graphs of {} nodes had no edge", nodes.len()))
        .with_hint("choose a larger p, or expect more edges"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EdgeProbability;
    use oslow_core::Seed;

    #[test]
    fn the_share_of_edges_is_p() {
        let spec = Spec { nodes: 40, p: EdgeProbability::Fixed(0.3), ..Spec::default() };
        let mut rng = Seed(5).stream("test");
        let dag = draw(&spec, &Ordering::identity(40), &mut rng).unwrap();
        // 780 pairs: mean 234, sd 12.8.
        assert!((183..285).contains(&dag.edges().len()), "{}", dag.edges().len());
    }

    #[test]
    fn the_number_of_edges_is_the_expected_one() {
        const DRAWS: usize = 500;
        let spec = Spec { nodes: 12, expected_edges: Some(9.9), ..Spec::default() };
        let mut rng = Seed(6).stream("test");
        let mut count = || draw(&spec, &Ordering::identity(12), &mut rng).unwrap().edges().len();
        let mean = (0..DRAWS).map(|_| count()).sum::<usize>() as f64 / DRAWS as f64;
        // 66 pairs with p = 0.15; an edgeless graph, which is drawn again, has a chance of 2e-5.
        let error = (9.9 * 0.85 / DRAWS as f64).sqrt();
        assert!((mean - 9.9).abs() < 4.0 * error, "{mean}");
    }

    #[test]
    fn a_hopeless_p_is_refused() {
        let spec = Spec { nodes: 2, p: EdgeProbability::Fixed(1e-12), ..Spec::default() };
        let error = draw(&spec, &Ordering::identity(2), &mut Seed(0).stream("test")).unwrap_err();
        assert!(error.hint().is_some());
    }
}
