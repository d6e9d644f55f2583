//! The usual way, an ablation of the paper: a hard order forward, the Sinkhorn operator backward.

use oslow_core::{Ordering, Precedence, Result, Rng};

use super::{Draw, Feedback, Masking, Relaxation, draw_one};
use crate::{Gamma, Sinkhorn};

/// Straight-through Gumbel-Sinkhorn: the loss is taken at M(σ(Γ) + ε), its gradient as if it had been taken at
/// S((σ(Γ) + ε)/τ).
#[derive(Clone, Copy, Debug, Default)]
pub struct StraightThroughSinkhorn {
    /// The operator used on the way back.
    pub sinkhorn: Sinkhorn,
}

impl Relaxation for StraightThroughSinkhorn {
    fn draw(
        &self,
        gamma: &Gamma,
        noise: f64,
        k: usize,
        precedence: &Precedence,
        rng: &mut Rng,
    ) -> Result<Vec<Draw>> {
        equal_draws(k, || draw_one(gamma, noise, precedence, rng), |_| Masking::HardDifferentiable)
    }

    fn gradient(&self, gamma: &Gamma, draws: &[Draw], feedback: &[Feedback]) -> Vec<f64> {
        through_sinkhorn(&self.sinkhorn, gamma, draws, feedback)
    }
}

/// `k` draws of the same weight; `masking` sees the noisy scores of each.
pub(super) fn equal_draws(
    k: usize,
    mut draw: impl FnMut() -> Result<(Ordering, Vec<f64>)>,
    masking: impl Fn(&[f64]) -> Masking,
) -> Result<Vec<Draw>> {
    (0..k)
        .map(|_| {
            let (order, scores) = draw()?;
            Ok(Draw { order, count: 1, weight: 1.0 / k as f64, masking: masking(&scores), scores })
        })
        .collect()
}

/// The mean over draws of the gradient through S((σ(Γ) + ε)/τ).
pub(super) fn through_sinkhorn(
    sinkhorn: &Sinkhorn,
    gamma: &Gamma,
    draws: &[Draw],
    feedback: &[Feedback],
) -> Vec<f64> {
    let mut d_energy = vec![0.0; gamma.d * gamma.d];
    for (draw, f) in draws.iter().zip(feedback) {
        let Some(d_matrix) = &f.d_matrix else { continue };
        let d_scores = sinkhorn.pull_back(gamma.d, &draw.scores, d_matrix);
        d_energy.iter_mut().zip(&d_scores).for_each(|(sum, g)| *sum += draw.weight * g);
    }
    gamma.pull_back(&d_energy)
}
