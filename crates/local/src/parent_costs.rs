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

    /// The nodes of a mask.
    pub fn parents(&self, mask: u32) -> Vec<usize> {
        (0..self.candidates.len()).filter(|bit| mask >> bit & 1 == 1).map(|bit| self.candidates[bit]).collect()
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
            }
        }
    }
}
