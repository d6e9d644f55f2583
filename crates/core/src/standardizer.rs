//! Bringing columns to a common scale, and back.

use crate::{Error, Result, Sample};

/// How columns are brought to a common scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standardize {
    /// As they are.
    None,
    /// Mean 0 and standard deviation 1 (of the n rows, not n − 1).
    #[default]
    ZScore,
}

impl std::str::FromStr for Standardize {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "none" => Ok(Self::None),
            "zscore" => Ok(Self::ZScore),
            _ => Err(Error::input(format!("standardize: `{text}` is neither `zscore` nor `none`"))
                .with_hint("for example `--standardize none`")),
        }
    }
}

impl std::fmt::Display for Standardize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::ZScore => "zscore",
        })
    }
}

/// A fitted scaling: `z = (x − mean) / scale`, column by column.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Standardizer {
    /// What is subtracted.
    pub mean: Vec<f64>,
    /// What the rest is divided by.
    pub scale: Vec<f64>,
}

impl Standardizer {
    /// Fits the scaling to a sample; a constant column cannot be z-scored.
    pub fn fit(sample: &Sample, how: Standardize) -> Result<Self> {
        let d = sample.columns();
        if how == Standardize::None {
            return Ok(Self { mean: vec![0.0; d], scale: vec![1.0; d] });
        }
        let n = sample.rows() as f64;
        let mean: Vec<f64> = (0..d).map(|j| sample.column(j).sum::<f64>() / n).collect();
        let scale: Vec<f64> = (0..d)
            .map(|j| (sample.column(j).map(|x| (x - mean[j]).powi(2)).sum::<f64>() / n).sqrt())
            .collect();
        match scale.iter().position(|&s| !(s.is_finite() && s > 0.0)) {
            None => Ok(Self { mean, scale }),
            Some(j) => Err(Error::input(format!(
                "column `{}` has standard deviation {}, so it cannot be standardised",
                sample.names()[j],
                scale[j]
            ))
            .with_hint("drop it or pass `--standardize none`")),
        }
    }

    /// Data units → standard units.
    pub fn apply(&self, sample: &Sample) -> Result<Sample> {
        let mut values = sample.values().to_vec();
        self.apply_rows(&mut values);
        sample.with_values(values)
    }

    /// Data units → standard units, in place, row by row.
    pub fn apply_rows(&self, values: &mut [f64]) {
        let d = self.mean.len();
        for (k, value) in values.iter_mut().enumerate() {
            *value = (*value - self.mean[k % d]) / self.scale[k % d];
        }
    }

    /// Standard units → data units, in place, row by row.
    pub fn invert_rows(&self, values: &mut [f64]) {
        let d = self.mean.len();
        for (k, value) in values.iter_mut().enumerate() {
            *value = *value * self.scale[k % d] + self.mean[k % d];
        }
    }

    /// log |det| of the map from data to standard units: added to a log-density in standard units it gives
    /// the one in data units.
    pub fn log_det(&self) -> f64 {
        -self.scale.iter().map(|s| s.ln()).sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_goes_through_text() {
        for how in [Standardize::None, Standardize::ZScore] {
            assert_eq!(how.to_string().parse::<Standardize>().unwrap(), how);
        }
        assert!("minmax".parse::<Standardize>().is_err());
    }

    #[test]
    fn z_scores_have_mean_zero_and_variance_one_and_go_back() {
        let names = vec!["a".to_string(), "b".to_string()];
        let sample = Sample::new(names, vec![1., 10., 2., 30., 6., -4.]).unwrap();
        let scaler = Standardizer::fit(&sample, Standardize::ZScore).unwrap();
        let z = scaler.apply(&sample).unwrap();
        for j in 0..2 {
            let n = z.rows() as f64;
            assert!(z.column(j).sum::<f64>().abs() < 1e-12);
            assert!((z.column(j).map(|v| v * v).sum::<f64>() / n - 1.0).abs() < 1e-12);
        }
        let mut back = z.values().to_vec();
        scaler.invert_rows(&mut back);
        assert!(back.iter().zip(sample.values()).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}
