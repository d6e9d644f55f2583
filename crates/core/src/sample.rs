//! An observational table.

use crate::values::{SharedValues, Values};
use crate::{Choice, ColumnType, Conditions, Error, Remedy, Result};

/// Fewest rows a sample may have: with fewer no variance can be estimated.
const MIN_ROWS: usize = 2;

/// `n` rows of `d` named, finite numbers, stored row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    names: Vec<String>,
    values: Values,
    /// See [`Self::groups`].
    groups: Option<Vec<usize>>,
    types: Vec<ColumnType>,
    /// What the values 0, 1, 2… of a column stand for; empty where they are numbers.
    labels: Vec<Vec<String>>,
    /// Cells without an observed value, row by row; empty if there are none.
    gaps: Vec<bool>,
    conditions: Option<Conditions>,
}

impl Sample {
    /// A table from row-major values. Refuses fewer than two columns or rows, repeated or empty names and
    /// values that are not finite.
    pub fn new(names: Vec<String>, values: Vec<f64>) -> Result<Self> {
        Self::checked(names, Values::Own(values))
    }

    /// The same of values that belong to somebody else, without a copy.
    pub fn shared(names: Vec<String>, values: SharedValues) -> Result<Self> {
        Self::checked(names, Values::Shared(values))
    }

    fn checked(names: Vec<String>, values: Values) -> Result<Self> {
        let d = names.len();
        if d < 2 {
            return Err(Error::input(format!("{d} column: an order needs at least 2"))
                .with_hint("pass a table with two or more numeric columns"));
        }
        for (j, name) in names.iter().enumerate() {
            if name.is_empty() {
                return Err(Error::input(format!("column {} has no name", j + 1)));
            }
            if names[..j].contains(name) {
                return Err(Error::input(format!("two columns are named `{name}`"))
                    .with_hint(Remedy::from("rename one, or choose columns with ").and(Choice::Columns)));
            }
        }
        if !values.len().is_multiple_of(d) {
            return Err(Error::input(format!("{} values do not fill {d} columns", values.len())));
        }
        let n = values.len() / d;
        if n < MIN_ROWS {
            let rows = if n == 1 { "row" } else { "rows" };
            return Err(Error::input(format!("{n} {rows}: at least {MIN_ROWS} are needed")));
        }
        if let Some(k) = values.iter().position(|value| !value.is_finite()) {
            return Err(Error::input(format!(
                "column `{}`, row {}: {} is not a finite number",
                names[k % d],
                k / d + 1,
                values[k]
            ))
            .with_hint(Remedy::drop_rows()));
        }
        let column = |j: usize| values[j..].iter().step_by(d).copied();
        let types = (0..d).map(|j| ColumnType::recognise(column(j))).collect();
        let (labels, gaps) = (vec![Vec::new(); d], Vec::new());
        Ok(Self { labels, gaps, types, names, values, groups: None, conditions: None })
    }

    /// The same table with a column of another type than its numbers look like.
    pub fn with_type(mut self, j: usize, kind: ColumnType) -> Result<Self> {
        kind.check(&self.names[j], self.column(j))?;
        self.types[j] = kind;
        Ok(self)
    }

    /// The same table, the values 0, 1, 2… of a column standing for words: levels in an order, or categories.
    pub fn with_labels(mut self, j: usize, labels: Vec<String>, ordered: bool) -> Self {
        self.types[j] = match labels.len() {
            2 => ColumnType::Binary,
            _ if ordered => ColumnType::Ordinal,
            _ => ColumnType::Categorical,
        };
        self.labels[j] = labels;
        self
    }

    /// The same table, some of its cells, given row by row, holding no value that was observed; none if there are none.
    pub fn with_gaps(mut self, gaps: Vec<bool>) -> Self {
        self.gaps = gaps;
        self
    }

    /// The same table, its rows observed under some conditions, where there are any.
    pub fn with_conditions(mut self, conditions: Option<Conditions>) -> Self {
        self.conditions = conditions;
        self
    }

    /// The conditions under which the rows were observed, where there are any.
    pub fn conditions(&self) -> Option<&Conditions> {
        self.conditions.as_ref()
    }

    /// Whether a cell holds no value that was observed: what it holds stands in for it.
    pub fn is_gap(&self, row: usize, column: usize) -> bool {
        self.gaps.get(row * self.columns() + column).copied().unwrap_or_default()
    }

