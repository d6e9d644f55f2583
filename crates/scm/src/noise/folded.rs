//! Noise that is a random smooth function of noise.
//!
//! # Model
//!
//! U = f(V), V with a random density (`warped`), f a Gaussian process of variance 1 and a length that is gamma(5)·0.1,
//! drawn for each node; standardised. f rises and falls, so the density has edges where f turns.
//!
//! # Reference
//!
//! The causes of the simulated pairs of Mooij et al. (2016), see `warped`.

use super::NoiseEntry;
use super::curved::Curved;
use super::warped::warped;
use crate::erlang::erlang;
use crate::function::Function;
use crate::mechanism::fourier::Fourier;

pub(crate) const ENTRY: NoiseEntry = NoiseEntry {
    name: "folded",
    summary: "`warped` noise through a random smooth function for each node: densities with edges; variance 1",
    build: |_, rng| {
        let inner = warped(rng);
        let function = Fourier::draw(&[erlang(5, 0.1, rng)], rng);
        Ok(Box::new(Curved::new(inner.values().iter().map(|v| function.at(&[*v])).collect())))
    },
};
