//! Which edges there are, whatever the order: one coin a pair.

use oslow_core::{Knowledge, Rng};
use oslow_perm::gumbel_noise;
use rand::RngExt;

/// Independent edges: i → j has the probability σ(`logits[i·d + j]`).
pub(super) struct Edges {
    pub logits: Vec<f64>,
    /// What is known of an edge: required, or impossible.
    known: Vec<Option<bool>>,
}

/// Edges, and their slopes in the logits.
pub(super) struct EdgeDraw {
    pub values: Vec<f64>,
    pub slopes: Vec<f64>,
}

impl EdgeDraw {
    /// The edges as coins that have fallen. The slopes stay: straight-through.
    pub fn hardened(mut self) -> Self {
        self.values.iter_mut().for_each(|value| *value = f64::from(*value > 0.5));
        self
    }
}

impl Edges {
    /// Uniform logits between 0 and 1 where nothing is known.
    pub fn new(knowledge: &Knowledge, rng: &mut Rng) -> Self {
        let d = knowledge.len();
        let known = |k: usize| {
            let (from, to) = (k / d, k % d);
            if knowledge.required().contains(&(from, to)) {
                Some(true)
            } else {
                (!knowledge.allows(from, to)).then_some(false)
            }
        };
        Self { logits: (0..d * d).map(|_| rng.random()).collect(), known: (0..d * d).map(known).collect() }
    }

    /// Noise for one draw: differences of two Gumbel numbers.
    pub fn noise(&self, rng: &mut Rng) -> Vec<f64> {
        let gumbel = gumbel_noise(2 * self.logits.len(), rng);
        gumbel.as_chunks::<2>().0.iter().map(|[there, absent]| there - absent).collect()
    }

    /// The smooth edges σ(logit + noise): the Gumbel-softmax of "there" and "absent" at temperature 1.
    pub fn smooth(&self, noise: &[f64]) -> EdgeDraw {
        let value = |k: usize| self.known[k].map_or_else(|| sigmoid(self.logits[k] + noise[k]), f64::from);
        let values: Vec<f64> = (0..self.logits.len()).map(value).collect();
        EdgeDraw { slopes: values.iter().map(|y| y * (1.0 - y)).collect(), values }
    }

    /// The edges that are more likely than not.
    pub fn likely(&self) -> Vec<f64> {
        self.smooth(&vec![0.0; self.logits.len()]).hardened().values
    }

    /// The Kullback–Leibler divergence from a prior under which every edge has probability `p`, and its gradient in the logits. Both are
    /// means over all pairs; a known edge has none.
    pub fn divergence(&self, p: f64) -> (f64, Vec<f64>) {
        let d = self.logits.len().isqrt();
        let share = 1.0 / (d * (d - 1)) as f64;
        let (mut divergence, mut gradient) = (0.0, vec![0.0; self.logits.len()]);
        for (k, logit) in self.logits.iter().enumerate().filter(|(k, _)| self.known[*k].is_none()) {
            let q = sigmoid(*logit);
            let (there, absent) = (-softplus(-logit) - p.ln(), -softplus(*logit) - (1.0 - p).ln());
            divergence += share * (q * there + (1.0 - q) * absent);
            gradient[k] = share * q * (1.0 - q) * (there - absent);
        }
        (divergence, gradient)
    }
}

/// 1/(1 + e⁻ˣ).
pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// ln(1 + eˣ) = −ln σ(−x).
pub(super) fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    fn edges(logits: &[f64]) -> Edges {
        let mut edges = Edges::new(&Knowledge::none(2), &mut Seed(0).stream("test"));
        edges.logits.copy_from_slice(logits);
        edges
    }

    #[test]
    fn an_edge_is_drawn_as_often_as_its_probability_says() {
        let edges = edges(&[0.0, 1.0, -2.0, 0.0]);
        let rng = &mut Seed(1).stream("test");
        let mut counts = [0.0; 4];
        for _ in 0..10_000 {
            let drawn = edges.smooth(&edges.noise(rng)).hardened().values;
            counts.iter_mut().zip(drawn).for_each(|(count, there)| *count += there / 1e4);
        }
        // σ(1) and σ(−2), four standard errors.
        assert!((counts[1] - 0.731_06).abs() < 0.018 && (counts[2] - 0.119_20).abs() < 0.013, "{counts:?}");
        assert_eq!((counts[0], counts[3]), (0.0, 0.0));
    }

    #[test]
    fn the_divergence_is_that_of_coins() {
        let (divergence, gradient) = edges(&[5.0, 0.0, 1.5, 5.0]).divergence(0.01);
        // scipy: entropy([.5, .5], [.01, .99]) and entropy([q, 1 - q], [.01, .99]) with q = expit(1.5)
        let expected = f64::midpoint(1.614_463_080_360_851, 3.291_851_476_682_016_4);
        assert!((divergence - expected).abs() < 1e-12, "{divergence}");
        assert_eq!((gradient[0], gradient[3]), (0.0, 0.0));
        for k in 1..3 {
            let at = |step: f64| {
                let mut logits = [5.0, 0.0, 1.5, 5.0];
                logits[k] += step;
                edges(&logits).divergence(0.01).0
            };
            assert!(((at(1e-6) - at(-1e-6)) / 2e-6 - gradient[k]).abs() < 1e-8);
        }
        // Far out it does not overflow: one edge is sure to be there, the other not to be.
        let (sure, _) = edges(&[0.0, 800.0, -800.0, 0.0]).divergence(0.01);
        assert!((sure - f64::midpoint(-0.01f64.ln(), -0.99f64.ln())).abs() < 1e-12);
    }
}
