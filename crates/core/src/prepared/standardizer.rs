//! Bringing columns to a common scale, and back.

use crate::{Choice, Error, Remedy, Result};

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
                .with_hint(Remedy::from("for example ").and(Choice::Standardize.set("none")))),
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
    /// The scaling to mean 0 and standard deviation 1 of columns that stand one after the other.
    pub(super) fn of_columns(names: &[String], columns: &[f64]) -> Result<Self> {
        let rows = columns.len() / names.len();
        let (mean, scale): (Vec<f64>, Vec<f64>) = columns.chunks_exact(rows).map(mean_and_deviation).unzip();
        let fits = |(column, (mean, scale)): (&[f64], (&f64, &f64))| {
            *scale > 0.0 && column.iter().all(|x| ((x - mean) / scale).is_finite())
        };
        match columns.chunks_exact(rows).zip(mean.iter().zip(&scale)).position(|part| !fits(part)) {
            None => Ok(Self { mean, scale }),
            Some(j) => Err(Error::input(format!(
                "column `{}` cannot be standardised: its standard deviation is {:e}",
                names[j], scale[j]
            ))
            .with_hint("drop it, or write it in other units")),
        }
    }

    /// The scaling that changes nothing.
    pub fn identity(columns: usize) -> Self {
        Self { mean: vec![0.0; columns], scale: vec![1.0; columns] }
    }

    /// Data units → standard units, of columns that stand one after the other.
    pub(super) fn apply_columns(&self, columns: &[f64]) -> Vec<f64> {
        let rows = columns.len() / self.mean.len();
        let scaled = |(k, x): (usize, &f64)| (x - self.mean[k / rows]) / self.scale[k / rows];
        columns.iter().enumerate().map(scaled).collect()
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

/// Mean and standard deviation (of n, not n − 1). Where squares vanish or overflow, the column is taken in units of a power of two near its
/// largest value, which rounds nothing.
fn mean_and_deviation(column: &[f64]) -> (f64, f64) {
    let (mean, deviation) = plain_mean_and_deviation(column);
    if deviation.is_finite() && deviation > 0.0 {
        return (mean, deviation);
    }
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    let largest = column.iter().fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
    let power = f64::from_bits(largest.to_bits() & EXPONENT);
    let (mean, deviation) = plain_mean_and_deviation(&column.iter().map(|x| x / power).collect::<Vec<_>>());
    (mean * power, deviation * power)
}

fn plain_mean_and_deviation(column: &[f64]) -> (f64, f64) {
    let n = column.len() as f64;
    let mean = column.iter().sum::<f64>() / n;
    (mean, (column.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt())
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
    fn rows_go_there_and_back() {
        let names = ["a", "b"].map(String::from);
        let scaling = Standardizer::of_columns(&names, &[1.0, 2.0, 6.0, 10.0, 30.0, -4.0]).unwrap();
        let rows = [1.0, 10.0, 2.0, 30.0, 6.0, -4.0];
        let mut there = rows.to_vec();
        scaling.apply_rows(&mut there);
        let by_column = scaling.apply_columns(&[1.0, 2.0, 6.0, 10.0, 30.0, -4.0]);
        assert!((0..6).all(|k| there[k] == by_column[k % 2 * 3 + k / 2]));
        scaling.invert_rows(&mut there);
        assert!(there.iter().zip(rows).all(|(a, b)| (a - b).abs() < 1e-12));
    }
}
