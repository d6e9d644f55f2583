//! Counts of events whose rate grows with the value.

use oslow_core::Rng;
use rand_distr::{Distribution, Exp1};

use super::{Seen, SeenEntry};

pub(crate) const ENTRY: SeenEntry = SeenEntry {
    name: "counts",
    summary: "Poisson with mean exp(1.5 + 0.7·v), v kept between −4 and 4",
    draw: |_, _, _| Some(Box::new(Counts)),
};

#[derive(Debug)]
struct Counts;

impl Seen for Counts {
    /// Counts the events of a Poisson process: exponential waits until the mean is used up. The mean is at most 74.
    fn at(&self, value: f64, rng: &mut Rng) -> f64 {
        let mean = (1.5 + 0.7 * value.clamp(-4.0, 4.0)).exp();
        let mut wait = || -> f64 { Exp1.sample(rng) };
        let (mut count, mut time) = (0.0, wait());
        while time < mean {
            count += 1.0;
            time += wait();
        }
        count
    }
}
