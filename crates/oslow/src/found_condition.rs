//! What conditions were found to act on, or are known to.

use oslow_core::{Action, Conditions, Target};
use serde::Serialize;

/// A condition under which rows were observed, with the columns that it acts on.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundCondition {
    /// Its name; empty where the table says that nothing was set.
    pub name: String,
    /// The rows that were observed under it.
    pub rows: usize,
    /// The columns that it acts on.
    pub targets: Vec<Target>,
}

impl FoundCondition {
    /// All conditions of a table.
    pub(crate) fn all(conditions: Option<&Conditions>, targets: &[Target]) -> Vec<Self> {
        let Some(conditions) = conditions else { return Vec::new() };
        let of = |(condition, name): (usize, &String)| Self {
            name: name.clone(),
            rows: conditions.rows_of(condition),
            targets: targets.iter().filter(|target| target.condition == condition).copied().collect(),
        };
        conditions.names().iter().enumerate().map(of).collect()
    }
}

/// The JSON of a condition.
#[derive(Serialize)]
pub(crate) struct ConditionRecord<'a> {
    name: &'a str,
    rows: usize,
    acts_on: Vec<TargetRecord<'a>>,
}

/// The JSON of a column that a condition acts on.
#[derive(Serialize)]
struct TargetRecord<'a> {
    column: &'a str,
    action: &'static str,
    /// Whether the user or the table said so.
    known: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    gain: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gain_se: Option<f64>,
}

impl<'a> ConditionRecord<'a> {
    pub(crate) fn new(found: &'a FoundCondition, columns: &'a [String]) -> Self {
        let target = |target: &Target| TargetRecord {
            column: &columns[target.column],
            action: if target.action == Action::Sets { "sets" } else { "changes" },
            known: target.action != Action::Unknown,
            gain: target.gain.map(|(gain, _)| gain),
            gain_se: target.gain.map(|(_, error)| error),
        };
        Self { name: &found.name, rows: found.rows, acts_on: found.targets.iter().map(target).collect() }
    }
}
