//! Levenberg–Marquardt steps, and priors by evidence.

use oslow_core::check_stop;
use oslow_math::{row_products, row_products_with};

use super::inputs::Inputs;
use super::kernel;
use super::network::{GROUPS, Network, TERMS, solve};

/// How often a step is tried again, shorter.
const TRIES: usize = 5;
/// The share of the diagonal that a first step is damped by.
const START_DAMPING: f64 = 1e-2;
/// The least and the greatest prior precision that evidence may choose.
const PRECISIONS: (f64, f64) = (1e-3, 1e5);
const TERM_PRECISIONS: (f64, f64) = (1e-6, 1e5);

/// A network on its way to the least penalised loss.
pub(super) struct Descent {
    pub network: Network,
    /// Its values on the training rows.
    pub values: Vec<f64>,
    damping: f64,
    jacobian: Vec<f64>,
    trial: Vec<f64>,
}

impl Descent {
    pub fn new(network: Network, inputs: &Inputs) -> Self {
        let mut values = Vec::new();
        network.evaluate(&network.parameters, inputs, &mut values);
        Self { network, values, damping: START_DAMPING, jacobian: Vec::new(), trial: Vec::new() }
    }

    /// One step down the loss, a sum over rows, or none if no step is down. `write_slopes` writes, for given values, its slope in each row and the root of
    /// a positive curvature, and returns it. With `evidence` the priors are then chosen again.
    pub fn step(
        &mut self,
        inputs: &Inputs,
        write_slopes: impl Fn(&[f64], &mut [f64], &mut [f64]) -> f64,
        loss: impl Fn(&[f64]) -> f64,
        evidence: bool,
    ) {
        check_stop();
        self.network.differentiate(inputs, &mut self.values, &mut self.jacobian);
        let (mut slopes, mut roots) = (vec![0.0; inputs.rows], vec![0.0; inputs.rows]);
        let before = write_slopes(&self.values, &mut slopes, &mut roots);
        let mut gradient = row_products_with(&self.jacobian, &slopes);
        for (i, g) in gradient.iter_mut().enumerate() {
            *g += self.network.prior(i) * self.network.parameters[i];
        }
        kernel::scale_rows(&mut self.jacobian, &roots);
        let gram = row_products(&self.jacobian, self.network.len());
        self.descend(inputs, (&gram, &gradient), before, loss);
        if evidence && self.network.has_units() {
            choose_priors(&mut self.network, &gram);
        }
    }

    fn descend(
        &mut self,
        inputs: &Inputs,
        (gram, gradient): (&[f64], &[f64]),
        before: f64,
        loss: impl Fn(&[f64]) -> f64,
    ) {
        let network = &mut self.network;
        let before = before + network.penalty(&network.parameters);
        for _ in 0..TRIES {
            if let Some(factor) = network.damped_factor(gram, self.damping) {
                let step = solve(&factor, gradient.to_vec());
                let moved: Vec<f64> = network.parameters.iter().zip(step).map(|(p, s)| p - s).collect();
                network.evaluate(&moved, inputs, &mut self.trial);
                if loss(&self.trial) + network.penalty(&moved) <= before {
                    network.parameters = moved;
                    std::mem::swap(&mut self.values, &mut self.trial);
                    self.damping = (self.damping / 4.0).max(1e-8);
                    return;
                }
            }
            self.damping = (self.damping * 6.0).min(1e6);
        }
    }
}

/// The prior precisions under which the data is most likely, by MacKay's fixed point: the number of parameters that the data
/// determines, over their sum of squares.
fn choose_priors(network: &mut Network, gram: &[f64]) {
    let Some(factor) = network.damped_factor(gram, 0.0) else { return };
    let variances = inverse_diagonal(&factor, network.len());
    let (mut determined, mut squares) = ([0.0; GROUPS], [0.0; GROUPS]);
    for i in (0..network.len()).filter(|&i| i != network.constant()) {
        let group = network.group(i);
        determined[group] += 1.0 - network.prior(i) * variances[i];
        squares[group] += network.parameters[i] * network.parameters[i];
    }
    for group in 0..GROUPS {
        let (least, greatest) = if group == TERMS { TERM_PRECISIONS } else { PRECISIONS };
        let precision = determined[group].max(0.05) / (squares[group] + 1e-12);
        network.precision[group] = precision.clamp(least, greatest);
    }
}

/// The diagonal of (L·Lᵀ)⁻¹.
fn inverse_diagonal(factor: &[f64], n: usize) -> Vec<f64> {
    let mut identity = vec![0.0; n * n];
    for i in 0..n {
        identity[i * n + i] = 1.0;
    }
    let mut diagonal = vec![0.0; n];
    kernel::solve_and_square(factor, &mut identity, &mut diagonal);
    diagonal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_diagonal_of_an_inverse() {
        // A = [[4, 2], [2, 3]], A⁻¹ = [[3, −2], [−2, 4]] / 8.
        let factor = [2.0, 0.0, 1.0, 2f64.sqrt()];
        let diagonal = inverse_diagonal(&factor, 2);
        assert!((diagonal[0] - 0.375).abs() < 1e-15 && (diagonal[1] - 0.5).abs() < 1e-15);
    }
}
