//! The graph that the user gives, edge by edge.

use oslow_core::{Dag, Error, Result};

use super::GraphEntry;
use crate::Spec;

pub(crate) const ENTRY: GraphEntry = GraphEntry {
    name: "given",
    summary: "the graph with these `edges`, such as edges=[[0,1],[1,2]]; its labels stay as they are",
    relabelled: false,
    draw: |spec, _, _| given(spec),
};

fn given(spec: &Spec) -> Result<Dag> {
    if spec.edges.is_empty() {
        return Err(Error::input("the graph `given` has no edges")
            .with_hint("give them as cause and effect, counted from 0: edges=[[0,1],[1,2]]"));
    }
    let dag = Dag::new(spec.nodes, &spec.edges).map_err(|error| {
        let outside = error.hint().is_none();
        let error = error.at("edges");
        if outside {
            error.with_hint("nodes are counted from 0; `nodes` says how many there are")
        } else {
            error
        }
    })?;
    match spec.edges.iter().enumerate().find(|(k, edge)| spec.edges[..*k].contains(edge)) {
        Some((_, (from, to))) => Err(Error::input(format!("edges: {from} → {to} is given twice"))),
        None => Ok(dag),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(edges: &[(usize, usize)]) -> Result<Dag> {
        given(&Spec { graph: "given".into(), nodes: 3, edges: edges.to_vec(), ..Spec::default() })
    }

    #[test]
    fn the_edges_are_those_given() {
        assert_eq!(of(&[(2, 1), (0, 2)]).unwrap().edges(), [(0, 2), (2, 1)]);
    }

    #[test]
    fn what_is_no_acyclic_graph_is_refused() {
        let refusal = |edges: &[(usize, usize)]| of(edges).unwrap_err().to_string();
        assert_eq!(refusal(&[]), "the graph `given` has no edges");
        assert_eq!(refusal(&[(0, 3)]), "edges: edge 0 → 3 names a node outside 0..3");
        assert_eq!(refusal(&[(0, 1), (1, 2), (0, 1)]), "edges: 0 → 1 is given twice");
        assert!(refusal(&[(0, 1), (1, 0)]).starts_with("edges: the graph has a cycle: "));
        assert!(refusal(&[(1, 1)]).starts_with("edges: the graph has a cycle: 1 → 1"));
        assert!([&[(0, 3)][..], &[(1, 1)], &[]].iter().all(|edges| of(edges).unwrap_err().hint().is_some()));
    }
}
