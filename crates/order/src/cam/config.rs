//! Settings of CAM's search.

use oslow_core::{Error, Result, within};
use oslow_math::{FEWEST_COEFFICIENTS, coefficients};
use serde::{Deserialize, Serialize};

/// Coefficients of a straight line: the constant and a slope.
const LINE: usize = 2;

/// What a variable is as a function of one of its causes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Terms {
    /// A spline.
    #[default]
    Smooth,
    /// A straight line.
    Linear,
}

/// Settings of CAM's search; [`Default`] is what we recommend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CamConfig {
    /// `smooth` or `linear`: what a variable is as a function of each of its causes.
    pub terms: Terms,
    /// Coefficients of a smooth term, 3 to 100; fewer are taken where rows are scarce. 10 is CAM's.
    pub k: usize,
    /// Whether boosting chooses the possible causes of each variable beforehand, as CAM does. It saves most of the time; without it the graph
    /// joins every pair, and nothing in the order is left to chance.
    pub preselect: bool,
    /// How many possible causes of a variable boosting leaves at most, at least 1. 10 is CAM's.
    pub preselect_keep: usize,
    /// The graph that goes with the order keeps an edge where its p-value is below, in (0, 1]; 1 keeps all. The order is that of
    /// the whole graph. 0.001 is CAM's.
    pub cutoff: f64,
}

impl Default for CamConfig {
    fn default() -> Self {
        Self { terms: Terms::Smooth, k: 10, preselect: true, preselect_keep: 10, cutoff: 1e-3 }
    }
}

impl CamConfig {
    /// Refuses values outside their range.
    pub fn check(&self) -> Result<()> {
        within("k", self.k, FEWEST_COEFFICIENTS..=100)?;
        within("preselect_keep", self.preselect_keep, 1..=100_000)?;
        if !(self.cutoff > 0.0 && self.cutoff <= 1.0) {
            return Err(Error::input(format!("cutoff = {}: it must be above 0 and at most 1", self.cutoff)));
        }
        Ok(())
    }

    /// The coefficients of each term where there are so many.
    pub fn coefficients(&self, rows: usize, terms: usize) -> usize {
        match self.terms {
            Terms::Smooth => coefficients(rows, terms.max(1), self.k),
            Terms::Linear => LINE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_are_refused() {
        for wrong in [
            CamConfig { k: 2, ..CamConfig::default() },
            CamConfig { preselect_keep: 0, ..CamConfig::default() },
            CamConfig { cutoff: 0.0, ..CamConfig::default() },
            CamConfig { cutoff: f64::NAN, ..CamConfig::default() },
        ] {
            assert!(wrong.check().unwrap_err().is_input(), "{wrong:?}");
        }
        CamConfig::default().check().unwrap();
    }
}
