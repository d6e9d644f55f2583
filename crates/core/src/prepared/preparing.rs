//! How a table is prepared.

use super::{Outliers, Standardize};

/// What is done to a table before anything is learned from it; [`Default`] is what we recommend.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Preparing {
    /// The units of the run.
    pub standardize: Standardize,
    /// Which rows are too far out to be kept.
    pub outliers: Outliers,
}

impl Preparing {
    /// Every row, in the units of the data.
    pub fn as_given() -> Self {
        Self { standardize: Standardize::None, outliers: Outliers::None }
    }
}
