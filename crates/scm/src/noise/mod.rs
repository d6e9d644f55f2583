//! Distributions of the exogenous noise.

use oslow_core::{Named, Result, Rng};
use rand::RngExt;

use crate::{Skew, Spec};

registry! {
    /// The noises.
    NOISES: NoiseEntry = {
        gaussian, laplace, uniform, student_t, exponential, gamma, bimodal, beta, lognormal, warped, folded, any
    }
}

mod curved;
mod scaled;
pub(crate) mod unit_uniform;

/// A distribution that noise is drawn from. The registered ones have mean 0.
pub trait Noise: std::fmt::Debug + Send + Sync {
    /// One draw.
    fn draw(&self, rng: &mut Rng) -> f64;

    /// The standard deviation of the distribution.
    fn sd(&self) -> f64;
}

/// A registered noise.
#[derive(Debug)]
pub struct NoiseEntry {
    /// The name users type.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The noise of one node: parameters of the spec, or drawn.
    pub build: fn(&Spec, &mut Rng) -> Result<Box<dyn Noise>>,
}

impl Named for NoiseEntry {
    fn name(&self) -> &'static str {
        self.name
    }
}

/// The noise of one node, with variance 1 where that is wanted, turned around where the spec says so.
pub(crate) fn draw(entry: &NoiseEntry, spec: &Spec, unit: bool, rng: &mut Rng) -> Result<Box<dyn Noise>> {
    let noise = (entry.build)(spec, rng)?;
    let size = if unit { noise.sd().recip() } else { 1.0 };
    let turned = spec.skew == Skew::Either && rng.random::<bool>();
    Ok(scaled::scaled(noise, if turned { -size } else { size }))
}

/// Checks mean, variance and the share of draws inside (−1, 1) against what the formulas say.
#[cfg(test)]
pub(crate) fn check(entry: &NoiseEntry, variance: f64, inside: f64) {
    const DRAWS: usize = 40_000;
    let mut rng = oslow_core::Seed(3).stream(entry.name);
    let noise = (entry.build)(&Spec::default(), &mut rng).unwrap();
    assert!((noise.sd().powi(2) - variance).abs() < 1e-12 * variance, "{}: {}", entry.name, noise.sd());
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

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    /// Mean, variance and skewness of many draws.
    fn moments(noise: &dyn Noise) -> [f64; 3] {
        const DRAWS: usize = 40_000;
        let mut rng = Seed(5).stream("draws");
        let draws: Vec<f64> = (0..DRAWS).map(|_| noise.draw(&mut rng)).collect();
        [1, 2, 3].map(|power| draws.iter().map(|x| x.powi(power)).sum::<f64>() / DRAWS as f64)
    }

    #[test]
    fn every_noise_can_have_mean_0_and_variance_1() {
        for entry in NOISES {
            for seed in 0..5 {
                let noise = draw(entry, &Spec::default(), true, &mut Seed(seed).stream("test")).unwrap();
                let [mean, variance, _] = moments(noise.as_ref());
                // The variance of Student-t and lognormal draws is the least certain: standard errors up to 0.03.
                assert!(
                    mean.abs() < 0.025 && (variance - 1.0).abs() < 0.12,
                    "{}: {mean}, {variance}",
                    entry.name
                );
                assert!((noise.sd() - 1.0).abs() < 1e-9, "{}", entry.name);
            }
        }
    }

    #[test]
    fn skewed_noises_point_to_the_right_unless_either_way_is_asked_for() {
        let skew = |name: &str, skew: Skew, seed: u64| {
            let entry = oslow_core::find("noise", name, NOISES).unwrap();
            let spec = Spec { skew, ..Spec::default() };
            let noise = draw(entry, &spec, true, &mut Seed(seed).stream("test")).unwrap();
            moments(noise.as_ref())[2]
        };
        for name in ["exponential", "gamma", "lognormal"] {
            assert!((0..8).all(|seed| skew(name, Skew::Right, seed) > 1.0), "{name}");
            let left = (0..8).filter(|seed| skew(name, Skew::Either, *seed) < -1.0).count();
            assert!((1..8).contains(&left), "{name}: {left} of 8 point to the left");
        }
    }
}
