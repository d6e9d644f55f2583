//! What kind of values a column holds.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{Error, Result, registry};

/// The type of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColumnType {
    /// Numbers of which no two need be alike.
    #[default]
    Continuous,
    /// Whole numbers from 0 on.
    Count,
    /// A few values in an order.
    Ordinal,
    /// Two values.
    Binary,
    /// A few values without an order.
    Categorical,
}

/// Most values of an ordinal column that is recognised.
const FEW: usize = 10;
/// A few values are each there so often, on average.
const OFTEN: usize = 10;
/// The greatest mean of counts that are recognised: larger ones are as good as continuous.
const SMALL: f64 = 50.0;
/// Most values of a column that is said to be ordinal or categorical.
pub const MOST_LEVELS: usize = 50;

impl ColumnType {
    const ALL: [Self; 5] = [Self::Continuous, Self::Count, Self::Ordinal, Self::Binary, Self::Categorical];

    /// What numbers look like: two values are `binary`, up to ten whole numbers `ordinal`, more of them, small and none below 0, `count`; all else is
    /// `continuous`.
    ///
    /// ```
    /// use oslow_core::ColumnType;
    ///
    /// let recognise = |f: fn(u32) -> f64| ColumnType::recognise((0..200).map(f));
    /// assert_eq!(recognise(|k| f64::from(k % 2)), ColumnType::Binary);
    /// assert_eq!(recognise(|k| f64::from(k % 5) - 2.0), ColumnType::Ordinal);
    /// assert_eq!(recognise(|k| f64::from(k % 30)), ColumnType::Count);
    /// assert_eq!(recognise(|k| f64::from(k % 30) / 2.0), ColumnType::Continuous);
    /// ```
    pub fn recognise(values: impl Iterator<Item = f64>) -> Self {
        let mut seen: Vec<f64> = Vec::new();
        let (mut whole, mut below_zero, mut sum, mut rows) = (true, false, 0.0, 0usize);
        for value in values {
            rows += 1;
            sum += value;
            whole &= value.fract() == 0.0;
            below_zero |= value < 0.0;
            if seen.len() <= FEW && !seen.contains(&value) {
                seen.push(value);
            }
            let countable = whole && !below_zero;
            if !countable && (seen.len() > FEW || !whole && seen.len() > 2) {
                return Self::Continuous;
            }
        }
        let often = rows >= OFTEN * seen.len();
        match seen.len() {
            2 if often => Self::Binary,
            3..=FEW if often && whole => Self::Ordinal,
            count if count > FEW && whole && !below_zero && sum / rows as f64 <= SMALL => Self::Count,
            _ => Self::Continuous,
        }
    }

    /// Whether each value has a probability of its own.
    pub fn is_discrete(self) -> bool {
        self != Self::Continuous
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Continuous => "continuous",
            Self::Count => "count",
            Self::Ordinal => "ordinal",
            Self::Binary => "binary",
            Self::Categorical => "categorical",
        }
    }

    /// Refuses values that it cannot describe, of the column of this name.
    pub fn check(self, name: &str, values: impl Iterator<Item = f64> + Clone) -> Result<()> {
        let refuse =
            |why: String| Err(Error::input(format!("column `{name}` is no {} column: {why}", self.name())));
        if self == Self::Count {
            return match values.clone().find(|value| value.fract() != 0.0 || *value < 0.0) {
                Some(other) => refuse(format!("{other} is no whole number from 0 on")),
                None => Ok(()),
            };
        }
        let most = match self {
            Self::Continuous | Self::Count => return Ok(()),
            Self::Binary => 2,
            Self::Ordinal | Self::Categorical => MOST_LEVELS,
        };
        let mut distinct = BTreeSet::new();
        for value in values {
            distinct.insert(value.to_bits());
            if distinct.len() > most {
                return refuse(format!("it holds more than {most} different values"));
            }
        }
        Ok(())
    }
}

impl std::str::FromStr for ColumnType {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            Error::input(format!("there is no type `{text}`"))
                .with_hint(registry::suggestion(text, Self::ALL.iter().map(|kind| kind.name())))
        })
    }
}

impl std::fmt::Display for ColumnType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_slips_are_met_with_the_nearest() {
        for kind in ColumnType::ALL {
            assert_eq!(kind.name().parse::<ColumnType>().unwrap(), kind);
        }
        let error = "categoric".parse::<ColumnType>().unwrap_err();
        assert!(error.hint().is_some_and(|hint| hint.to_string().contains("categorical")), "{error}");
    }

    #[test]
    fn few_rows_and_large_numbers_are_continuous() {
        let of = |values: &[f64]| ColumnType::recognise(values.iter().copied());
        assert_eq!(of(&[1.0, 2.0, 3.0, 1.0]), ColumnType::Continuous);
        let years: Vec<f64> = (0..300).map(|k| 1900.0 + f64::from(k % 40)).collect();
        assert_eq!(of(&years), ColumnType::Continuous);
        let halves: Vec<f64> = (0..300).map(|k| 0.5 * f64::from(k % 3)).collect();
        assert_eq!(of(&halves), ColumnType::Continuous);
        let negative: Vec<f64> = (0..300).map(|k| f64::from(k % 40) - 5.0).collect();
        assert_eq!(of(&negative), ColumnType::Continuous);
    }

    #[test]
    fn a_type_is_refused_where_values_contradict_it() {
        let values = [0.0, 1.0, 2.5];
        let message = |kind: ColumnType| kind.check("x", values.into_iter()).unwrap_err().to_string();
        assert_eq!(
            message(ColumnType::Count),
            "column `x` is no count column: 2.5 is no whole number from 0 on"
        );
        assert_eq!(
            message(ColumnType::Binary),
            "column `x` is no binary column: it holds more than 2 different values"
        );
        assert!(ColumnType::Ordinal.check("x", values.into_iter()).is_ok());
    }
}
