//! Under which condition each row was observed, and what conditions act on.

use std::collections::BTreeMap;

use crate::{Choice, Error, Knowledge, Remedy, Result, suggestion};

/// Most conditions of a table: a column with more different values is taken for something else.
const MOST: usize = 64;

/// What a condition does to a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing: the column follows from its causes as it does elsewhere.
    Nothing,
    /// It sets the column, whatever the causes are: a perfect intervention.
    Sets,
    /// The column still has its causes, and follows from them in another way: an imperfect intervention.
    Changes,
    /// Nobody knows: the data decide.
    Unknown,
}

/// A condition that acts on a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The condition, by its place among all.
    pub condition: usize,
    /// The column.
    pub column: usize,
    /// What it does; `Unknown`: nobody had said that it does anything, and it was found.
    pub action: Action,
    /// Of one that was found: what a mechanism of its own gains, in nats per row of the condition, and the standard error of that.
    pub gain: Option<(f64, f64)>,
}

/// The condition of each row.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// The column that names them.
    column: String,
    names: Vec<String>,
    of_row: Vec<usize>,
    /// The columns that each condition sets, where the table says so.
    sets: Option<Vec<Vec<String>>>,
}

impl Conditions {
    /// Conditions by what a column says of each row. Refuses a single one, and too many.
    ///
    /// ```
    /// use oslow_core::Conditions;
    ///
    /// let conditions = Conditions::new("drug", &["b", "a", "b"].map(String::from))?;
    /// assert_eq!((conditions.names(), conditions.of_row()), (&["a", "b"].map(String::from)[..], &[1, 0, 1][..]));
    /// # Ok::<(), oslow_core::Error>(())
    /// ```
    pub fn new(column: &str, said: &[String]) -> Result<Self> {
        let mut names = said.to_vec();
        names.sort_by(|a, b| as_number(a).total_cmp(&as_number(b)).then_with(|| a.cmp(b)));
        names.dedup();
        let refuse = |why: String| {
            let error = Error::input(format!("column `{column}` names {why}"));
            Err(error.with_hint(
                Remedy::from("name the column that says under which condition a row was observed with ")
                    .and(Choice::Condition),
            ))
        };
        match names.len() {
            0 | 1 => return refuse("one condition only".into()),
            many if many > MOST => {
                return refuse(format!("{many} conditions, and at most {MOST} are told apart"));
            }
            _ => {}
        }
        let place: BTreeMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
        let of_row = said.iter().map(|name| place[name.as_str()]).collect();
        Ok(Self { column: column.into(), names, of_row, sets: None })
    }

    /// Conditions by the columns that were set in each row, their names joined by `+`; none where nothing was.
    pub fn of_targets(column: &str, said: &[String]) -> Result<Self> {
        let conditions = Self::new(column, said)?;
        let split = |name: &String| {
            let columns = name.split('+').map(str::trim).filter(|target| !target.is_empty());
            columns.map(String::from).collect()
        };
        let sets = conditions.names.iter().map(split).collect();
        Ok(Self { sets: Some(sets), ..conditions })
    }

    /// The column that names them.
    pub fn column(&self) -> &str {
        &self.column
    }

    /// Their names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The condition of each row.
    pub fn of_row(&self) -> &[usize] {
        &self.of_row
    }

    /// Whether they are told by the columns that were set.
    pub fn are_targets(&self) -> bool {
        self.sets.is_some()
    }

    /// How many rows were observed under a condition.
    pub fn rows_of(&self, condition: usize) -> usize {
        self.of_row.iter().filter(|&&of_row| of_row == condition).count()
    }

    /// The columns that some condition sets by what the table says.
    pub fn targets(&self) -> impl Iterator<Item = &str> {
        self.sets.iter().flatten().flatten().map(String::as_str)
    }

    /// The same conditions of only these rows.
    #[must_use]
    pub(crate) fn select_rows(&self, rows: &[usize]) -> Self {
        Self { of_row: rows.iter().map(|&row| self.of_row[row]).collect(), ..self.clone() }
    }

