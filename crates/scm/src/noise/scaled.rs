//! A noise times a number.

use oslow_core::Rng;

use super::Noise;

/// `by`·U.
#[derive(Debug)]
struct Scaled {
    noise: Box<dyn Noise>,
    by: f64,
}

/// The noise, times a number that is not 0.
pub(super) fn scaled(noise: Box<dyn Noise>, by: f64) -> Box<dyn Noise> {
    if by == 1.0 { noise } else { Box::new(Scaled { noise, by }) }
}

impl Noise for Scaled {
    fn draw(&self, rng: &mut Rng) -> f64 {
        self.by * self.noise.draw(rng)
    }

    fn sd(&self) -> f64 {
        self.by.abs() * self.noise.sd()
    }
}
