//! Noise that is a drawn function of a normal variable.

use oslow_core::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::Noise;

/// U = q(Z) with Z standard normal, q linear between tabulated points and standardised: mean 0, variance 1.
#[derive(Debug)]
pub(super) struct Curved {
    values: Vec<f64>,
}

/// Z is kept between these; beyond lie two of 10⁹ draws.
const END: f64 = 6.0;
/// Points in a unit of Z.
const DENSITY: f64 = 40.0;

/// Where a function of Z is tabulated.
pub(super) fn points() -> impl Iterator<Item = f64> {
    let points = (2.0 * END * DENSITY) as usize;
    (0..=points).map(|k| k as f64 / DENSITY - END)
}

impl Curved {
    /// The function with these values at [`points`], standardised.
    pub(super) fn new(mut values: Vec<f64>) -> Self {
        let density = || points().map(|z| (-z * z / 2.0).exp());
        let total: f64 = density().sum();
        let mean_of = |values: &[f64], f: &dyn Fn(f64) -> f64| {
            values.iter().zip(density()).map(|(v, weight)| f(*v) * weight).sum::<f64>() / total
        };
        let mean = mean_of(&values, &|v| v);
        let sd = mean_of(&values, &|v| (v - mean).powi(2)).sqrt();
        values.iter_mut().for_each(|v| *v = (*v - mean) / sd);
        Self { values }
    }

    /// The values at [`points`].
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    fn at(&self, z: f64) -> f64 {
        let place = (z.clamp(-END, END) + END) * DENSITY;
        let below = (place.floor() as usize).min(self.values.len() - 2);
        let (a, b) = (self.values[below], self.values[below + 1]);
        a + (place - below as f64) * (b - a)
    }
}

impl Noise for Curved {
    fn draw(&self, rng: &mut Rng) -> f64 {
        self.at(StandardNormal.sample(rng))
    }

    fn sd(&self) -> f64 {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identity_stays_itself_and_is_linear_between_points() {
        let curved = Curved::new(points().map(|z| 3.0 * z + 1.0).collect());
        for z in [-8.0_f64, -1.234, 0.0, 0.005, 2.5, 6.0, 9.0] {
            // Cut off at ±6 the variance is 1 − 10⁻⁷.
            assert!((curved.at(z) - z.clamp(-END, END)).abs() < 1e-6, "{z}: {}", curved.at(z));
        }
    }
}
