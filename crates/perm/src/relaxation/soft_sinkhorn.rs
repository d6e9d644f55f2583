//! The appendix's cheating ablation: the doubly stochastic matrix itself is the mask.

use oslow_core::{Precedence, Result, Rng};

use super::straight_through::{equal_draws, through_sinkhorn};
use super::{Draw, Feedback, Masking, Relaxation, draw_one};
use crate::{Gamma, Sinkhorn};

/// Soft-Sinkhorn: the network is masked by S((σ(Γ) + ε)/τ), which need not be a permutation. Variables then
/// see themselves, the "likelihood" is none, and the order that comes out means little. It is here because the
/// paper shows it fail.
#[derive(Clone, Copy, Debug, Default)]
pub struct SoftSinkhorn {
    /// The operator.
    pub sinkhorn: Sinkhorn,
}

impl Relaxation for SoftSinkhorn {
    fn draw(
        &self,
        gamma: &Gamma,
        noise: f64,
        k: usize,
        precedence: &Precedence,
        rng: &mut Rng,
    ) -> Result<Vec<Draw>> {
        let soft = |scores: &[f64]| Masking::Soft(self.sinkhorn.apply(gamma.d, scores));
        equal_draws(k, || draw_one(gamma, noise, precedence, rng), soft)
    }

    fn gradient(&self, gamma: &Gamma, draws: &[Draw], feedback: &[Feedback]) -> Vec<f64> {
        through_sinkhorn(&self.sinkhorn, gamma, draws, feedback)
    }
}
