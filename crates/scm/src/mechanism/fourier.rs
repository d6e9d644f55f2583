//! Locations that are smooth at a random length: a Gaussian process by random features.
//!
//! # Model
//!
//! f(x) = √(2/m)·Σⱼ vⱼ·cos(Σₖ wⱼₖ·xₖ + bⱼ) with v normal, wⱼₖ normal with standard deviation 1/ℓₖ, b uniform on
//! (0, 2π) and m = 300. Its covariance is exp(−½·Σₖ (xₖ − yₖ)²/ℓₖ²), and as m grows it becomes the Gaussian
//! process with that kernel. As a mechanism ℓ = u·√k for k causes, u uniform on (0.7, 1.5).
//!
//! Unlike `gaussian-process` it costs O(n·m) for n rows, is defined everywhere by one formula and has a length
//! of its own in each node; that one has the exact process of the paper.

use std::f64::consts::TAU;

use oslow_core::Rng;
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use super::shaped::shaped;
use super::{MechanismEntry, ParentRows};
use crate::function::Function;

pub(crate) const ENTRY: MechanismEntry = MechanismEntry {
    name: "fourier",
    summary: "t = 300 random waves over the parents jointly: a Gaussian process of random length, standardised; \
              s = softplus(Σc'x + b')",
    standardized: true,
    draw: |spec, rows, rng| Ok(shaped(spec, rows, rng, Fourier::of_random_length)),
};

const FEATURES: usize = 300;

#[derive(Debug)]
pub(crate) struct Fourier(Vec<Wave>);

#[derive(Debug)]
struct Wave {
    frequencies: Vec<f64>,
    phase: f64,
    height: f64,
}

impl Fourier {
    /// With one length for each argument.
    pub(crate) fn draw(lengths: &[f64], rng: &mut Rng) -> Self {
        let normal = |rng: &mut Rng| -> f64 { StandardNormal.sample(rng) };
        let height = (2.0 / FEATURES as f64).sqrt();
        let wave = |_| Wave {
            frequencies: lengths.iter().map(|length| normal(rng) / length).collect(),
            phase: rng.random_range(0.0..TAU),
            height: height * normal(rng),
        };
        Self((0..FEATURES).map(wave).collect())
    }

    /// With one random length for all causes.
    pub(crate) fn of_random_length(rows: &ParentRows, rng: &mut Rng) -> Self {
        let causes = rows.parents();
        let length = rng.random_range(0.7..1.5) * (causes as f64).sqrt();
        Self::draw(&vec![length; causes], rng)
    }
}

impl Function for Fourier {
    fn at(&self, causes: &[f64]) -> f64 {
        let wave = |wave: &Wave| {
            let angle: f64 = wave.frequencies.iter().zip(causes).map(|(w, x)| w * x).sum();
            wave.height * (angle + wave.phase).cos()
        };
        self.0.iter().map(wave).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    #[test]
    fn draws_have_the_covariance_of_the_kernel() {
        const DRAWS: usize = 3000;
        let mut rng = Seed(2).stream("test");
        let points = [[0.0, 0.0], [0.5, 0.0], [0.0, 0.5], [2.0, -1.0]];
        let mut draw = |_| {
            let function = Fourier::draw(&[0.5, 1.0], &mut rng);
            points.map(|x| function.at(&x))
        };
        let draws: Vec<[f64; 4]> = (0..DRAWS).map(&mut draw).collect();
        for i in 0..4 {
            for j in 0..4 {
                let got = draws.iter().map(|f| f[i] * f[j]).sum::<f64>() / DRAWS as f64;
                let [a, b] = [0, 1].map(|k: usize| points[i][k] - points[j][k]);
                let expected = (-0.5 * ((a / 0.5).powi(2) + b * b)).exp();
                let error = ((1.0 + expected * expected) / DRAWS as f64).sqrt();
                assert!((got - expected).abs() < 4.5 * error, "({i}, {j}): {got}, {expected}");
            }
        }
    }
}
