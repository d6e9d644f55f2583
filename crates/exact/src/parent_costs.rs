//! What each set of parents of one node costs.

/// The costs of one node: `cost[mask]` for every subset of its candidate parents, bit `b` of the mask standing for
/// `candidates[b]`. A set that knowledge excludes costs infinity.
#[derive(Clone, Debug, PartialEq)]
pub struct ParentCosts {
    candidates: Vec<usize>,
    cost: Vec<f64>,
}

impl ParentCosts {
    /// The costs of every subset of the candidates.
    ///
    /// # Panics
    /// If there is not one cost for each subset.
    pub fn new(candidates: Vec<usize>, cost: Vec<f64>) -> Self {
        assert_eq!(cost.len(), 1 << candidates.len(), "one cost for each subset of the candidates");
        Self { candidates, cost }
    }

    /// The candidate parents; bit `b` of a mask stands for the b-th.
    pub fn candidates(&self) -> &[usize] {
        &self.candidates
    }

    /// What each subset costs.
    pub fn costs(&self) -> &[f64] {
        &self.cost
    }

    /// For every set of allowed parents, the cheapest subset of it: its cost, and which it is. Of equally cheap ones
    /// the first found, which is one with fewer parents if parents cost anything.
    pub fn cheapest_subsets(&self) -> (Vec<f64>, Vec<u32>) {
        let mut cost = self.cost.clone();
        let mut subset: Vec<u32> = (0..cost.len() as u32).collect();
        for bit in 0..self.candidates.len() {
            for mask in (0..cost.len()).filter(|mask| mask >> bit & 1 == 1) {
                let without = mask ^ (1 << bit);
                if cost[without] <= cost[mask] {
                    (cost[mask], subset[mask]) = (cost[without], subset[without]);
                }
            }
        }
        (cost, subset)
    }

    /// The cheapest subset of one set of allowed parents, and its cost. Of equally cheap ones it is one with the
    /// fewest parents. Where every subset is excluded the cost is infinite.
    pub fn cheapest_inside(&self, allowed: u32) -> (u32, f64) {
        let (mut subset, mut best) = (0u32, self.cost[0]);
        let mut next = allowed;
        while next != 0 {
            let cost = self.cost[next as usize];
            if cost < best || (cost == best && next.count_ones() < subset.count_ones()) {
                (subset, best) = (next, cost);
            }
            next = (next - 1) & allowed;
        }
        (subset, best)
    }

    /// The mask of the candidates that are among some nodes.
    pub fn mask(&self, among: impl Fn(usize) -> bool) -> u32 {
        (0..self.candidates.len()).filter(|&bit| among(self.candidates[bit])).map(|bit| 1 << bit).sum()
    }

    /// The nodes of a mask.
    pub fn parents(&self, mask: u32) -> Vec<usize> {
        (0..self.candidates.len())
            .filter(|bit| mask >> bit & 1 == 1)
            .map(|bit| self.candidates[bit])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_cheapest_subset_is_what_trying_all_finds(cost in prop::collection::vec(-5.0..5.0f64, 16)) {
            let costs = ParentCosts::new(vec![7, 3, 9, 1], cost.clone());
            let (cheapest, subset) = costs.cheapest_subsets();
            for mask in 0..16usize {
                let best = (0..16).filter(|t| t & !mask == 0).map(|t| cost[t]).fold(f64::INFINITY, f64::min);
                prop_assert_eq!(cheapest[mask], best);
                prop_assert_eq!(cost[subset[mask] as usize], best);
                prop_assert_eq!(subset[mask] as usize & !mask, 0);
                prop_assert_eq!(costs.cheapest_inside(mask as u32), (subset[mask], best));
                let nodes = costs.parents(mask as u32);
                prop_assert_eq!(costs.mask(|node| nodes.contains(&node)), mask as u32);
            }
        }
    }

    #[test]
    fn of_equally_cheap_sets_the_smallest_is_taken() {
        let costs = ParentCosts::new(vec![1, 2, 3], vec![2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 1.0, 1.0]);
        assert_eq!(costs.cheapest_inside(0b111), (0b001, 1.0));
        assert_eq!(costs.cheapest_inside(0b110), (0b110, 1.0));
        assert_eq!(costs.cheapest_inside(0b010), (0, 2.0));
    }
}
