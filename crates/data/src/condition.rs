//! The column that says under which condition each row was observed.

use oslow_core::{Conditions, Error, Result};

use crate::cell::Cell;

/// Which column that is, and how it says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionColumn {
    /// It names the condition.
    Names(String),
    /// It names the columns that were set, joined by `+`; empty where none was.
    Targets(String),
}

impl ConditionColumn {
    /// The column's name.
    pub fn column(&self) -> &str {
        match self {
            Self::Names(name) | Self::Targets(name) => name,
        }
    }
}

/// What the column says, row by row.
#[derive(Debug)]
pub(crate) struct Said {
    column: ConditionColumn,
    /// Its place among the columns that are read.
    pub place: usize,
    of_row: Vec<String>,
}

impl Said {
    /// The column, if it is among these.
    pub fn new(column: Option<&ConditionColumn>, names: &[String]) -> Option<Self> {
        let column = column?.clone();
        let place = names.iter().position(|name| name == column.column())?;
        Some(Self { column, place, of_row: Vec::new() })
    }

    /// Takes the cell of the next row.
    pub fn push(&mut self, cell: &Cell<'_>) -> Result<()> {
        self.of_row.push(match (cell, &self.column) {
            (Cell::Number(number, ""), _) => number.to_string(),
            (Cell::Number(_, text) | Cell::Text(text), _) => (*text).to_string(),
            (Cell::Missing(_), ConditionColumn::Targets(_)) => String::new(),
            // Elsewhere a missing value, here the name that many give to no treatment.
            (Cell::Missing(text), ConditionColumn::Names(_)) if text.eq_ignore_ascii_case("none") => {
                (*text).to_string()
            }
            (Cell::Missing(_), ConditionColumn::Names(_)) => {
                return Err(Error::input("nothing says under which condition this row was observed")
                    .with_hint("name the condition in every row, or leave the row out"));
            }
        });
        Ok(())
    }

    /// Forgets the last row.
    pub fn pop(&mut self) {
        self.of_row.pop();
    }

    /// Forgets the rows that are not kept.
    pub fn retain(&mut self, kept: &[bool]) {
        let mut kept = kept.iter();
        self.of_row.retain(|_| kept.next().copied().unwrap_or_default());
    }

    /// The conditions of a table of these columns.
    pub fn finish(self, names: &[String]) -> Result<Conditions> {
        let column = self.column.column();
        let ConditionColumn::Targets(_) = self.column else { return Conditions::new(column, &self.of_row) };
        let conditions = Conditions::of_targets(column, &self.of_row)?;
        if let Some(other) = conditions.targets().find(|target| !names.iter().any(|name| name == target)) {
            return Err(Error::input(format!(
                "column `{column}` says that `{other}` was set, but the table has no such column"
            ))
            .with_hint("name columns of the table, joined by `+`, e.g. a+b"));
        }
        Ok(conditions)
    }
}
