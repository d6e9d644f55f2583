//! Ways that combine a standardised location with noise of variance 1.

use oslow_core::{Result, Rng};
use rand::RngExt;

use super::{Causes, Mix};
use crate::unit::Unit;
use crate::{Noise, ParentRows, Spec};

/// A formula of f, the causes and U.
pub(crate) trait Blend: std::fmt::Debug + Send + Sync {
    /// See [`Mix::noise`].
    fn noise(&self) -> Option<Box<dyn Noise>> {
        None
    }

    /// See [`Mix::settle`].
    fn settle(&mut self, _parents: &ParentRows, _noise: &[f64]) {}

    /// The node in one row.
    fn at(&self, f: f64, causes: &[f64], u: f64) -> f64;
}

/// A formula with the constants that standardise what goes in and what comes out.
#[derive(Debug)]
pub(crate) struct Blended<B> {
    blend: B,
    location: Unit,
    value: Unit,
}

impl<B: Blend> Blended<B> {
    pub(crate) fn new(blend: B) -> Self {
        Self { blend, location: Unit::AS_IS, value: Unit::AS_IS }
    }

    /// The formula in every row.
    fn raw(&self, causes: &Causes<'_>, noise: &[f64]) -> Vec<f64> {
        let rows = causes.parents.iter().zip(causes.moments).zip(noise);
        rows.map(|((row, at), u)| self.blend.at(self.location.at(at.location), row, *u)).collect()
    }
}

impl<B: Blend> Mix for Blended<B> {
    fn noise(&self) -> Option<Box<dyn Noise>> {
        self.blend.noise()
    }

    fn settle(&mut self, causes: &Causes<'_>, noise: &[f64]) {
        let locations: Vec<f64> = causes.moments.iter().map(|at| at.location).collect();
        self.location = Unit::of(&locations);
        self.blend.settle(causes.parents, noise);
        self.value = Unit::of(&self.raw(causes, noise));
    }

    fn values(&self, causes: &Causes<'_>, noise: &[f64]) -> Result<Vec<f64>> {
        Ok(self.raw(causes, noise).into_iter().map(|x| self.value.at(x)).collect())
    }
}

/// A function of causes and noise together has the noise as its last argument.
pub(super) fn with_noise(causes: &[f64], u: f64) -> Vec<f64> {
    causes.iter().copied().chain([u]).collect()
}

/// The standard deviation of one node's noise, uniform within `noise_sd`.
pub(super) fn noise_sd(spec: &Spec, rng: &mut Rng) -> f64 {
    let [least, most] = spec.noise_sd;
    rng.random_range(least..=most)
}
