//! A causal order, readable both ways.

use crate::{Error, Result};

/// A permutation of `0..d`: causes before effects.
///
/// The paper writes π both for "position → node" and for "node → position"; here each view has its name.
///
/// ```
/// let order = oslow_core::Ordering::new(vec![2, 0, 1]).unwrap();
/// assert_eq!(order.nodes(), [2, 0, 1]);        // node 2 comes first
/// assert_eq!(order.positions(), [1, 2, 0]);    // node 0 stands at position 1
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ordering {
    nodes: Vec<usize>,
}

impl Ordering {
    /// The order in which `nodes[p]` stands at position `p`; refuses what is not a permutation of `0..d`.
    pub fn new(nodes: Vec<usize>) -> Result<Self> {
        let mut seen = vec![false; nodes.len()];
        for &node in &nodes {
            if node >= nodes.len() || std::mem::replace(&mut seen[node], true) {
                return Err(Error::input(format!("{nodes:?} is not a permutation of 0..{}", nodes.len())));
            }
        }
        Ok(Self { nodes })
    }

    /// The order in which node `i` stands at `positions[i]`.
    pub fn from_positions(positions: &[usize]) -> Result<Self> {
        Ok(Self { nodes: Self::new(positions.to_vec())?.positions() })
    }

    /// Nodes sorted by a priority, smallest first; equal priorities keep the smaller node first.
    pub fn by_priority(priority: &[f64]) -> Self {
        let mut nodes: Vec<usize> = (0..priority.len()).collect();
        nodes.sort_by(|&a, &b| priority[a].total_cmp(&priority[b]).then(a.cmp(&b)));
        Self { nodes }
    }

    /// `0, 1, …, d − 1`.
    pub fn identity(d: usize) -> Self {
        Self { nodes: (0..d).collect() }
    }

    /// A uniformly random order.
    pub fn random(d: usize, rng: &mut crate::Rng) -> Self {
        use rand::seq::SliceRandom;
        let mut nodes: Vec<usize> = (0..d).collect();
        nodes.shuffle(rng);
        Self { nodes }
    }

    /// The order named by the user; every column once.
    pub fn from_names(named: &[&str], columns: &[String]) -> Result<Self> {
        let hint = || format!("name each of the {} columns once, causes first", columns.len());
        let mut nodes = Vec::with_capacity(named.len());
        for name in named {
            let node = crate::knowledge::index_of(name, columns).map_err(|e| e.at("order"))?;
            if nodes.contains(&node) {
                return Err(Error::input(format!("order: `{name}` is named twice")).with_hint(hint()));
            }
            nodes.push(node);
        }
        if let Some(missing) = (0..columns.len()).find(|node| !nodes.contains(node)) {
            return Err(
                Error::input(format!("order: column `{}` is missing", columns[missing])).with_hint(hint())
            );
        }
        Ok(Self { nodes })
    }

    /// Position → node.
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// Node → position.
    pub fn positions(&self) -> Vec<usize> {
        let mut positions = vec![0; self.nodes.len()];
        for (position, &node) in self.nodes.iter().enumerate() {
            positions[node] = position;
        }
        positions
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The order with the node at position `from` taken out and put back at position `to`.
    #[must_use]
    pub fn insertion(&self, from: usize, to: usize) -> Self {
        let mut nodes = self.nodes.clone();
        let node = nodes.remove(from);
        nodes.insert(to, node);
        Self { nodes }
    }

    /// The order as column names.
    pub fn names<'a>(&self, columns: &'a [String]) -> Vec<&'a str> {
        self.nodes.iter().map(|&node| columns[node].as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_views_are_inverse(nodes in Just((0..9usize).collect::<Vec<_>>()).prop_shuffle()) {
            let order = Ordering::new(nodes.clone()).unwrap();
            let positions = order.positions();
            for (position, &node) in nodes.iter().enumerate() {
                prop_assert_eq!(positions[node], position);
            }
            prop_assert_eq!(Ordering::from_positions(&positions).unwrap(), order);
        }
    }

    #[test]
    fn what_is_no_permutation_is_refused() {
        assert!(Ordering::new(vec![0, 0]).is_err());
        assert!(Ordering::new(vec![0, 2]).is_err());
        let columns = ["a", "b", "c"].map(String::from);
        let message = |named: &[&str]| Ordering::from_names(named, &columns).unwrap_err().to_string();
        assert_eq!(message(&["a", "b"]), "order: column `c` is missing");
        assert_eq!(message(&["a", "b", "a"]), "order: `a` is named twice");
        assert_eq!(message(&["a", "b", "z"]), "order: there is no column `z`");
    }

    #[test]
    fn insertion_moves_one_node() {
        let order = Ordering::identity(4).insertion(0, 2);
        assert_eq!(order.nodes(), [1, 2, 0, 3]);
    }
}
