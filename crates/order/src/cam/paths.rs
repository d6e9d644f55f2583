//! Which nodes come before which: the path matrix that keeps a growing graph acyclic.

use oslow_core::{Ordering, Precedence, Result, Rng};
use rand::RngExt;

/// A strict partial order that grows by edges, closed transitively after each.
pub(super) struct Paths {
    d: usize,
    /// `before[a * d + b]`: a path leads from a to b, or a has to come before b.
    before: Vec<bool>,
}

impl Paths {
    /// What is known beforehand counts as a path.
    pub fn new(d: usize, known: &Precedence) -> Self {
        Self { d, before: (0..d * d).map(|k| known.requires(k / d, k % d)).collect() }
    }

    /// Whether an edge would close no cycle.
    pub fn admit(&self, from: usize, to: usize) -> bool {
        from != to && !self.before[to * self.d + from]
    }

    /// Adds an edge: whatever reaches its cause now reaches all that its effect reaches.
    pub fn add(&mut self, from: usize, to: usize) {
        let d = self.d;
        let reached: Vec<usize> = (0..d).filter(|&b| b == to || self.before[to * d + b]).collect();
        for a in (0..d).filter(|&a| a == from || self.before[a * d + from]).collect::<Vec<_>>() {
            reached.iter().for_each(|&b| self.before[a * d + b] = true);
        }
    }

    /// A topological order; of the nodes that could come next it takes one by draw.
    pub fn random_order(&self, rng: &mut Rng) -> Result<Ordering> {
        let mut left: Vec<usize> = (0..self.d).collect();
        let mut nodes = Vec::with_capacity(self.d);
        while !left.is_empty() {
            let free = |&&b: &&usize| !left.iter().any(|&a| self.before[a * self.d + b]);
            let free: Vec<usize> = left.iter().filter(free).copied().collect();
            let next = free[rng.random_range(0..free.len())];
            left.retain(|&node| node != next);
            nodes.push(next);
        }
        Ordering::new(nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Knowledge, Seed};

    #[test]
    fn cycles_are_not_admitted_however_long() {
        let mut paths = Paths::new(4, Knowledge::none(4).precedence());
        paths.add(2, 3);
        paths.add(0, 1);
        assert!(paths.admit(3, 0) && paths.admit(1, 2) && !paths.admit(3, 2) && !paths.admit(1, 1));
        paths.add(1, 2);
        assert!(!paths.admit(3, 0) && !paths.admit(3, 1) && !paths.admit(2, 0) && paths.admit(0, 3));
    }

    #[test]
    fn orders_follow_the_edges_and_are_drawn_beside_them() {
        let columns = ["a", "b", "c"].map(String::from);
        let known = Knowledge::new(&columns, &[vec![2], vec![0]], &[], &[], &[], &[]).unwrap();
        let paths = Paths::new(3, known.precedence());
        let mut place = [0usize; 3];
        for seed in 0..300 {
            let positions = paths.random_order(&mut Seed(seed).stream("test")).unwrap().positions();
            assert!(positions[2] < positions[0]);
            place[positions[1]] += 1;
        }
        // First or not by a toss, then second or last by another.
        assert!(place[0].abs_diff(150) < 40 && place[1].abs_diff(75) < 40, "{place:?}");
    }
}
