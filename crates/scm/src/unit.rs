//! Standardisation of a column by the rows that were simulated.

/// x ↦ (x − mean) / sd, with constants that are found once, so that later draws of a model use the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit {
    pub(crate) mean: f64,
    pub(crate) sd: f64,
}

/// A column that varies less than this counts as constant: it becomes 0.
const LEAST_SD: f64 = 1e-12;

impl Unit {
    /// Leaves every value as it is.
    pub(crate) const AS_IS: Self = Self { mean: 0.0, sd: 1.0 };

    /// Gives these values mean 0 and standard deviation 1 (divided by n).
    pub(crate) fn of(values: &[f64]) -> Self {
        let (mean, sd) = mean_and_sd(values);
        if sd < LEAST_SD { Self { mean, sd: 1.0 } } else { Self { mean, sd } }
    }

    pub(crate) fn at(&self, x: f64) -> f64 {
        (x - self.mean) / self.sd
    }
}

/// Mean and standard deviation of the values (divided by n).
pub(crate) fn mean_and_sd(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_get_mean_0_and_sd_1() {
        let values = [3.0, 5.0, -1.0, 8.0];
        let unit = Unit::of(&values);
        let (mean, sd) = mean_and_sd(&values.map(|x| unit.at(x)));
        assert!(mean.abs() < 1e-15 && (sd - 1.0).abs() < 1e-15);
        assert_eq!(Unit::of(&[2.5, 2.5]).at(2.5), 0.0);
        assert_eq!(Unit::AS_IS.at(7.0), 7.0);
    }
}
