//! A directed acyclic graph.

use crate::{Error, Ordering, Result};

/// One edge, cause → effect.
pub type Edge = (usize, usize);

/// A directed acyclic graph over `0..d`. Adjacency is row → column: `has(cause, effect)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dag {
    d: usize,
    adjacency: Vec<bool>,
}

impl Dag {
    /// A graph without edges.
    pub fn empty(d: usize) -> Self {
        Self { d, adjacency: vec![false; d * d] }
    }

    /// The graph with these edges; refuses loops, cycles and nodes outside `0..d`.
    pub fn new(d: usize, edges: &[Edge]) -> Result<Self> {
        let mut dag = Self::empty(d);
        for &(from, to) in edges {
            if from >= d || to >= d {
                return Err(Error::input(format!("edge {from} → {to} names a node outside 0..{d}")));
            }
            dag.adjacency[from * d + to] = true;
        }
        match dag.cycle() {
            None => Ok(dag),
            Some(cycle) => {
                let path: Vec<String> = cycle.iter().map(ToString::to_string).collect();
                Err(Error::input(format!("the graph has a cycle: {}", path.join(" → ")))
                    .with_hint("a causal graph must be acyclic: remove one of these edges"))
            }
        }
    }

    /// Every node points at all later ones.
    pub fn tournament(order: &Ordering) -> Self {
        let mut dag = Self::empty(order.len());
        for (position, &from) in order.nodes().iter().enumerate() {
            for &to in &order.nodes()[position + 1..] {
                dag.adjacency[from * dag.d + to] = true;
            }
        }
        dag
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.d
    }

    /// Whether `from` is a direct cause of `to`.
    pub fn has(&self, from: usize, to: usize) -> bool {
        self.adjacency[from * self.d + to]
    }

    /// All edges, by cause and then effect.
    pub fn edges(&self) -> Vec<Edge> {
        let d = self.d;
        (0..d * d).filter(|&k| self.adjacency[k]).map(|k| (k / d, k % d)).collect()
    }

    /// The direct causes of a node, ascending.
    pub fn parents(&self, node: usize) -> Vec<usize> {
        (0..self.d).filter(|&from| self.has(from, node)).collect()
    }

    /// The direct effects of a node, ascending.
    pub fn children(&self, node: usize) -> Vec<usize> {
        (0..self.d).filter(|&to| self.has(node, to)).collect()
    }

    /// Whether a path leads from one node to another.
    pub fn is_ancestor(&self, from: usize, to: usize) -> bool {
        let (mut reached, mut open) = (vec![false; self.d], vec![from]);
        while let Some(node) = open.pop() {
            for child in
                self.children(node).into_iter().filter(|&child| !std::mem::replace(&mut reached[child], true))
            {
                open.push(child);
            }
        }
        reached[to]
    }

    /// One topological order: among the nodes that may come next, always the smallest.
    pub fn topological_order(&self) -> Ordering {
        let all: Vec<f64> = (0..self.d).map(|node| node as f64).collect();
        let order = crate::Precedence::from_relation(self.d, self.adjacency.clone()).sort(&all);
        order.expect("a Dag is acyclic by construction")
    }

    /// The nodes of one cycle along these edges, first node repeated at the end, if there is one: for messages that
    /// know better names than numbers.
    ///
    /// # Panics
    ///
    /// If an edge names a node outside `0..d`.
    pub fn find_cycle(d: usize, edges: &[Edge]) -> Option<Vec<usize>> {
        let mut graph = Self::empty(d);
        for &(from, to) in edges {
            graph.adjacency[from * d + to] = true;
        }
        graph.cycle()
    }

    /// The nodes of one cycle, first node repeated at the end, if there is one.
    fn cycle(&self) -> Option<Vec<usize>> {
        let mut causes = vec![0usize; self.d];
        for (_, to) in self.edges() {
            causes[to] += 1;
        }
        // Nodes without causes go, and with them their edges, until none is left or all have causes.
        let mut free: Vec<usize> = (0..self.d).filter(|&node| causes[node] == 0).collect();
        while let Some(node) = free.pop() {
            for child in self.children(node) {
                causes[child] -= 1;
                if causes[child] == 0 {
                    free.push(child);
                }
            }
        }
        let alive: Vec<usize> = (0..self.d).filter(|&node| causes[node] > 0).collect();
        if alive.is_empty() {
            return None;
        }
        // Every remaining node has a remaining parent: walking backwards must meet itself.
        let mut walk = vec![alive[0]];
        loop {
            let node = walk[walk.len() - 1];
            let parent = *alive.iter().find(|&&from| self.has(from, node))?;
            if let Some(start) = walk.iter().position(|&seen| seen == parent) {
                let mut cycle = walk.split_off(start);
                cycle.push(parent);
                cycle.reverse();
                return Some(cycle);
            }
            walk.push(parent);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_from_causes_to_effects() {
        let dag = Dag::new(4, &[(2, 0), (0, 3)]).unwrap();
        let ancestors: Vec<Edge> =
            (0..16).map(|k| (k / 4, k % 4)).filter(|&(from, to)| dag.is_ancestor(from, to)).collect();
        assert_eq!(ancestors, [(0, 3), (2, 0), (2, 3)]);
    }

    #[test]
    fn a_cycle_is_named() {
        let error = Dag::new(4, &[(0, 1), (1, 2), (2, 1), (2, 3)]).unwrap_err();
        assert_eq!(error.to_string(), "the graph has a cycle: 1 → 2 → 1");
        assert_eq!(Dag::find_cycle(4, &[(0, 1), (1, 2), (2, 1), (2, 3)]), Some(vec![1, 2, 1]));
        assert_eq!(Dag::find_cycle(3, &[(0, 1), (1, 2), (0, 2)]), None);
        assert_eq!(Dag::new(2, &[(1, 1)]).unwrap_err().to_string(), "the graph has a cycle: 1 → 1");
    }

    #[test]
    fn a_tournament_has_its_order() {
        let order = Ordering::new(vec![2, 0, 1]).unwrap();
        let dag = Dag::tournament(&order);
        assert_eq!(dag.edges(), [(0, 1), (2, 0), (2, 1)]);
        assert_eq!(dag.topological_order(), order);
        assert_eq!((dag.parents(1), dag.children(2)), (vec![0, 2], vec![0, 1]));
    }
}
