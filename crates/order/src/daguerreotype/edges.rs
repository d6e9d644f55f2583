//! Which of the possible causes are causes: one coin an edge.

use oslow_core::Rng;
use rand::RngExt;

use super::config::EdgeMask;

/// The size of a step of the probabilities: the program's. Plain gradient steps, as Adam's would have the same size for edges that help much and
/// for those that do nothing but cost.
const RATE: f64 = 0.1;

/// Coins with learned probabilities, or all edges.
pub(super) struct Edges {
    /// The probability of each edge.
    chances: Vec<f64>,
    /// Edges that are known to be there.
    required: Vec<bool>,
}

impl Edges {
    /// Fair coins.
    pub fn new(mask: EdgeMask, required: Vec<bool>) -> Self {
        let chances: Vec<f64> = match mask {
            EdgeMask::None => vec![1.0; required.len()],
            EdgeMask::Bernoulli => required.iter().map(|known| if *known { 1.0 } else { 0.5 }).collect(),
        };
        Self { chances, required }
    }

    /// Thrown coins, 1 where there is an edge.
    pub fn draw(&self, rng: &mut Rng) -> Vec<f64> {
        self.chances.iter().map(|chance| f64::from(rng.random::<f64>() < *chance)).collect()
    }

    /// The edges that are more likely than not.
    pub fn likely(&self) -> Vec<f64> {
        self.chances.iter().map(|chance| f64::from(*chance > 0.5)).collect()
    }

    /// One step, given the gradient in the thrown coins, which passes straight to their probabilities, plus `penalty` for each.
    pub fn step(&mut self, d_edges: &[f64], penalty: f64) {
        for ((chance, slope), known) in self.chances.iter_mut().zip(d_edges).zip(&self.required) {
            if !known {
                *chance = (*chance - RATE * (slope + penalty)).clamp(0.0, 1.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    #[test]
    fn coins_follow_their_gradient_and_known_edges_stay() {
        let mut edges = Edges::new(EdgeMask::Bernoulli, vec![false, true, false]);
        let rng = &mut Seed(1).stream("test");
        let heads: f64 = (0..1000).map(|_| edges.draw(rng)[0]).sum();
        // 500 with a standard deviation of 16.
        assert!((heads - 500.0).abs() < 64.0, "{heads}");
        for _ in 0..60 {
            // The first edge helps less than it costs, the last one more.
            edges.step(&[-0.1, 5.0, -0.3], 0.2);
        }
        assert_eq!((edges.likely(), edges.draw(rng)), (vec![0.0, 1.0, 1.0], vec![0.0, 1.0, 1.0]));
    }
}
