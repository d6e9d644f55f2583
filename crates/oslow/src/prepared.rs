//! What every stage after the reader works on.

use oslow_core::{Error, Outliers, Result, Sample, Standardizer};

use crate::DiscoverOptions;

/// A table without its outliers, checked and on a common scale.
pub(crate) struct Prepared {
    pub scaled: Sample,
    pub scaling: Standardizer,
}

impl Prepared {
    pub fn new(sample: &Sample, options: &DiscoverOptions) -> Result<Self> {
        let kept = without_outliers(sample, options.outliers)?;
        kept.check_informative()?;
        let scaling = Standardizer::fit(&kept, options.standardize)?;
        Ok(Self { scaled: scaling.apply(&kept)?, scaling })
    }
}

/// The table without rows that are too far out.
fn without_outliers(sample: &Sample, outliers: Outliers) -> Result<Sample> {
    let kept = outliers.kept_rows(sample);
    if kept.len() == sample.rows() {
        return Ok(sample.clone());
    }
    sample.select_rows(&kept).map_err(|_| {
        Error::input(format!("outliers {outliers} keeps only {} of {} rows", kept.len(), sample.rows()))
            .with_hint("pass a larger multiple, such as `--outliers mad:10`")
    })
}