    /// Whether any cell has no observed value.
    pub fn has_gaps(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// The type of a column.
    pub fn type_of(&self, j: usize) -> ColumnType {
        self.types[j]
    }

    /// What the values 0, 1, 2… of a column stand for; empty where they are numbers.
    pub fn labels(&self, j: usize) -> &[String] {
        &self.labels[j]
    }

    /// Refuses what no order learner can use: constant columns and pairs of equal columns.
    pub fn check_informative(&self) -> Result<()> {
        for j in 0..self.columns() {
            let first = self.value(0, j);
            if self.column(j).all(|value| value == first) {
                return Err(Error::input(format!(
                    "column `{}` is constant, so it can neither be standardised nor ordered",
                    self.names[j]
                ))
                .with_hint(Remedy::from("drop it, or choose the others with ").and(Choice::Columns)));
            }
            if let Some(i) = (0..j).find(|&i| self.column(i).eq(self.column(j))) {
                return Err(Error::input(format!(
                    "columns `{}` and `{}` hold the same values",
                    self.names[i], self.names[j]
                ))
                .with_hint("drop one of them"));
            }
        }
        Ok(())
    }

    /// The number of rows, n.
    pub fn rows(&self) -> usize {
        self.values.len() / self.names.len()
    }

    /// The number of columns, d.
    pub fn columns(&self) -> usize {
        self.names.len()
    }

    /// The columns' names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// All values, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// One row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.columns()..(i + 1) * self.columns()]
    }

