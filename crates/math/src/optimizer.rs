//! AdamW with gradient clipping.

use oslow_core::{Error, Result};
use pulp::{Simd, with_simd};
use serde::{Deserialize, Serialize};

use crate::Real;
use crate::simd::simd;

/// Settings of AdamW.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdamWConfig {
    /// First-moment decay, in [0, 1).
    pub beta1: f64,
    /// Second-moment decay, in [0, 1).
    pub beta2: f64,
    /// Added to the root of the second moment.
    pub epsilon: f64,
    /// Decoupled weight decay per unit of learning rate.
    pub weight_decay: f64,
    /// Largest norm of a gradient; longer ones are shortened. 0 switches clipping off.
    pub clip: f64,
}

impl Default for AdamWConfig {
    /// The usual constants ("AdamW on the default setting", says the paper); clipping is ours.
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 1e-2, clip: 100.0 }
    }
}

impl AdamWConfig {
    /// Plain Adam: neither decay nor clipping.
    pub fn plain() -> Self {
        Self { weight_decay: 0.0, clip: 0.0, ..Self::default() }
    }
}

/// AdamW's state for one parameter vector.
#[derive(Clone, Debug)]
pub struct AdamW<T> {
    config: AdamWConfig,
    /// First moments.
    pub first: Vec<T>,
    /// Second moments.
    pub second: Vec<T>,
    /// Steps taken.
    pub steps: u64,
}

impl<T: Real> AdamW<T> {
    /// A fresh state for `len` parameters.
    pub fn new(len: usize, config: AdamWConfig) -> Self {
        let zero = vec![T::from_f64(0.0); len];
        Self { config, first: zero.clone(), second: zero, steps: 0 }
    }

    /// One step down the gradient; refuses a gradient that is not finite.
    pub fn step(&mut self, theta: &mut [T], gradient: &[T], rate: f64) -> Result<()> {
        let AdamWConfig { beta1, beta2, epsilon, weight_decay, clip } = self.config;
        self.steps += 1;
        let norm = sum_of_squares(gradient).sqrt();
        if !norm.is_finite() {
            return Err(Error::non_finite("the gradient", format!("optimiser step {}", self.steps)));
        }
        let shrink = if clip > 0.0 && norm > clip { clip / norm } else { 1.0 };
        // In double precision: 1 − β₂ᵗ in single precision would cost five digits.
        let steps = self.steps as i32;
        let correction = (1.0 - beta2.powi(steps)).sqrt();
        let size = T::from_f64(rate * correction / (1.0 - beta1.powi(steps)));
        let epsilon = T::from_f64(epsilon * correction);
        let keep = T::from_f64(1.0 - rate * weight_decay);
        let (b1, c1) = (T::from_f64(beta1), T::from_f64(1.0 - beta1));
        let (b2, c2) = (T::from_f64(beta2), T::from_f64(1.0 - beta2));
        let shrink = T::from_f64(shrink);
        let rule = Rule { size, epsilon, keep, b1, c1, b2, c2, shrink };
        update(rule, theta, gradient, &mut self.first, &mut self.second);
        Ok(())
    }
}

/// Σ g² in double precision, in eight independent lanes.
fn sum_of_squares<T: Real>(values: &[T]) -> f64 {
    let mut lanes = [0.0; 8];
    let (body, tail) = values.as_chunks::<8>();
    for chunk in body {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += value.to_f64() * value.to_f64();
        }
    }
    lanes.iter().sum::<f64>() + tail.iter().map(|v| v.to_f64() * v.to_f64()).sum::<f64>()
}

/// The constants of one step.
#[derive(Clone, Copy)]
struct Rule<T> {
    size: T,
    epsilon: T,
    keep: T,
    b1: T,
    c1: T,
    b2: T,
    c2: T,
    shrink: T,
}

/// The update, compiled for the widest vectors of the machine.
#[with_simd(update = simd())]
#[inline(always)]
fn update_simd<'a, S: Simd, T: Real>(
    _simd: S,
    rule: Rule<T>,
    theta: &'a mut [T],
    gradient: &'a [T],
    first: &'a mut [T],
    second: &'a mut [T],
) {
    let Rule { size, epsilon, keep, b1, c1, b2, c2, shrink } = rule;
    for ((p, g), (m, v)) in theta.iter_mut().zip(gradient).zip(first.iter_mut().zip(second)) {
        let g = *g * shrink;
        *m = b1 * *m + c1 * g;
        *v = b2 * *v + c2 * g * g;
        *p = *p * keep - size * *m / (v.sqrt() + epsilon);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_steps_are_as_in_torch() {
        // torch.optim.AdamW([1.0, -2.0], lr=0.1, weight_decay=0.01) with gradients [0.5, -1.0], [0.25, 3.0].
        let mut theta = [1.0f64, -2.0];
        let mut adam = AdamW::new(2, AdamWConfig { clip: 0.0, ..AdamWConfig::default() });
        adam.step(&mut theta, &[0.5, -1.0], 0.1).unwrap();
        assert!((theta[0] - 0.899_000_002).abs() < 1e-8 && (theta[1] + 1.898_000_001).abs() < 1e-8);
        adam.step(&mut theta, &[0.25, 3.0], 0.1).unwrap();
        // m̂ = (0.9·0.05 + 0.1·0.25)/0.19, v̂ = (0.999·0.00025 + 0.001·0.0625)/0.001999
        let expected = 0.899_000_002 * 0.999 - 0.1 * (0.07 / 0.19) / (0.000_312_25f64 / 0.001_999).sqrt();
        assert!((theta[0] - expected).abs() < 1e-7);
    }

    #[test]
    fn long_gradients_are_shortened_and_non_finite_ones_refused() {
        let config = AdamWConfig { clip: 1.0, beta1: 0.0, ..AdamWConfig::default() };
        let mut clipped = AdamW::new(2, config);
        clipped.step(&mut [0.0f64; 2], &[30.0, 40.0], 0.1).unwrap();
        assert!((clipped.first[0] - 0.6).abs() < 1e-12 && (clipped.first[1] - 0.8).abs() < 1e-12);
        let error = clipped.step(&mut [0.0; 2], &[f64::NAN, 0.0], 0.1).unwrap_err();
        assert_eq!(error.to_string(), "the gradient became non-finite at optimiser step 2");
    }
}
