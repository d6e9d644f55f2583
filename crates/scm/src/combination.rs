//! Random linear combinations of the parents, and scales made of them.

use oslow_core::Rng;
use rand::RngExt;

use crate::{Signs, Spec};

/// Σ cₖ·xₖ + b with cₖ and b uniform on (1, 2).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Combination {
    pub(crate) coefficients: Vec<f64>,
    pub(crate) intercept: f64,
}

impl Combination {
    pub(crate) fn draw(parents: usize, signs: Signs, rng: &mut Rng) -> Self {
        let coefficient = |rng: &mut Rng| {
            let size = rng.random_range(1.0..2.0);
            if signs == Signs::Random && rng.random::<bool>() { -size } else { size }
        };
        let coefficients = (0..parents).map(|_| coefficient(rng)).collect();
        Self { coefficients, intercept: rng.random_range(1.0..2.0) }
    }

    /// Σ cₖ·xₖ, without the intercept.
    pub(crate) fn sum(&self, parents: &[f64]) -> f64 {
        self.coefficients.iter().zip(parents).map(|(c, x)| c * x).sum()
    }

    pub(crate) fn at(&self, parents: &[f64]) -> f64 {
        self.sum(parents) + self.intercept
    }
}

/// What the noise of a node is multiplied by.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scale {
    /// 1: additive noise.
    One,
    /// The softplus of a combination of the parents.
    Softplus(Combination),
}

impl Scale {
    /// The combination is drawn even where it is not used, so that an additive model has the same
    /// locations as the affine one of the same seed.
    pub(crate) fn draw(spec: &Spec, parents: usize, rng: &mut Rng) -> Self {
        let combination = Combination::draw(parents, spec.signs, rng);
        if spec.additive { Self::One } else { Self::Softplus(combination) }
    }

    pub(crate) fn at(&self, parents: &[f64]) -> f64 {
        match self {
            Self::One => 1.0,
            Self::Softplus(combination) => softplus(combination.at(parents)),
        }
    }
}

/// log(1 + eˣ), without overflow.
pub(crate) fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    #[test]
    fn coefficients_lie_between_1_and_2() {
        let mut rng = Seed(1).stream("test");
        let positive = Combination::draw(1000, Signs::Positive, &mut rng);
        assert!(positive.coefficients.iter().all(|c| (1.0..2.0).contains(c)));
        let random = Combination::draw(1000, Signs::Random, &mut rng);
        assert!(random.coefficients.iter().all(|c| (1.0..=2.0).contains(&c.abs())));
        let negative = random.coefficients.iter().filter(|c| **c < 0.0).count();
        assert!((400..600).contains(&negative), "{negative} of 1000 negative: sd is 16");
    }

    #[test]
    fn softplus_is_positive_and_does_not_overflow() {
        assert!((softplus(0.0) - 2.0_f64.ln()).abs() < 1e-15);
        assert!((softplus(1.0) - (1.0 + 1.0_f64.exp()).ln()).abs() < 1e-15);
        assert_eq!(softplus(1e4), 1e4);
        assert!(softplus(-100.0) > 0.0);
    }
}
