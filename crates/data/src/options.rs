//! What the user says about a table.

use oslow_core::{Choice, Error, Remedy, Result};

use crate::{ConditionColumn, GivenType, RowFilter};

/// How to read a table. The default recognises delimiter and header and takes every column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// The byte between fields of a text table; `None`: recognised among `,` `;` and tab.
    pub delimiter: Option<u8>,
    /// Whether the first line holds the names; `None`: it does if one of its fields is not a number.
    pub header: Option<bool>,
    /// The decimal sign of a text table, `.` or `,`; `None`: recognised.
    pub decimal: Option<char>,
    /// A column to leave out, such as a row name.
    pub index: Option<String>,
    /// The columns to take, in this order; `None`: all.
    pub columns: Option<Vec<String>>,
    /// What to do with rows that have a missing or infinite value.
    pub missing: Missing,
    /// What columns hold, by name; those that are not named are recognised.
    pub types: Vec<(String, GivenType)>,
    /// The column that says under which condition each row was observed.
    pub condition: Option<ConditionColumn>,
    /// The sheet of a workbook; `None`: the first.
    pub sheet: Option<String>,
    /// Lines of a text table or sheet that are passed over before anything else.
    pub skip: usize,
    /// What lines begin with that are comments; `None`: `#`, if lines above the header begin with it.
    pub comment: Option<char>,
    /// The conditions that a row must meet to be kept.
    pub filters: Vec<RowFilter>,
    /// Numbers and words that stand for a missing value in this table.
    pub missing_values: Vec<String>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            delimiter: None,
            header: None,
            decimal: None,
            index: None,
            columns: None,
            missing: Missing::Refuse,
            types: Vec::new(),
            condition: None,
            sheet: None,
            skip: 0,
            comment: None,
            filters: Vec::new(),
            missing_values: Vec::new(),
        }
    }
}

impl ReadOptions {
    /// Refuses options that contradict themselves.
    pub(crate) fn check(&self) -> Result<()> {
        if let Some(other) = self.decimal.filter(|sign| !matches!(sign, '.' | ',')) {
            return Err(Error::input(format!("the decimal sign `{other}` is neither `.` nor `,`"))
                .with_hint(
                    Remedy::from("pass ")
                        .and(Choice::Decimal.set("."))
                        .and(" or ")
                        .and(Choice::Decimal.set(",")),
                ));
        }
        if let Some(other) = self.comment.filter(|sign| !sign.is_ascii_punctuation() || *sign == '"') {
            return Err(Error::input(format!("lines of comments cannot begin with {other:?}"))
                .with_hint(Remedy::from("name one sign, e.g. ").and(Choice::Comment.set("%"))));
        }
        match self.delimiter {
            Some(b) if Some(char::from(b)) == self.decimal => Err(Error::input(format!(
                "`{}` cannot be both the delimiter and the decimal sign",
                char::from(b)
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

impl ReadOptions {
    /// What the user says of a column.
    pub(crate) fn type_of(&self, name: &str) -> Option<&GivenType> {
        self.types.iter().find(|(named, _)| named == name).map(|(_, given)| given)
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
    /// Keep them: what is missing is drawn from what the other cells of a row say.
    Impute,
    /// Leave them out where they are few, keep them where they are many.
    Auto,
}

const MISSING: [Missing; 4] = [Missing::Auto, Missing::Refuse, Missing::DropRows, Missing::Impute];

impl std::str::FromStr for Missing {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        MISSING.into_iter().find(|missing| missing.to_string() == text).ok_or_else(|| {
            Error::input(format!("missing: `{text}` is none of auto, refuse, drop-rows and impute"))
                .with_hint(Remedy::from("for example ").and(Choice::Missing.set("auto")))
        })
    }
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Refuse => "refuse",
            Self::DropRows => "drop-rows",
            Self::Impute => "impute",
            Self::Auto => "auto",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_goes_through_text() {
        for missing in MISSING {
            assert_eq!(missing.to_string().parse::<Missing>().unwrap(), missing);
        }
        assert!("guess".parse::<Missing>().is_err());
    }
}