    /// What each condition does to each of these columns, by what the table or the user says; where nobody says anything the data decide. Something must be the state that
    /// conditions change: where no condition is known to leave all columns alone, that is the largest of which nothing is known.
    pub fn actions(&self, columns: &[String], knowledge: &Knowledge) -> Result<Vec<Vec<Action>>> {
        let known = knowledge.actions();
        if let Some(other) = known.keys().find(|name| !self.names.contains(name)) {
            return Err(Error::input(format!(
                "knowledge: no row was observed under the condition `{other}`"
            ))
            .with_hint(suggestion(other, self.names.iter().map(String::as_str))));
        }
        match &self.sets {
            None => {
                let of =
                    |name| known.get(name).cloned().unwrap_or_else(|| vec![Action::Unknown; columns.len()]);
                let mut actions: Vec<Vec<Action>> = self.names.iter().map(of).collect();
                let all_are = |actions: &[Action], what| actions.iter().all(|action| *action == what);
                if !actions.iter().any(|of| all_are(of, Action::Nothing)) {
                    let unknown = (0..actions.len()).filter(|&k| all_are(&actions[k], Action::Unknown));
                    // Of equally large ones the first.
                    if let Some(reference) = unknown.rev().max_by_key(|&k| self.rows_of(k)) {
                        actions[reference].fill(Action::Nothing);
                    }
                }
                Ok(actions)
            }
            Some(_) if !known.is_empty() => Err(Error::input(
                "what the conditions act on is said twice: by a column of the table and by the knowledge",
            )
            .with_hint("drop one of the two")),
            Some(sets) => {
                let of = |sets: &Vec<String>| {
                    let action = |column| if sets.contains(column) { Action::Sets } else { Action::Nothing };
                    columns.iter().map(action).collect()
                };
                Ok(sets.iter().map(of).collect())
            }
        }
    }
}

/// Conditions that are numbered come in the order of their numbers, before all others.
fn as_number(name: &str) -> f64 {
    name.parse().unwrap_or(f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn numbers_are_in_order_and_what_is_no_condition_is_refused() {
        let conditions = Conditions::new("k", &words(&["10", "9", "control", "9"])).unwrap();
        assert_eq!(conditions.names(), words(&["9", "10", "control"]));
        assert_eq!(conditions.select_rows(&[2, 0]).of_row(), [2, 1]);
        let refused = |said: &[String]| Conditions::new("k", said).unwrap_err().to_string();
        assert_eq!(refused(&words(&["a", "a"])), "column `k` names one condition only");
        let many: Vec<String> = (0..100).map(|k| k.to_string()).collect();
        assert_eq!(refused(&many), "column `k` names 100 conditions, and at most 64 are told apart");
    }

    #[test]
    fn what_conditions_do_is_said_by_the_table_or_by_the_user() {
        use Action::{Nothing, Sets, Unknown};
        let columns = words(&["a", "b"]);
        let none = Knowledge::none(2);
        let known = Knowledge::from_toml("[conditions]\nx = ['b']\nwt = []", &columns).unwrap();
        let named = Conditions::new("k", &words(&["wt", "x", "y"])).unwrap();
        assert_eq!(
            named.actions(&columns, &none).unwrap(),
            [[Nothing, Nothing], [Unknown, Unknown], [Unknown, Unknown]]
        );
        let largest = Conditions::new("k", &words(&["wt", "x", "x"])).unwrap();
        assert_eq!(largest.actions(&columns, &none).unwrap(), [[Unknown; 2], [Nothing; 2]]);
        assert_eq!(
            named.actions(&columns, &known).unwrap(),
            [[Nothing, Nothing], [Nothing, Sets], [Unknown, Unknown]]
        );
        let other = Conditions::new("k", &words(&["wt", "z"])).unwrap();
        let error = other.actions(&columns, &known).unwrap_err().to_string();
        assert_eq!(error, "knowledge: no row was observed under the condition `x`");
        let told = Conditions::of_targets("k", &words(&["", "a + b", "b"])).unwrap();
        assert_eq!(
            told.actions(&columns, &none).unwrap(),
            [[Nothing, Nothing], [Sets, Sets], [Nothing, Sets]]
        );
        let twice = Knowledge::from_toml("[conditions]\nb = ['b']", &columns).unwrap();
        assert!(
            told.actions(&columns, &twice)
                .unwrap_err()
                .to_string()
                .starts_with("what the conditions act on is said twice")
        );
    }
}
