//! A graph as lists of parents and children, and what can be reached along them.

use oslow_core::Dag;

/// Parents and children of every node: a walk then costs its edges and not d² cells.
pub(crate) struct Neighbours {
    pub parents: Vec<Vec<usize>>,
    pub children: Vec<Vec<usize>>,
}

impl Neighbours {
    pub fn of(dag: &Dag) -> Self {
        let d = dag.nodes();
        let mut lists = Self { parents: vec![Vec::new(); d], children: vec![Vec::new(); d] };
        for (from, to) in dag.edges() {
            lists.parents[to].push(from);
            lists.children[from].push(to);
        }
        lists
    }

    pub fn nodes(&self) -> usize {
        self.parents.len()
    }

    /// These nodes and their descendants.
    pub fn descendants(&self, of: impl IntoIterator<Item = usize>) -> Vec<bool> {
        reach(&self.children, of)
    }

    /// These nodes and their ancestors.
    pub fn ancestors(&self, of: impl IntoIterator<Item = usize>) -> Vec<bool> {
        reach(&self.parents, of)
    }
}

/// The starts and everything that is reached from them, marked.
fn reach(next: &[Vec<usize>], starts: impl IntoIterator<Item = usize>) -> Vec<bool> {
    let mut reached = vec![false; next.len()];
    let mut waiting: Vec<usize> = Vec::new();
    let visit = |node: usize, reached: &mut [bool], waiting: &mut Vec<usize>| {
        if !std::mem::replace(&mut reached[node], true) {
            waiting.push(node);
        }
    };
    for start in starts {
        visit(start, &mut reached, &mut waiting);
    }
    while let Some(node) = waiting.pop() {
        for &neighbour in &next[node] {
            visit(neighbour, &mut reached, &mut waiting);
        }
    }
    reached
}
