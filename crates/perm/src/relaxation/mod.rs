//! How a distribution over orders is learned: three ways behind one trait.

mod boltzmann;
mod soft_sinkhorn;
mod straight_through;

pub use boltzmann::{Boltzmann, mode, weights};
pub use soft_sinkhorn::SoftSinkhorn;
pub use straight_through::StraightThroughSinkhorn;

use oslow_core::{Ordering, Precedence, Result, Rng};

use crate::{Gamma, gumbel_noise, matching};

/// Draws orders from Γ and turns their losses into a gradient of Γ.
pub trait Relaxation: Send + Sync {
    /// `k` draws under Gumbel noise of this scale. The weights of the draws sum to one.
    fn draw(
        &self,
        gamma: &Gamma,
        noise: f64,
        k: usize,
        precedence: &Precedence,
        rng: &mut Rng,
    ) -> Result<Vec<Draw>>;

    /// The gradient of the expected loss with respect to Γ.
    fn gradient(&self, gamma: &Gamma, draws: &[Draw], feedback: &[Feedback]) -> Vec<f64>;
}

/// One draw, or several equal ones.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The order that was drawn (for a soft draw, the one it is nearest to).
    pub order: Ordering,
    /// How often it was drawn.
    pub count: usize,
    /// Its share in the expected loss.
    pub weight: f64,
    /// How it masks a network.
    pub masking: Masking,
    /// The noisy scores it came from.
    scores: Vec<f64>,
}

/// How a draw masks a network.
#[derive(Clone, Debug, PartialEq)]
pub enum Masking {
    /// By its order.
    Hard,
    /// By its order, and Γ's gradient needs that of the mask.
    HardDifferentiable,
    /// By this doubly stochastic matrix, and Γ's gradient needs that of the mask.
    Soft(Vec<f64>),
}

/// What is known about a draw after it was tried.
#[derive(Clone, Debug)]
pub struct Feedback {
    /// Its loss.
    pub loss: f64,
    /// The gradient of the loss with respect to the permutation matrix, for differentiable maskings.
    pub d_matrix: Option<Vec<f64>>,
}

/// One order drawn from the Gumbel-Matching distribution, M(σ(Γ) + noise·ε), made to respect the precedence;
/// with the scores it came from.
fn draw_one(
    gamma: &Gamma,
    noise: f64,
    precedence: &Precedence,
    rng: &mut Rng,
) -> Result<(Ordering, Vec<f64>)> {
    let mut scores = gamma.energy();
    for (score, epsilon) in scores.iter_mut().zip(gumbel_noise(gamma.d * gamma.d, rng)) {
        *score += noise * epsilon;
    }
    let order = matching(gamma.d, &scores)?;
    let order = if precedence.is_free() { order } else { precedence.project(&order) };
    Ok((order, scores))
}
