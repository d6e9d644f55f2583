//! What the user says about a table.

use oslow_core::{Choice, Error, Remedy, Result};

/// How to read a table. The default recognises delimiter and header and takes every column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The byte between fields of a text table; `None`: recognised among `,` `;` and tab.
    pub delimiter: Option<u8>,
    /// Whether the first line holds the names; `None`: it does if one of its fields is not a number.
    pub header: Option<bool>,
    /// The decimal sign of a text table, `.` or `,`.
    pub decimal: char,
    /// A column to leave out, such as a row name.
    pub index: Option<String>,
    /// The columns to take, in this order; `None`: all.
    pub columns: Option<Vec<String>>,
    /// What to do with rows that have a missing or infinite value.
    pub missing: Missing,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            delimiter: None,
            header: None,
            decimal: '.',
            index: None,
            columns: None,
            missing: Missing::Refuse,
        }
    }
}

impl ReadOptions {
    /// Refuses options that contradict themselves.
    pub(crate) fn check(&self) -> Result<()> {
        if !matches!(self.decimal, '.' | ',') {
            return Err(Error::input(format!("the decimal sign `{}` is neither `.` nor `,`", self.decimal))
                .with_hint(
                    Remedy::from("pass ")
                        .and(Choice::Decimal.set("."))
                        .and(" or ")
                        .and(Choice::Decimal.set(",")),
                ));
        }
        match self.delimiter {
            Some(b) if char::from(b) == self.decimal => Err(Error::input(format!(
                "`{}` cannot be both the delimiter and the decimal sign",
                self.decimal
            ))
            .with_hint(
                Remedy::from("pass another ")
                    .and(Choice::Delimiter)
                    .and(" (such as `;`) or another ")
                    .and(Choice::Decimal),
            )),
            Some(b @ (b'"' | b'\n' | b'\r')) => {
                Err(Error::input(format!("{:?} cannot be the delimiter", char::from(b)))
                    .with_hint("common delimiters are `,` `;` and tab"))
            }
            _ => Ok(()),
        }
    }
}

/// What to do with rows that have a missing or infinite value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// Refuse the table and name the place.
    #[default]
    Refuse,
    /// Leave such rows out and count them.
    DropRows,
}

impl std::str::FromStr for Missing {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "refuse" => Ok(Self::Refuse),
            "drop-rows" => Ok(Self::DropRows),
            _ => Err(Error::input(format!("missing: `{text}` is neither `refuse` nor `drop-rows`"))
                .with_hint(Remedy::from("for example ").and(Choice::Missing.set("drop-rows")))),
        }
    }
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Refuse => "refuse",
            Self::DropRows => "drop-rows",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_goes_through_text() {
        for missing in [Missing::Refuse, Missing::DropRows] {
            assert_eq!(missing.to_string().parse::<Missing>().unwrap(), missing);
        }
        assert!("impute".parse::<Missing>().is_err());
    }
}
