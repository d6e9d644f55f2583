//! The paper's way: a Boltzmann distribution restricted to the orders that were drawn.

use oslow_core::{Ordering, Precedence, Result, Rng};

use super::{Draw, Feedback, Masking, Relaxation, draw_one};
use crate::Gamma;

/// H is the set of distinct draws; each has the exact Boltzmann weight α̂ ∝ exp⟨P, σ(Γ)⟩ within H. The
/// expected loss is then an ordinary function of Γ: no straight-through estimator is needed.
///
/// When all draws agree α̂ = 1 and the gradient vanishes, so noise must last until Γ has settled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Boltzmann;

impl Relaxation for Boltzmann {
    fn draw(
        &self,
        gamma: &Gamma,
        noise: f64,
        k: usize,
        precedence: &Precedence,
        rng: &mut Rng,
    ) -> Result<Vec<Draw>> {
        let mut unique: Vec<Draw> = Vec::new();
        for _ in 0..k {
            let (order, scores) = draw_one(gamma, noise, precedence, rng)?;
            match unique.iter_mut().find(|draw| draw.order == order) {
                Some(draw) => draw.count += 1,
                None => unique.push(Draw { order, count: 1, weight: 0.0, masking: Masking::Hard, scores }),
            }
        }
        let alpha = weights(gamma, unique.iter().map(|draw| &draw.order));
        unique.iter_mut().zip(alpha).for_each(|(draw, weight)| draw.weight = weight);
        Ok(unique)
    }

    fn gradient(&self, gamma: &Gamma, draws: &[Draw], feedback: &[Feedback]) -> Vec<f64> {
        // ∂/∂E Σ α̂·ℓ = Σ α̂·(ℓ − ℓ̄)·P, E = σ(Γ).
        let d = gamma.d;
        let mean: f64 = draws.iter().zip(feedback).map(|(draw, f)| draw.weight * f.loss).sum();
        let mut d_energy = vec![0.0; d * d];
        for (draw, f) in draws.iter().zip(feedback) {
            for (position, &node) in draw.order.nodes().iter().enumerate() {
                d_energy[node * d + position] += draw.weight * (f.loss - mean);
            }
        }
        gamma.pull_back(&d_energy)
    }
}

/// α̂: the softmax of ⟨P, σ(Γ)⟩ over the given orders.
pub fn weights<'a>(gamma: &Gamma, unique: impl Iterator<Item = &'a Ordering>) -> Vec<f64> {
    let energy = gamma.energy();
    let inner = |order: &Ordering| -> f64 {
        order.nodes().iter().enumerate().map(|(position, &node)| energy[node * gamma.d + position]).sum()
    };
    let energies: Vec<f64> = unique.map(inner).collect();
    let largest = energies.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let unnormalized: Vec<f64> = energies.iter().map(|e| (e - largest).exp()).collect();
    let total: f64 = unnormalized.iter().sum();
    unnormalized.into_iter().map(|w| w / total).collect()
}

/// The order drawn most often; of equally frequent ones the heaviest, then the first drawn.
pub fn mode(draws: &[Draw]) -> Option<&Draw> {
    draws.iter().reduce(|best, draw| {
        let better = (draw.count, draw.weight) > (best.count, best.weight);
        if better { draw } else { best }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Knowledge, Seed};

    fn expected_loss(gamma: &Gamma, orders: &[Ordering], loss: &[f64]) -> f64 {
        weights(gamma, orders.iter()).iter().zip(loss).map(|(w, l)| w * l).sum()
    }

    #[test]
    fn the_gradient_is_that_of_the_expected_loss() {
        let mut rng = Seed(1).stream("test");
        let gamma = Gamma { d: 4, values: crate::gumbel_noise(16, &mut rng) };
        let none = Knowledge::none(4);
        let draws = Boltzmann.draw(&gamma, 1.0, 12, none.precedence(), &mut rng).unwrap();
        assert!(draws.len() > 2 && draws.iter().map(|d| d.count).sum::<usize>() == 12);
        let loss = crate::gumbel_noise(draws.len(), &mut rng);
        let feedback: Vec<Feedback> = loss.iter().map(|&loss| Feedback { loss, d_matrix: None }).collect();
        let gradient = Boltzmann.gradient(&gamma, &draws, &feedback);
        let orders: Vec<Ordering> = draws.iter().map(|d| d.order.clone()).collect();
        for k in 0..16 {
            let at = |step: f64| {
                let mut moved = gamma.clone();
                moved.values[k] += step;
                expected_loss(&moved, &orders, &loss)
            };
            assert!(((at(1e-5) - at(-1e-5)) / 2e-5 - gradient[k]).abs() < 1e-9);
        }
    }

    #[test]
    fn draws_respect_precedence() {
        let columns: Vec<String> = (0..4).map(|j| format!("x{j}")).collect();
        let known = Knowledge::from_toml("tiers = [['x3'],['x1','x0']]", &columns).unwrap();
        let mut rng = Seed(1).stream("test");
        let draws = Boltzmann.draw(&Gamma::flat(4), 1.0, 50, known.precedence(), &mut rng).unwrap();
        assert!(draws.len() > 3 && draws.iter().all(|d| known.precedence().admits(&d.order)));
    }
}
