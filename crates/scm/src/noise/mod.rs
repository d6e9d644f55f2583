//! Distributions of the exogenous noise.

use oslow_core::{Named, Result, Rng};

use crate::Spec;

registry! {
    /// The noises.
    NOISES: NoiseEntry = { gaussian, laplace, uniform, student_t }
}

/// A distribution that noise is drawn from. The registered ones have mean 0.
pub trait Noise: std::fmt::Debug + Send + Sync {
    /// One draw.
    fn draw(&self, rng: &mut Rng) -> f64;
}

/// A registered noise.
#[derive(Debug)]
pub struct NoiseEntry {
    /// The name users type.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The noise with the parameters of the spec.
    pub build: fn(&Spec) -> Result<Box<dyn Noise>>,
}

impl Named for NoiseEntry {
    fn name(&self) -> &'static str {
        self.name
    }
}

/// Checks mean, variance and the share of draws inside (−1, 1) against what the formulas say.
#[cfg(test)]
pub(crate) fn check(entry: &NoiseEntry, variance: f64, inside: f64) {
    const DRAWS: usize = 40_000;
    let noise = (entry.build)(&Spec::default()).unwrap();
    let mut rng = oslow_core::Seed(3).stream(entry.name);
    let draws: Vec<f64> = (0..DRAWS).map(|_| noise.draw(&mut rng)).collect();
    let mean_of = |f: &dyn Fn(f64) -> f64| {
        let values: Vec<f64> = draws.iter().map(|&x| f(x)).collect();
        let mean = values.iter().sum::<f64>() / DRAWS as f64;
        let spread = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / DRAWS as f64;
        (mean, (spread / DRAWS as f64).sqrt())
    };
    let near = |(mean, error): (f64, f64), expected: f64| {
        assert!((mean - expected).abs() < 4.0 * error, "{}: {mean} is not {expected}", entry.name);
    };
    near(mean_of(&|x| x), 0.0);
    near(mean_of(&|x| x * x), variance);
    near(mean_of(&|x| f64::from(u8::from(x.abs() < 1.0))), inside);
}
