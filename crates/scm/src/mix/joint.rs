//! A smooth function of causes and noise together.
//!
//! # Model
//!
//! f(causes, U), f a Gaussian process by random features (see `fourier`) whose length along each argument, the noise
//! among them, is gamma(5)·0.1.
//!
//! # Reference
//!
//! The effects of the simulated pairs of Mooij et al. (2016), see the noise `warped`.

use super::MixEntry;
use super::blended::{Blend, Blended, with_noise};
use crate::erlang::erlang;
use crate::function::Function;
use crate::mechanism::fourier::Fourier;

pub(crate) const ENTRY: MixEntry = MixEntry {
    name: "joint",
    summary: "a Gaussian process over causes and noise jointly; the mechanism has no effect",
    standardized: true,
    draw: |_, rows, rng| {
        let lengths: Vec<f64> = (0..=rows.parents()).map(|_| erlang(5, 0.1, rng)).collect();
        Box::new(Blended::new(Joint(Fourier::draw(&lengths, rng))))
    },
};

#[derive(Debug)]
struct Joint(Fourier);

impl Blend for Joint {
    fn at(&self, _: f64, causes: &[f64], u: f64) -> f64 {
        self.0.at(&with_noise(causes, u))
    }
}
