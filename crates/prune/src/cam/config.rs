//! Settings of CAM's pruning.

use oslow_core::{Error, Result, within};
use oslow_math::FEWEST_COEFFICIENTS;
use serde::{Deserialize, Serialize};

/// When candidates are thinned before the regression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Preselect {
    /// Where there are many, or few rows for each.
    #[default]
    Auto,
    /// For each variable.
    Always,
    /// Not at all.
    Never,
}

/// Settings of CAM's pruning; [`Default`] is what we recommend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CamConfig {
    /// An edge stays where its p-value is below, in (0, 1]. 0.001 is CAM's, and everybody's who uses its pruning.
    pub cutoff: f64,
    /// Coefficients of a smooth term, at least 3; fewer are taken where rows are scarce. 10 is CAM's.
    pub k: usize,
    /// When candidates are thinned by boosting before the regression. CAM does it for every variable while it looks for an order.
    pub preselect: Preselect,
    /// `preselect = "auto"` thins more candidates than this. Ours: up to here a full regression takes a moment.
    pub preselect_above: usize,
    /// How many candidates stay at most when they are thinned, at least 1; never more than a ninth of the rows. 10 is CAM's.
    pub preselect_keep: usize,
}

impl Default for CamConfig {
    fn default() -> Self {
        Self { cutoff: 1e-3, k: 10, preselect: Preselect::Auto, preselect_above: 25, preselect_keep: 10 }
    }
}

impl CamConfig {
    /// Refuses values outside their range.
    pub fn check(&self) -> Result<()> {
        if !(self.cutoff > 0.0 && self.cutoff <= 1.0) {
            return Err(Error::input(format!("cutoff = {}: it must be above 0 and at most 1", self.cutoff)));
        }
        within("k", self.k, FEWEST_COEFFICIENTS..=100)?;
        within("preselect_above", self.preselect_above, 0..=100_000)?;
        within("preselect_keep", self.preselect_keep, 1..=100_000)?;
        Ok(())
    }

    /// Whether so many candidates are to be thinned.
    pub fn preselects(&self, rows: usize, candidates: usize) -> bool {
        match self.preselect {
            Preselect::Never => false,
            Preselect::Always => true,
            Preselect::Auto => candidates > self.preselect_above || candidates > affordable(rows),
        }
    }

    /// How many candidates stay at most when they are thinned.
    pub fn keep(&self, rows: usize) -> usize {
        self.preselect_keep.min(affordable(rows)).max(1)
    }
}

/// Candidates that so many rows can bear: three rows for each of the fewest coefficients.
fn affordable(rows: usize) -> usize {
    rows / (3 * FEWEST_COEFFICIENTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_thinned_where_they_are_many() {
        let config = CamConfig::default();
        assert_eq!(
            (config.preselects(500, 19), config.preselects(500, 26), config.preselects(80, 9)),
            (false, true, true)
        );
        assert_eq!((config.keep(1000), config.keep(30), config.keep(5)), (10, 3, 1));
    }

    #[test]
    fn values_out_of_range_are_refused() {
        for wrong in [
            CamConfig { cutoff: 0.0, ..CamConfig::default() },
            CamConfig { cutoff: f64::NAN, ..CamConfig::default() },
            CamConfig { k: 2, ..CamConfig::default() },
            CamConfig { preselect_keep: 0, ..CamConfig::default() },
        ] {
            assert!(wrong.check().unwrap_err().is_input(), "{wrong:?}");
        }
    }
}
