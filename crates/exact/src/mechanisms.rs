//! Which rows the mechanisms of a column made.
//!
//! # Model
//! Where rows were observed under several conditions, a condition leaves a column alone, sets it, or changes how it follows from its causes. Rows in which a column was set say nothing of its
//! causes: they are left out, for every set of causes alike. A condition that changes a column has a fit of its own.
//! # Algorithm
//! Where nobody knows what a condition does to a column, it changes it if a fit of its own is worth the price of a cause. That is asked for every set of causes, one condition
//! at a time, the one that gains most first, so the score stays a sum over columns and the search stays exact.
//! # Reference
//! Eaton, Murphy: Exact Bayesian structure learning from uncertain interventions. AISTATS 2007.

use std::sync::Arc;

use oslow_core::{Action, Error, Knowledge, Prepared, Result, Target};

use crate::completion::observed;
use crate::folds::Fold;

/// Fewest rows of a column that nothing sets, and fewest of a condition with a fit of its own.
const FEWEST_ROWS: usize = 30;

/// The condition of each row, and what conditions do to each column.
pub(crate) struct Regimes {
    pub of_row: Vec<usize>,
    /// By condition and column.
    actions: Vec<Vec<Action>>,
}

impl Regimes {
    /// Those of a table; none where all rows were observed under one condition. Refuses a column that is nearly always set.
    pub fn of(sample: &Prepared, knowledge: &Knowledge) -> Result<Option<Arc<Self>>> {
        let Some(conditions) = sample.conditions() else { return Ok(None) };
        let actions = conditions.actions(sample.names(), knowledge)?;
        let regimes = Self { of_row: conditions.of_row().to_vec(), actions };
        for (j, name) in sample.names().iter().enumerate() {
            let left =
                observed(sample.rows(), sample.gaps(j)).iter().filter(|&&row| !regimes.sets(j, row)).count();
            if left < FEWEST_ROWS {
                return Err(Error::input(format!(
                    "column `{name}` is left alone in {left} rows only: at least {FEWEST_ROWS} are needed"
                ))
                .with_hint("add rows of conditions that do not set it, or leave the column out"));
            }
        }
        Ok(Some(Arc::new(regimes)))
    }

    fn sets(&self, node: usize, row: usize) -> bool {
        self.actions[self.of_row[row]][node] == Action::Sets
    }

    /// What is known to act on columns.
    pub fn known(&self) -> impl Iterator<Item = Target> {
        let of = |(condition, actions): (usize, &Vec<Action>)| {
            let target = move |(column, &action): (usize, &Action)| {
                let acts = matches!(action, Action::Sets | Action::Changes);
                acts.then_some(Target { condition, column, action, gain: None })
            };
            actions.iter().enumerate().filter_map(target).collect::<Vec<_>>()
        };
        self.actions.iter().enumerate().flat_map(of)
    }

    /// The rows that the common mechanism of a node made, some conditions having been found to change it.
    pub fn common_rows(&self, node: usize, changed_by: u64) -> Vec<usize> {
        let common = |&row: &usize| {
            let condition = self.of_row[row];
            let known = self.actions[condition][node];
            matches!(known, Action::Nothing | Action::Unknown) && changed_by >> condition & 1 == 0
        };
        (0..self.of_row.len()).filter(common).collect()
    }
}

/// Rows of a node, and how they are split into those that are fitted and those that are scored.
#[derive(Clone)]
pub(crate) struct Part {
    pub rows: Vec<usize>,
    pub folds: Vec<Fold>,
}

impl Part {
    /// The rows but for some; these ascend.
    pub fn without(&self, rows: &[usize]) -> Self {
        Self {
            rows: self.rows.iter().copied().filter(|row| rows.binary_search(row).is_err()).collect(),
            folds: self.folds.iter().map(|fold| fold.without(rows)).collect(),
        }
    }

    fn only(&self, kept: impl Fn(usize) -> bool) -> Self {
        let others: Vec<usize> = self.rows.iter().copied().filter(|&row| !kept(row)).collect();
        self.without(&others)
    }
}

/// The parts that the rows of a node fall into.
pub(crate) struct Mechanisms {
    /// The rows in which nothing is known to act on it.
    pub common: Arc<Part>,
    /// The rows of each condition that is known to change it.
    pub changed: Vec<Part>,
    /// The conditions that may change it, with their rows.
    pub open: Vec<(usize, Part)>,
}

impl Mechanisms {
    /// Those of a node, given all folds of the rows in which it was observed.
    pub fn of(node: usize, all: Arc<Part>, regimes: Option<&Regimes>) -> Self {
        let Some(regimes) = regimes else {
            return Self { common: all, changed: Vec::new(), open: Vec::new() };
        };
        let is = |row: usize, action: Action| regimes.actions[regimes.of_row[row]][node] == action;
        let parts_of = |action: Action| {
            let all = all.clone();
            (0..regimes.actions.len())
                .filter(move |&condition| regimes.actions[condition][node] == action)
                .map(move |condition| (condition, all.only(|row| regimes.of_row[row] == condition)))
                .filter(|(_, part)| part.rows.len() >= FEWEST_ROWS)
        };
        Self {
            changed: parts_of(Action::Changes).map(|(_, part)| part).collect(),
            open: parts_of(Action::Unknown).collect(),
            common: Arc::new(all.only(|row| is(row, Action::Nothing) || is(row, Action::Unknown))),
        }
    }

    /// All rows that tell about the node's causes.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        let changed = self.changed.iter().flat_map(|part| part.rows.iter());
        self.common.rows.iter().chain(changed).copied()
    }
}
