//! Noise with two humps.

use oslow_core::Rng;
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use super::{Noise, NoiseEntry};

pub(crate) const ENTRY: NoiseEntry = NoiseEntry {
    name: "bimodal",
    summary: "two normals, 2 to 4 standard deviations apart, weights 0.3 to 0.7, drawn for each node; variance 1",
    build: |_, rng| {
        Ok(Box::new(Bimodal { share: rng.random_range(0.3..0.7), gap: rng.random_range(2.0..4.0) }))
    },
};

/// (Z + gB − gp) / √(1 + g²p(1 − p)): B is 1 with probability p, g the gap.
#[derive(Debug)]
struct Bimodal {
    share: f64,
    gap: f64,
}

impl Noise for Bimodal {
    fn draw(&self, rng: &mut Rng) -> f64 {
        let Self { share, gap } = self;
        let z: f64 = StandardNormal.sample(rng);
        let jump = if rng.random_bool(*share) { *gap } else { 0.0 };
        (z + jump - gap * share) / (1.0 + gap * gap * share * (1.0 - share)).sqrt()
    }

    fn sd(&self) -> f64 {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    #[test]
    fn has_the_moments_of_its_formula() {
        const DRAWS: usize = 40_000;
        let (share, gap) = (0.4, 3.0);
        let mut rng = Seed(3).stream("test");
        let draws: Vec<f64> = (0..DRAWS).map(|_| Bimodal { share, gap }.draw(&mut rng)).collect();
        let moment = |k| draws.iter().map(|x: &f64| x.powi(k)).sum::<f64>() / DRAWS as f64;
        // Cumulants add up: those of the normal beyond the second are 0, those of B are known.
        let variance = 1.0 + gap * gap * share * (1.0 - share);
        let third = gap.powi(3) * share * (1.0 - share) * (1.0 - 2.0 * share) / variance.powf(1.5);
        for (k, expected) in [(1, 0.0), (2, 1.0), (3, third)] {
            let error = ((moment(2 * k) - moment(k).powi(2)) / DRAWS as f64).sqrt();
            assert!((moment(k) - expected).abs() < 4.0 * error, "moment {k}: {}, {expected}", moment(k));
        }
        // The two humps: fewer values between them than at either.
        let near = |at: f64| draws.iter().filter(|x| (**x - at).abs() < 0.1).count();
        let at = |z: f64| (z - gap * share) / variance.sqrt();
        assert!(near(at(0.0)) > near(at(1.6)) && near(at(gap)) > near(at(1.6)));
    }
}
