//! Conditions that rows must meet to be kept.

use std::fmt;
use std::str::FromStr;

use oslow_core::{Choice, Error, Remedy, Result};

use crate::cell::Cell;
use crate::date::days;

/// A condition such as `site=A` or `age>=18`. A missing value is equal to the empty text, differs from every other, and is neither less nor more.
///
/// ```
/// let filter: oslow_data::RowFilter = "age>=18".parse()?;
/// assert_eq!(filter.column(), "age");
/// # Ok::<(), oslow_data::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFilter {
    column: String,
    comparison: Comparison,
    value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Different,
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// How comparisons are written; those of two characters come first.
const SIGNS: [(&str, Comparison); 6] = [
    ("!=", Comparison::Different),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("=", Comparison::Equal),
    ("<", Comparison::Below),
    (">", Comparison::Above),
];

impl RowFilter {
    /// The condition that a column has this value.
    pub fn equal(column: impl Into<String>, value: impl Into<String>) -> Self {
        Self { column: column.into(), comparison: Comparison::Equal, value: value.into() }
    }

    /// The column that is looked at.
    pub fn column(&self) -> &str {
        &self.column
    }

    /// What it is compared with.
    pub(crate) fn value(&self) -> &str {
        &self.value
    }

    /// Whether the column is the same in all rows that are kept.
    pub(crate) fn is_equal(&self) -> bool {
        self.comparison == Comparison::Equal
    }

    /// Whether a cell meets it.
    pub(crate) fn holds(&self, cell: &Cell<'_>, decimal: char) -> Result<bool> {
        match self.comparison {
            Comparison::Equal => Ok(self.is_value(cell, decimal)),
            Comparison::Different => Ok(!self.is_value(cell, decimal)),
            comparison => self.compared(cell, comparison, decimal),
        }
    }

    fn is_value(&self, cell: &Cell<'_>, decimal: char) -> bool {
        match cell {
            Cell::Missing(_) => self.value.is_empty(),
            Cell::Text(text) => *text == self.value,
            Cell::Number(number, text) => *text == self.value || self.number(decimal) == Some(*number),
        }
    }

    fn compared(&self, cell: &Cell<'_>, comparison: Comparison, decimal: char) -> Result<bool> {
        let number = match cell {
            Cell::Missing(_) => return Ok(false),
            Cell::Number(number, _) => Some(*number),
            Cell::Text(text) => days(text),
        };
        let (Some(number), Some(value)) = (number, self.number(decimal)) else {
            let other = if number.is_none() { text_of(cell) } else { &self.value };
            return Err(Error::input(format!("`{self}`: `{other}` is not a number")).with_hint(
                Remedy::from("texts can be compared by = and !=, e.g. ").and(Choice::Where.set(format!(
                    "{}={}",
                    self.column,
                    text_of(cell)
                ))),
            ));
        };
        Ok(match comparison {
            Comparison::Below => number < value,
            Comparison::AtMost => number <= value,
            Comparison::Above => number > value,
            _ => number >= value,
        })
    }

    fn number(&self, decimal: char) -> Option<f64> {
        match Cell::parse(&self.value, decimal) {
            Cell::Number(number, _) => Some(number),
            _ => self.value.parse().ok().or_else(|| days(&self.value)),
        }
    }
}

/// How a cell was written.
pub(crate) fn text_of<'a>(cell: &Cell<'a>) -> &'a str {
    match cell {
        Cell::Number(_, text) | Cell::Missing(text) | Cell::Text(text) => text,
    }
}

impl FromStr for RowFilter {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = SIGNS
            .iter()
            .filter_map(|(sign, comparison)| Some((text.find(sign)?, *sign, *comparison)))
            .min_by_key(|(at, sign, _)| (*at, std::cmp::Reverse(sign.len())));
        let (at, sign, comparison) = found.filter(|(at, ..)| *at > 0).ok_or_else(|| {
            Error::input(format!("`{text}` does not say which rows to keep")).with_hint(
                Remedy::from("write a column, a comparison and a value, e.g. ")
                    .and(Choice::Where.set("site=A"))
                    .and(" or ")
                    .and(Choice::Where.set("age>=18")),
            )
        })?;
        let (column, value) = (text[..at].trim().to_string(), text[at + sign.len()..].trim().to_string());
        Ok(Self { column, comparison, value })
    }
}

impl fmt::Display for RowFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = SIGNS.iter().find(|(_, comparison)| *comparison == self.comparison);
        write!(f, "{}{}{}", self.column, sign.map_or("=", |(sign, _)| sign), self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_hold_of_numbers_words_dates_and_gaps() {
        let holds = |filter: &str, cell: &str| {
            filter.parse::<RowFilter>().unwrap().holds(&Cell::parse(cell, '.'), '.').unwrap()
        };
        assert!(holds("site=A", "A") && !holds("site=A", "a") && holds("site!=A", "B"));
        assert!(holds("x=1", "1.0") && holds("x = 1e3", "1000") && !holds("x!=1", "1"));
        assert!(holds("x<2", "1") && !holds("x<2", "2") && holds("x<=2", "2") && holds("x>=2", "2"));
        assert!(holds("x>-1", "0") && holds("when>=2024-03-01", "02.03.2024"));
        assert!(!holds("x<2", "NA") && !holds("x>2", "") && holds("x!=2", "NA"));
        assert!(holds("x=", "NA") && !holds("x=", "1") && holds("x!=", "1"));
        for wrong in ["site", "=A", ""] {
            assert!(wrong.parse::<RowFilter>().is_err(), "{wrong}");
        }
        let text = "x<2".parse::<RowFilter>().unwrap().holds(&Cell::parse("A", '.'), '.').unwrap_err();
        assert_eq!(text.to_string(), "`x<2`: `A` is not a number");
    }

    #[test]
    fn a_condition_goes_through_text() {
        for text in ["a=b", "a!=b", "a<3", "a<=3", "a>3", "a>=3", "a=b=c", "a b=x<y"] {
            assert_eq!(text.parse::<RowFilter>().unwrap().to_string(), text);
        }
        assert_eq!(RowFilter::equal("a", "b"), "a = b".parse().unwrap());
    }
}
