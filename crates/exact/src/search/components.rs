//! Nodes that can be ordered apart from the others.

use oslow_core::Precedence;

use super::step::Step;

/// The nodes in parts that can be ordered one after the other: whatever could make a node of one part cheaper, and whatever must come before it, is in the same part or
/// in one before. The cheapest orders of the parts, one after the other, are the cheapest order of all.
///
/// The parts are the strongly connected components of the graph with an arc from each node to those that cost less after it than without it, some other nodes standing
/// before them. Within a part nodes are in increasing order.
///
/// # Reference
/// Fan, Malone, Yuan: Finding optimal Bayesian network structures with constraints learned from data. UAI 2014. Components: Tarjan 1972.
pub(super) fn components(steps: &[Step], precedence: &Precedence) -> Vec<Vec<usize>> {
    let d = steps.len();
    let free = precedence.is_free();
    let needs = |node: usize| -> Vec<usize> {
        let step = &steps[node];
        let cheaper = step.candidates().iter().copied().filter(|&other| step.gains_from(other));
        let earlier = (0..d).filter(|&other| !free && precedence.requires(other, node));
        cheaper.chain(earlier).collect()
    };
    let needs: Vec<Vec<usize>> = (0..d).map(needs).collect();
    let mut search = Search {
        needs: &needs,
        found: vec![None; d],
        lowest: vec![0; d],
        open: Vec::new(),
        parts: Vec::new(),
    };
    (0..d).for_each(|node| search.visit(node));
    search.parts
}

/// A depth-first search along arcs, backwards: a part is complete when all that it needs is.
struct Search<'a> {
    needs: &'a [Vec<usize>],
    /// When each node was first seen.
    found: Vec<Option<usize>>,
    /// The earliest node, by when it was seen, that each one reaches and that has no part yet.
    lowest: Vec<usize>,
    /// Nodes without a part, in the order in which they were seen.
    open: Vec<usize>,
    parts: Vec<Vec<usize>>,
}

impl Search<'_> {
    /// Finds the parts of a node and of all that it needs. Chains may be as long as there are nodes, so the way back is kept here and not on the stack of
    /// the program.
    fn visit(&mut self, start: usize) {
        if self.found[start].is_some() {
            return;
        }
        let mut clock = self.found.iter().flatten().count();
        let mut way = vec![(start, 0)];
        while let Some((node, next)) = way.pop() {
            if next == 0 {
                (self.found[node], self.lowest[node]) = (Some(clock), clock);
                clock += 1;
                self.open.push(node);
            } else {
                let last = self.needs[node][next - 1];
                if self.open.contains(&last) {
                    self.lowest[node] = self.lowest[node].min(self.lowest[last]);
                }
            }
            if let Some(&other) = self.needs[node].get(next) {
                way.push((node, next + 1));
                if self.found[other].is_none() {
                    way.push((other, 0));
                }
            } else if Some(self.lowest[node]) == self.found[node] {
                let first = self.open.iter().rposition(|&open| open == node).expect("it is open");
                let mut part = self.open.split_off(first);
                part.sort_unstable();
                self.parts.push(part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::drawn;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn nodes_that_reach_each_other_are_together_and_what_a_part_needs_comes_first(
            drawn in drawn(1..=9), seed: u64
        ) {
            let case = drawn.case(seed);
            let steps: Vec<Step> = case.costs.iter().map(Step::new).collect();
            let parts = components(&steps, &case.precedence);
            let part_of = |node: usize| parts.iter().position(|part| part.contains(&node)).unwrap();
            let needs = |a: usize, b: usize| steps[b].gains_from(a) || case.precedence.requires(a, b);
            // Whether one node reaches another, by going through all nodes in between.
            let d = drawn.d;
            let mut reaches: Vec<bool> = (0..d * d).map(|k| needs(k / d, k % d)).collect();
            for via in 0..d {
                for k in 0..d * d {
                    reaches[k] |= reaches[k / d * d + via] && reaches[via * d + k % d];
                }
            }
            prop_assert_eq!(parts.concat().len(), d);
            for a in 0..d {
                for b in (0..d).filter(|&b| b != a) {
                    let both = reaches[a * d + b] && reaches[b * d + a];
                    prop_assert_eq!(part_of(a) == part_of(b), both);
                    prop_assert!(!needs(a, b) || part_of(a) <= part_of(b));
                }
            }
        }
    }
}
