//! Removal of rows far from the median: the paper does it and says so; off by default.

use crate::{Choice, Error, Remedy, Result, Sample};

/// Which rows are too far out to be kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Outliers {
    /// Keep every row.
    #[default]
    None,
    /// Drop a row if any column deviates from its median by more than this many median absolute deviations.
    Mad(f64),
}

impl Outliers {
    /// The rows to keep, ascending.
    pub fn kept_rows(self, sample: &Sample) -> Vec<usize> {
        let Self::Mad(multiple) = self else { return (0..sample.rows()).collect() };
        let bounds: Vec<(f64, f64)> = (0..sample.columns())
            .map(|j| {
                let center = median(sample.column(j).collect());
                let mad = median(sample.column(j).map(|x| (x - center).abs()).collect());
                (center, multiple * mad)
            })
            .collect();
        // A median absolute deviation of 0 (more than half of the values equal) says nothing about distance.
        let near = |i: &usize| {
            bounds.iter().zip(sample.row(*i)).all(|(&(c, limit), x)| limit == 0.0 || (x - c).abs() <= limit)
        };
        (0..sample.rows()).filter(near).collect()
    }
}

/// The median; the mean of the two middle values where their number is even.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

impl std::str::FromStr for Outliers {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        if text == "none" {
            return Ok(Self::None);
        }
        let multiple = text.strip_prefix("mad:").and_then(|k| k.parse::<f64>().ok());
        match multiple.filter(|k| k.is_finite() && *k > 0.0) {
            Some(multiple) => Ok(Self::Mad(multiple)),
            None => Err(Error::input(format!("outliers: `{text}` is neither `none` nor `mad:K`"))
                .with_hint(Remedy::from("for example ").and(Choice::Outliers.set("mad:10")))),
        }
    }
}

impl std::fmt::Display for Outliers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Mad(multiple) => write!(f, "mad:{multiple}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_rows_go() {
        let names = vec!["a".to_string(), "b".to_string()];
        let values = vec![0., 0., 1., 1., 2., 2., 3., 3., 100., 4.];
        let sample = Sample::new(names, values).unwrap();
        assert_eq!("mad:5".parse::<Outliers>().unwrap().kept_rows(&sample), [0, 1, 2, 3]);
        assert_eq!(Outliers::None.kept_rows(&sample).len(), 5);
        assert!("mad:-1".parse::<Outliers>().is_err() && "iqr".parse::<Outliers>().is_err());
    }
}
