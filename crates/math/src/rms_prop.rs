//! RMSprop.

use oslow_core::{Error, Result};

use crate::Real;

/// The decay of the second moments: as is usual.
const DECAY: f64 = 0.99;
/// Added to the root of the second moment.
const EPSILON: f64 = 1e-8;

/// RMSprop's state for one parameter vector: θ ← θ − rate·g/(√v + ε), where v is a running mean of g².
#[derive(Clone, Debug)]
pub struct RmsProp<T> {
    second: Vec<T>,
}

impl<T: Real> RmsProp<T> {
    /// A fresh state for `len` parameters.
    pub fn new(len: usize) -> Self {
        Self { second: vec![T::default(); len] }
    }

    /// Forgets all gradients.
    pub fn reset(&mut self) {
        self.second.fill(T::default());
    }

    /// One step down the gradient; refuses a gradient that is not finite.
    pub fn step(&mut self, theta: &mut [T], gradient: &[T], rate: f64) -> Result<()> {
        let norm: f64 = gradient.iter().map(|g| g.to_f64()).map(|g| g * g).sum();
        if !norm.is_finite() {
            return Err(Error::non_finite("the gradient", "a step of RMSprop"));
        }
        let (keep, add) = (T::from_f64(DECAY), T::from_f64(1.0 - DECAY));
        let (rate, epsilon) = (T::from_f64(rate), T::from_f64(EPSILON));
        for ((p, &g), v) in theta.iter_mut().zip(gradient).zip(&mut self.second) {
            *v = keep * *v + add * g * g;
            *p = *p - rate * g / (v.sqrt() + epsilon);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_as_in_torch() {
        // torch.optim.RMSprop([1.0, -2.0], lr=0.1) with gradients [0.5, -1.0], [0.25, 3.0], [0.0, -0.5] in double precision.
        let expected = [
            [1.999_999_604_818_114_6e-7, -1.000_000_099_999_990_5],
            [-0.449_012_974_421_829_8, -1.949_158_065_722_46],
            [-0.449_012_974_421_829_8, -1.792_140_271_645_639],
        ];
        let (mut theta, mut state) = ([1.0f64, -2.0], RmsProp::new(2));
        for (gradient, expected) in [[0.5, -1.0], [0.25, 3.0], [0.0, -0.5]].iter().zip(expected) {
            state.step(&mut theta, gradient, 0.1).unwrap();
            assert!(theta.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{theta:?}");
        }
        state.reset();
        state.step(&mut theta, &[1.0, 0.0], 0.1).unwrap();
        assert!((theta[0] - (expected[2][0] - 0.1 / (0.1 + 1e-8))).abs() < 1e-12);
        let error = state.step(&mut theta, &[f64::NAN, 0.0], 0.1).unwrap_err();
        assert_eq!(error.to_string(), "the gradient became non-finite at a step of RMSprop");
    }
}
