//! Which edges are still possible, and how far they are from a graph without cycles.

use oslow_core::{Dag, Knowledge, Precedence, Result};
use oslow_math::matrix_exponential;

/// The possible edges: all that are not known to be impossible, less those that were cut.
pub(super) struct Edges<'a> {
    d: usize,
    knowledge: &'a Knowledge,
    /// 1 where an edge is possible, row → column.
    pub mask: Vec<f64>,
}

/// How far connections are from a graph without cycles.
pub(super) struct Cyclicity {
    /// tr exp A − d: each closed walk counts with the product of its connections over the factorial of its length.
    pub h: f64,
    /// The slopes of h in A.
    pub slopes: Vec<f64>,
}

impl<'a> Edges<'a> {
    /// All edges that the knowledge allows.
    pub fn new(knowledge: &'a Knowledge) -> Self {
        let (d, order) = (knowledge.len(), knowledge.precedence());
        let possible = |k: usize| knowledge.allows(k / d, k % d) && !order.requires(k % d, k / d);
        Self { d, knowledge, mask: (0..d * d).map(|k| f64::from(u8::from(possible(k)))).collect() }
    }

    /// Cuts the edges that are not wanted; those that are known to be there stay.
    pub fn keep(&mut self, wanted: impl Fn(usize) -> bool) {
        for k in 0..self.mask.len() {
            if self.mask[k] > 0.0 && !wanted(k) && !self.is_required(k) {
                self.mask[k] = 0.0;
            }
        }
    }

    /// How far these connections are from a graph without cycles. Who is known to come before whom counts as a connection: a path back
    /// would be a cycle too.
    pub fn cyclicity(&self, connections: &[f64]) -> Cyclicity {
        let (d, order) = (self.d, self.knowledge.precedence());
        let known = |k: usize| f64::from(u8::from(order.requires(k / d, k % d)));
        let all: Vec<f64> = connections.iter().enumerate().map(|(k, a)| a + known(k)).collect();
        let exponential = matrix_exponential(&all, d);
        let trace: f64 = (0..d).map(|i| exponential[i * d + i]).sum();
        let slopes = (0..d * d).map(|k| exponential[k % d * d + k / d]).collect();
        Cyclicity { h: trace - d as f64, slopes }
    }

    /// The graph that is left when the weakest edges are cut until there is no cycle.
    pub fn dag(&self, strengths: &[f64]) -> Result<Dag> {
        let mut thresholds: Vec<f64> =
            (0..strengths.len()).filter(|&k| self.mask[k] > 0.0).map(|k| strengths[k]).collect();
        thresholds.sort_by(f64::total_cmp);
        thresholds.insert(0, f64::NEG_INFINITY);
        // With a larger threshold a graph without cycles has fewer edges, and still none.
        let first = thresholds.partition_point(|&threshold| !self.is_acyclic(strengths, threshold));
        let edges = self.above(strengths, thresholds[first.min(thresholds.len() - 1)]);
        Dag::new(self.d, &edges.into_iter().map(|k| (k / self.d, k % self.d)).collect::<Vec<_>>())
    }

    /// Only what is known.
    pub fn required(&self) -> Result<Dag> {
        Dag::new(self.d, self.knowledge.required())
    }

    fn is_required(&self, k: usize) -> bool {
        self.knowledge.required().contains(&(k / self.d, k % self.d))
    }

    /// The possible edges that are stronger than a threshold or required.
    fn above(&self, strengths: &[f64], threshold: f64) -> Vec<usize> {
        let stays = |&k: &usize| self.mask[k] > 0.0 && (strengths[k] > threshold || self.is_required(k));
        (0..self.mask.len()).filter(stays).collect()
    }

    fn is_acyclic(&self, strengths: &[f64], threshold: f64) -> bool {
        let (d, order) = (self.d, self.knowledge.precedence());
        let mut relation: Vec<bool> = (0..d * d).map(|k| order.requires(k / d, k % d)).collect();
        self.above(strengths, threshold).into_iter().for_each(|k| relation[k] = true);
        let closed = Precedence::from_relation(d, relation);
        (0..d).all(|node| !closed.requires(node, node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(d: usize) -> Vec<String> {
        (0..d).map(|j| format!("X{j}")).collect()
    }

    #[test]
    fn the_weakest_edges_go_until_there_is_no_cycle() {
        let none = Knowledge::none(3);
        let mut edges = Edges::new(&none);
        assert_eq!(edges.mask, [0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0]);
        // 0 → 1 → 2 → 0 is the strongest cycle; its weakest edge is 2 → 0, and all that is weaker goes with it.
        let strengths = [9.0, 3.0, 0.5, 0.4, 9.0, 2.0, 1.0, 0.3, 9.0];
        assert_eq!(edges.dag(&strengths).unwrap().edges(), [(0, 1), (1, 2)]);
        edges.keep(|k| k != 6);
        // Now the cycles of two decide: 1 → 0 goes, and 2 → 1 before it; 0 → 2 may stay.
        assert_eq!(edges.dag(&strengths).unwrap().edges(), [(0, 1), (0, 2), (1, 2)]);
        edges.keep(|k| k == 3 || k == 2);
        assert_eq!(edges.dag(&strengths).unwrap().edges(), [(0, 2), (1, 0)], "nothing goes without a cycle");
    }

    #[test]
    fn what_is_known_is_never_cut_and_what_is_impossible_never_there() {
        // 1 comes before 0; 2 → 1 is known, 0 → 3 is forbidden.
        let tiers = [vec![1], vec![0]];
        let known = Knowledge::new(&columns(4), &tiers, &[(2, 1)], &[(0, 3)], &[], &[]).unwrap();
        let mut edges = Edges::new(&known);
        for (from, to) in [(0, 1), (1, 2), (0, 2), (0, 3)] {
            assert_eq!(edges.mask[from * 4 + to], 0.0, "{from} → {to}");
        }
        let strengths: Vec<f64> = (0..16).map(|k| if k == 9 { 0.0 } else { f64::from(k) }).collect();
        let dag = edges.dag(&strengths).unwrap();
        assert!(dag.has(2, 1) && dag.has(3, 2), "the weakest, but known; and the strongest");
        edges.keep(|_| false);
        assert_eq!(edges.dag(&strengths).unwrap().edges(), [(2, 1)]);
        assert_eq!(edges.required().unwrap().edges(), [(2, 1)]);
    }

    #[test]
    fn a_path_against_what_is_known_is_a_cycle() {
        // 0 comes before 1, and 1 → 2 → 0 is a path back.
        let known = Knowledge::new(&columns(3), &[vec![0], vec![1]], &[], &[], &[], &[]).unwrap();
        let edges = Edges::new(&known);
        let mut connections = vec![0.0; 9];
        (connections[5], connections[6]) = (0.5, 0.4);
        let Cyclicity { h, slopes } = edges.cyclicity(&connections);
        // One closed walk of length three, from each of its nodes, over 3!; the one of six is below 1e-2 of that.
        assert!((h / (3.0 * 0.5 * 0.4 / 6.0) - 1.0).abs() < 1e-2, "{h}");
        assert!(slopes[5] > 0.0 && slopes[1] >= 0.0);
        assert_eq!(edges.dag(&connections).unwrap().edges(), [(1, 2)]);
        assert!(Edges::new(&Knowledge::none(3)).cyclicity(&connections).h.abs() < 1e-14);
    }
}
