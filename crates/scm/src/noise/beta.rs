//! Beta noise: most of it at the ends of an interval.

use std::f64::consts::PI;

use oslow_core::Rng;
use rand::RngExt;

use super::{Noise, NoiseEntry};

pub(crate) const ENTRY: NoiseEntry = NoiseEntry {
    name: "beta",
    summary: "beta(½, ½) on (−√2, √2), variance 1: densest at both ends",
    build: |_, _| Ok(Box::new(Beta)),
};

/// √2·cos(πV) with V uniform on (0, 1): the arcsine distribution.
#[derive(Debug)]
struct Beta;

impl Noise for Beta {
    fn draw(&self, rng: &mut Rng) -> f64 {
        2.0_f64.sqrt() * (PI * rng.random::<f64>()).cos()
    }

    fn sd(&self) -> f64 {
        1.0
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn has_the_moments_of_its_formula() {
        // |cos(πV)| < 1/√2 for V between ¼ and ¾.
        super::super::check(&super::ENTRY, 1.0, 0.5);
    }
}
