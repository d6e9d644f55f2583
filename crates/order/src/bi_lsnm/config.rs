//! Settings of `bi-lsnm`.

use oslow_core::{Result, positive, within};
use serde::{Deserialize, Serialize};

/// How the law of one variable given another is estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Estimator {
    /// A small network.
    Net,
    /// B-splines, a convex problem.
    Spline,
}

/// What two directions are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Score {
    /// The likelihood of the fits.
    Likelihood,
    /// How dependent the residual is on the cause.
    Hsic,
}

/// Settings of `bi-lsnm`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct BiLsnmConfig {
    /// `net` or `spline`. The OSLow paper's program takes `net`.
    pub estimator: Estimator,
    /// `likelihood` or `hsic`. The OSLow paper speaks of likelihood ratios; its program, and LOCI's, have `hsic` as default.
    pub score: Score,
    /// Scores nearer to 0 than this say nothing, at least 0. 0.01 is that of the OSLow paper's program, for both scores; differences of
    /// HSIC are seldom that large.
    pub least_score: f64,
    /// Steps of Adam on all rows (`net`), at least 1. 1000 is that of the OSLow paper's program, 5000 LOCI's own.
    pub steps: usize,
    /// Learning rate at the start (`net`), above 0; it falls to a ten-thousandth along a cosine. 0.01 is LOCI's.
    pub rate: f64,
    /// Knots from the least to the greatest value (`spline`), at least 2. 25 is LOCI's.
    pub knots: usize,
    /// Degree of the polynomials between them (`spline`), 1 to 9. 5 is LOCI's.
    pub degree: usize,
    /// Ridge penalty on the weights of the splines, above 0. 0.00001 is LOCI's.
    pub ridge: f64,
}

impl Default for BiLsnmConfig {
    fn default() -> Self {
        Self {
            estimator: Estimator::Net,
            score: Score::Likelihood,
            least_score: 0.01,
            steps: 1000,
            rate: 0.01,
            knots: 25,
            degree: 5,
            ridge: 1e-5,
        }
    }
}

impl BiLsnmConfig {
    /// Refuses values outside their range.
    pub fn check(&self) -> Result<()> {
        positive("rate", self.rate, 100.0)?;
        positive("ridge", self.ridge, 1e6)?;
        within("least_score", self.least_score, 0.0..=1e6)?;
        within("steps", self.steps, 1..=1_000_000)?;
        within("knots", self.knots, 2..=1000)?;
        within("degree", self.degree, 1..=9)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::METHODS;
    use oslow_core::Settings;

    #[test]
    fn values_out_of_range_are_refused() {
        let wrong = [
            "estimator = 'gam'",
            "score = 'p-value'",
            "least_score = -0.1",
            "least_score = inf",
            "steps = 0",
            "rate = 0.0",
            "knots = 1",
            "degree = 0",
            "degree = 10",
            "ridge = 0.0",
        ];
        for wrong in wrong {
            let settings: Settings = wrong.parse().unwrap();
            assert!((METHODS[0].build)(&settings).err().unwrap().is_input(), "{wrong}");
        }
    }
}
