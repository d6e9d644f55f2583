//! What it costs to put one node after others.

use super::soft_min::soft_min;
use crate::ParentCosts;

/// The cost of one node at its place in an order: that of the cheapest set among the candidate parents that stand
/// before it, or of all of them joined. Bit `b` of a mask stands for `candidates[b]`.
#[derive(Clone, Debug)]
pub(super) struct Step {
    candidates: Vec<usize>,
    cost: Vec<f64>,
}

impl Step {
    /// The step of a node with these costs.
    pub fn new(costs: &ParentCosts) -> Self {
        Self { candidates: costs.candidates().to_vec(), cost: costs.cheapest_subsets().0 }
    }

    /// The step of a node that may have any of its sets: each weighs exp(−cost), and the cost of several is −ln of what they weigh together.
    pub fn of_any_set(costs: &ParentCosts) -> Self {
        let mut joined = costs.costs().to_vec();
        for bit in 0..costs.candidates().len() {
            for mask in (0..joined.len()).filter(|mask| mask >> bit & 1 == 1) {
                joined[mask] = soft_min(&[joined[mask], joined[mask ^ (1 << bit)]]);
            }
        }
        Self { candidates: costs.candidates().to_vec(), cost: joined }
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
        Self { candidates, cost: full.into_iter().map(|mask| self.cost[mask as usize]).collect() }
    }

    /// The same step when only the `members` are still to be ordered, and each other node may stand before it at a
    /// price, which is infinite where it must not; and for each set of members, in the order of masks, the others that
    /// are worth it.
    pub fn at_prices(&self, members: &[usize], price: impl Fn(usize) -> f64) -> (Self, Vec<Vec<usize>>) {
        let (mut own, mut inner, mut bought) = (Vec::new(), Vec::new(), vec![(0, 0.0)]);
        for (bit, &candidate) in self.candidates.iter().enumerate() {
            if let Some(index) = members.iter().position(|&member| member == candidate) {
                own.push(index);
                inner.push(1 << bit);
            } else if price(candidate) < f64::INFINITY {
                let with = |&(mask, paid): &(u32, f64)| (mask | 1 << bit, paid + price(candidate));
                bought.extend(bought.iter().map(with).collect::<Vec<_>>());
            }
        }
        let cheapest = |inner: u32| {
            let cost = |&(mask, paid): &(u32, f64)| (mask, self.cost[(inner | mask) as usize] + paid);
            bought
                .iter()
                .map(cost)
                .fold((0, f64::INFINITY), |best, next| if next.1 < best.1 { next } else { best })
        };
        let best: Vec<(u32, f64)> = spread(0, &inner).into_iter().map(cheapest).collect();
        let worth = best.iter().map(|&(mask, _)| self.nodes(mask)).collect();
        (Self { candidates: own, cost: best.into_iter().map(|(_, cost)| cost).collect() }, worth)
    }

    fn nodes(&self, mask: u32) -> Vec<usize> {
        (0..self.candidates.len())
            .filter(|bit| mask >> bit & 1 == 1)
            .map(|bit| self.candidates[bit])
            .collect()
    }

    /// The nodes whose place matters.
    pub fn candidates(&self) -> &[usize] {
        &self.candidates
    }

    /// Whether the node is cheaper after another one than without it, some others standing before it.
    pub fn gains_from(&self, other: usize) -> bool {
        let bit = self.bit(other) as usize;
        (0..self.cost.len()).any(|mask| mask & bit != 0 && self.cost[mask] < self.cost[mask ^ bit])
    }

    /// The costs of the node as they are given to a search.
    pub fn into_costs(self) -> ParentCosts {
        ParentCosts::new(self.candidates, self.cost)
    }

    /// The bit of a node in masks; 0 where its place does not matter.
    pub fn bit(&self, node: usize) -> u32 {
        self.candidates.iter().position(|&candidate| candidate == node).map_or(0, |bit| 1 << bit)
    }

    /// The mask of the candidates that are among some nodes.
    pub fn mask(&self, among: impl Fn(usize) -> bool) -> u32 {
        (0..self.candidates.len()).filter(|&bit| among(self.candidates[bit])).map(|bit| 1 << bit).sum()
    }

    /// The cost after each set of candidates.
    pub fn costs(&self) -> &[f64] {
        &self.cost
    }

    /// The cost if every candidate stands before the node: no set is cheaper.
    pub fn least(&self) -> f64 {
        self.cost[self.cost.len() - 1]
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
        assert_eq!(among.candidates, [2, 1]);
        assert_eq!(among.costs(), [-2.0, -3.0, -6.0, -7.0]);
        assert_eq!(step.among(&[9], |_| false).costs(), [0.0, -4.0]);
        let (priced, worth) = step.at_prices(&[9], |_| 1.5);
        assert_eq!((priced.candidates.as_slice(), priced.costs()), ([0].as_slice(), [-0.5, -4.5].as_slice()));
        assert_eq!(worth, [[2], [2]]);
        let (priced, worth) = step.at_prices(&[9, 4], |_| f64::INFINITY);
        assert_eq!((priced.costs(), worth), ([0.0, -1.0, -4.0, -5.0].as_slice(), vec![vec![]; 4]));
        assert_eq!((step.bit(9), step.bit(3), step.least()), (4, 0, -7.0));
    }
}
