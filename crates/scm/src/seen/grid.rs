//! Rounding.

use oslow_core::Rng;

use super::{Seen, SeenEntry};

pub(crate) const ENTRY: SeenEntry = SeenEntry {
    name: "grid",
    summary: "v rounded to the nearest of `levels` even steps from the least to the greatest value",
    draw: |spec, column, _| {
        let least = column.iter().copied().fold(f64::INFINITY, f64::min);
        let most = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(Box::new(Grid { least, most, steps: (spec.levels - 1) as f64 }))
    },
};

#[derive(Debug)]
struct Grid {
    least: f64,
    most: f64,
    /// One fewer than levels.
    steps: f64,
}

impl Seen for Grid {
    fn at(&self, value: f64, _: &mut Rng) -> f64 {
        let Self { least, most, steps } = self;
        let place = ((value - least) / (most - least) * steps).round().clamp(0.0, *steps);
        least + place / steps * (most - least)
    }
}
