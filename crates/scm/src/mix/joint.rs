//! A smooth function of causes and noise together.
//!
//! # Model
//!
//! f(causes, a·U), f a Gaussian process by random features (see `fourier`) whose length along each argument, the noise
//! among them, is gamma(5)·0.1, and a uniform within `noise_sd`. Where a is small beside that length, the noise is nearly
//! additive, with a size that depends on the causes; where it is not, the noise folds.
//!
//! # Reference
//!
//! The effects of the simulated pairs of Mooij et al. (2016), see the noise `warped`.

use super::MixEntry;
use super::blended::{Blend, Blended, noise_sd, with_noise};
use crate::erlang::erlang;
use crate::function::Function;
use crate::mechanism::fourier::Fourier;

pub(crate) const ENTRY: MixEntry = MixEntry {
    name: "joint",
    summary: "a Gaussian process over the causes and a·U jointly, a uniform within `noise_sd`; the mechanism has no effect",
    standardized: true,
    draw: |spec, rows, rng| {
        let sd = noise_sd(spec, rng);
        let lengths: Vec<f64> = (0..=rows.parents()).map(|_| erlang(5, 0.1, rng)).collect();
        Box::new(Blended::new(Joint { function: Fourier::draw(&lengths, rng), sd }))
    },
};

#[derive(Debug)]
struct Joint {
    function: Fourier,
    sd: f64,
}

impl Blend for Joint {
    fn at(&self, _: f64, causes: &[f64], u: f64) -> f64 {
        self.function.at(&with_noise(causes, self.sd * u))
    }
}