    /// One value.
    pub fn value(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.columns() + column]
    }

    /// One column, from the first row to the last.
    pub fn column(&self, j: usize) -> impl ExactSizeIterator<Item = f64> + Clone + '_ {
        self.values[j..].iter().step_by(self.columns()).copied()
    }

    /// Which rows are copies of one another, where rows were drawn with replacement: row i is a copy of row
    /// `groups()[i]` of the table that was drawn from. `None`: no row is a copy.
    ///
    /// Whoever holds rows out must hold out all copies of a row or none: a model that was trained on a copy of
    /// a held-out row has seen it.
    pub fn groups(&self) -> Option<&[usize]> {
        self.groups.as_deref()
    }

    /// As many rows as there are, drawn with replacement, copies side by side.
    ///
    /// ```
    /// use oslow_core::{Sample, Seed};
    ///
    /// let names = vec!["a".to_string(), "b".to_string()];
    /// let sample = Sample::new(names, vec![0., 9., 1., 8., 2., 7., 3., 6.])?;
    /// let drawn = sample.resample(&mut Seed(0).stream("doc"))?;
    /// assert_eq!(drawn.rows(), 4);
    /// let groups = drawn.groups().unwrap();
    /// assert!((0..4).all(|i| drawn.row(i) == sample.row(groups[i])));
    /// # Ok::<(), oslow_core::Error>(())
    /// ```
    pub fn resample(&self, rng: &mut crate::Rng) -> Result<Self> {
        use rand::RngExt;
        let n = self.rows();
        let mut rows: Vec<usize> = (0..n).map(|_| rng.random_range(0..n)).collect();
        rows.sort_unstable();
        let drawn = self.select_rows(&rows)?;
        // A copy of a copy is a copy of the first.
        let groups = drawn.groups.unwrap_or(rows);
        Ok(Self { groups: Some(groups), ..drawn })
    }

    /// The table with only these rows.
    pub fn select_rows(&self, rows: &[usize]) -> Result<Self> {
        let values = rows.iter().flat_map(|&i| self.row(i).iter().copied()).collect();
        let groups = self.groups.as_ref().map(|groups| rows.iter().map(|&i| groups[i]).collect());
        let (types, labels) = (self.types.clone(), self.labels.clone());
        let d = if self.has_gaps() { self.columns() } else { 0 };
        let gaps = rows.iter().flat_map(|&i| (0..d).map(move |j| self.is_gap(i, j))).collect();
        let conditions = self.conditions.as_ref().map(|all| all.select_rows(rows));
        Ok(Self { groups, types, labels, gaps, conditions, ..Self::new(self.names.clone(), values)? })
    }

    /// The table with only these columns, in this order.
    pub fn select_columns(&self, columns: &[usize]) -> Result<Self> {
        let names = columns.iter().map(|&j| self.names[j].clone()).collect();
        let values = (0..self.rows()).flat_map(|i| columns.iter().map(move |&j| self.value(i, j))).collect();
        let types = columns.iter().map(|&j| self.types[j]).collect();
        let labels = columns.iter().map(|&j| self.labels[j].clone()).collect();
        let rows = if self.has_gaps() { self.rows() } else { 0 };
        let gaps = (0..rows).flat_map(|i| columns.iter().map(move |&j| self.is_gap(i, j))).collect();
        let (groups, conditions) = (self.groups.clone(), self.conditions.clone());
        Ok(Self { groups, types, labels, gaps, conditions, ..Self::new(names, values)? })
    }

    /// The index of a column by name.
    pub fn index_of(&self, name: &str) -> Result<usize> {
        crate::knowledge::index_of(name, &self.names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(names: &[&str], values: &[f64]) -> Result<Sample> {
        Sample::new(names.iter().map(ToString::to_string).collect(), values.to_vec())
    }

    #[test]
    fn bad_tables_are_refused_by_name() {
        let message = |names: &[&str], values: &[f64]| table(names, values).unwrap_err().to_string();
        assert_eq!(message(&["a"], &[1.0, 2.0]), "1 column: an order needs at least 2");
        assert_eq!(message(&["a", "a"], &[1.0; 4]), "two columns are named `a`");
        assert_eq!(message(&["a", "b"], &[1.0; 2]), "1 row: at least 2 are needed");
        assert_eq!(
            message(&["a", "b"], &[1.0, 2.0, 3.0, f64::NAN]),
            "column `b`, row 2: NaN is not a finite number"
        );
        let constant = table(&["a", "b"], &[1.0, 2.0, 3.0, 2.0]).unwrap();
        assert!(constant.check_informative().unwrap_err().to_string().starts_with("column `b` is constant"));
        let twins = table(&["a", "b"], &[1.0, 1.0, 3.0, 3.0]).unwrap();
        assert_eq!(
            twins.check_informative().unwrap_err().to_string(),
            "columns `a` and `b` hold the same values"
        );
    }

    #[test]
    fn rows_and_columns_can_be_chosen() {
        let t = table(&["a", "b", "c"], &[1., 2., 3., 4., 5., 6., 7., 8., 9.]).unwrap();
        assert_eq!(t.select_rows(&[2, 0]).unwrap().values(), [7., 8., 9., 1., 2., 3.]);
        let chosen = t.select_columns(&[2, 0]).unwrap();
        assert_eq!(chosen.values(), [3., 1., 6., 4., 9., 7.]);
        assert_eq!(chosen.column(0).collect::<Vec<_>>(), [3., 6., 9.]);
    }

    #[test]
    fn copies_stay_known_whatever_is_done_to_the_table() {
        use crate::{Outliers, Seed};
        let values: Vec<f64> = (0..60).flat_map(|i| [f64::from(i), f64::from(i * i)]).collect();
        let whole = table(&["a", "b"], &values).unwrap();
        assert_eq!(whole.groups(), None);
        let drawn = whole.resample(&mut Seed(1).stream("test")).unwrap();
        let origin_is_right = |sample: &Sample| {
            sample.column(0).zip(sample.groups().unwrap()).all(|(a, &group)| a == group as f64)
        };
        assert!(
            origin_is_right(&drawn) && origin_is_right(&drawn.resample(&mut Seed(2).stream("test")).unwrap())
        );
        let kept = drawn.select_rows(&Outliers::Mad(1.5).kept_rows(&drawn)).unwrap();
        assert!(kept.rows() < drawn.rows() && origin_is_right(&kept));
        assert_eq!(kept.select_columns(&[1, 0]).unwrap().groups(), kept.groups());
    }

    #[test]
    fn about_a_third_of_the_rows_is_not_drawn() {
        let values: Vec<f64> = (0..2000).map(f64::from).collect();
        let whole = table(&["a", "b"], &values).unwrap();
        let drawn = whole.resample(&mut crate::Seed(3).stream("test")).unwrap();
        let mut groups = drawn.groups().unwrap().to_vec();
        groups.dedup();
        // 1 − 1/e of 1000, with a standard deviation of 10.
        assert!((groups.len() as f64 - 632.0).abs() < 40.0, "{}", groups.len());
    }
}
