//! How a column was seen by a method: what it was replaced by, and whether its values were spread.

use serde::{Deserialize, Serialize};

use crate::ColumnType;

/// A monotone function of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transform {
    /// The column itself.
    #[default]
    None,
    /// Normal quantiles at its ranks.
    NormalScores,
    /// Natural logarithms.
    Log,
    /// Natural logarithms of the distance from an end, with a minus where that is the upper end.
    LogFromEnd,
}

/// How a method saw a column.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeenColumn {
    /// What kind of values it holds.
    pub kind: ColumnType,
    /// What it was replaced by.
    pub transform: Transform,
    /// The end that [`Transform::LogFromEnd`] counts from, in the units of the data.
    pub end: Option<f64>,
    /// The step of the grid on which its values lay before they were spread over its cells.
    pub grid: Option<f64>,
    /// Rows in which it has no value.
    pub missing: usize,
}
