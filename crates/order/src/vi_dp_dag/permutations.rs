//! Which variable comes before which: two distributions over orders.

use oslow_core::{Ordering, Result, Rng};
use oslow_perm::{Sinkhorn, SoftSort, descending, gumbel_noise, matching};

use super::edges::{sigmoid, softplus};

/// How parameters become orders. A draw adds Gumbel noise to scores and takes the order that fits them best; its derivative is that
/// of a smooth matrix near the permutation's.
#[derive(Clone, Copy, Debug)]
pub(super) enum Parametrisation {
    /// A matrix ψ, variable by position: the matching of log σ(ψ) + noise, behind it the Sinkhorn operator.
    Sinkhorn(Sinkhorn),
    /// A vector ψ: sorting ψ + noise, the largest first, which draws without replacement by softmax ψ; behind it SoftSort.
    TopK(SoftSort),
}

/// A distribution over orders.
pub(super) struct Permutations {
    d: usize,
    parametrisation: Parametrisation,
    /// ψ.
    pub weights: Vec<f64>,
}

impl Permutations {
    /// Every order is equally likely.
    pub fn new(d: usize, parametrisation: Parametrisation) -> Self {
        let count = match parametrisation {
            Parametrisation::Sinkhorn(_) => d * d,
            Parametrisation::TopK(_) => d,
        };
        Self { d, parametrisation, weights: vec![0.0; count] }
    }

    /// Noise for one draw.
    pub fn noise(&self, rng: &mut Rng) -> Vec<f64> {
        gumbel_noise(self.weights.len(), rng)
    }

    /// The scores without noise.
    pub fn scores(&self) -> Vec<f64> {
        match self.parametrisation {
            Parametrisation::Sinkhorn(_) => self.weights.iter().map(|weight| -softplus(-weight)).collect(),
            Parametrisation::TopK(_) => self.weights.clone(),
        }
    }

    /// The order that fits scores best.
    pub fn order(&self, scores: &[f64]) -> Result<Ordering> {
        match self.parametrisation {
            Parametrisation::Sinkhorn(_) => matching(self.d, scores),
            Parametrisation::TopK(_) => Ok(descending(scores)),
        }
    }

    /// The gradient in ψ, given that in the permutation matrix (variable by position) which came from these scores.
    pub fn pull_back(&self, scores: &[f64], d_matrix: &[f64]) -> Vec<f64> {
        match self.parametrisation {
            Parametrisation::Sinkhorn(sinkhorn) => {
                let d_scores = sinkhorn.pull_back(self.d, scores, d_matrix);
                self.weights.iter().zip(d_scores).map(|(weight, slope)| slope * sigmoid(-weight)).collect()
            }
            Parametrisation::TopK(soft_sort) => soft_sort.pull_back(scores, d_matrix),
        }
    }

    /// The smooth matrix behind the order of these scores.
    #[cfg(test)]
    pub fn smooth(&self, scores: &[f64]) -> Vec<f64> {
        match self.parametrisation {
            Parametrisation::Sinkhorn(sinkhorn) => sinkhorn.apply(self.d, scores),
            Parametrisation::TopK(soft_sort) => soft_sort.apply(scores),
        }
    }
}
