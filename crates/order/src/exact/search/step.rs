//! What it costs to put one node after others.

use oslow_local::ParentCosts;

/// The cost of one node at its place in an order: that of the cheapest set among the candidate parents that stand
/// before it. Bit `b` of a mask stands for `candidates[b]`.
#[derive(Clone, Debug)]
pub(super) struct Step {
    candidates: Vec<usize>,
    cheapest: Vec<f64>,
}

impl Step {
    /// The step of a node with these costs.
    pub fn new(costs: &ParentCosts) -> Self {
        Self { candidates: costs.candidates().to_vec(), cheapest: costs.cheapest_subsets().0 }
    }

    /// The same step when only the `members` are still to be ordered, and are named by their index there: the other
    /// nodes stand before it where they are `given`, and nowhere else.
    pub fn among(&self, members: &[usize], given: impl Fn(usize) -> bool) -> Self {
        let index = |node| members.iter().position(|&member| member == node);
        let (mut fixed, mut bits, mut candidates) = (0, Vec::new(), Vec::new());
        for (bit, &candidate) in self.candidates.iter().enumerate() {
            if let Some(index) = index(candidate) {
                bits.push(1 << bit);
                candidates.push(index);
            } else if given(candidate) {
                fixed |= 1 << bit;
            }
        }
        let full = spread(fixed, &bits);
        Self { candidates, cheapest: full.into_iter().map(|mask| self.cheapest[mask as usize]).collect() }
    }

    /// The nodes whose place matters.
    pub fn candidates(&self) -> &[usize] {
        &self.candidates
    }

    /// The bit of a node in masks; 0 where its place does not matter.
    pub fn bit(&self, node: usize) -> u32 {
        self.candidates.iter().position(|&candidate| candidate == node).map_or(0, |bit| 1 << bit)
    }

    /// The cost after each set of candidates.
    pub fn costs(&self) -> &[f64] {
        &self.cheapest
    }

    /// The cost if every candidate stands before the node: no set is cheaper.
    pub fn least(&self) -> f64 {
        self.cheapest[self.cheapest.len() - 1]
    }
}

/// For each subset of `bits`, in the order of integers, the union of `fixed` and its bits.
pub(super) fn spread(fixed: u32, bits: &[u32]) -> Vec<u32> {
    let mut masks = vec![fixed];
    for bit in bits {
        masks.extend_from_within(..);
        let half = masks.len() / 2;
        masks[half..].iter_mut().for_each(|mask| *mask |= bit);
    }
    masks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_nodes_are_given_or_not() {
        let costs: Vec<f64> = (0..8).map(|mask| -f64::from(mask)).collect();
        let step = Step::new(&ParentCosts::new(vec![4, 2, 9], costs));
        let among = step.among(&[7, 9, 4], |node| node == 2);
        assert_eq!(among.candidates(), [2, 1]);
        assert_eq!(among.costs(), [-2.0, -3.0, -6.0, -7.0]);
        assert_eq!(step.among(&[9], |_| false).costs(), [0.0, -4.0]);
        assert_eq!((step.bit(9), step.bit(3), step.least()), (4, 0, -7.0));
    }
}
