//! Noise whose size depends on the causes.

use super::MixEntry;
use super::blended::{Blend, Blended, noise_sd};
use crate::function::{Function, Standard};
use crate::mechanism::fourier::Fourier;

pub(crate) const ENTRY: MixEntry = MixEntry {
    name: "location-scale",
    summary: "f + a·exp(0.8·h)·U with h a smooth function of the causes (as `fourier`), a uniform within `noise_sd`",
    standardized: true,
    draw: |spec, rows, rng| {
        let sd = noise_sd(spec, rng);
        let log_scale = Standard::over(Fourier::of_random_length(rows, rng), rows);
        Box::new(Blended::new(LocationScale { sd, log_scale }))
    },
};

#[derive(Debug)]
struct LocationScale {
    sd: f64,
    log_scale: Standard<Fourier>,
}

impl Blend for LocationScale {
    fn at(&self, f: f64, causes: &[f64], u: f64) -> f64 {
        f + self.sd * (0.8 * self.log_scale.at(causes)).exp() * u
    }
}
