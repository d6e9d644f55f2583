//! What a method can take.

use crate::{Choice, ColumnType, Error, Remedy, Result, Sample};

/// What a method or a pruner can take besides numbers that are all there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Columns with categories in no order.
    pub categories: bool,
    /// Cells without a value.
    pub gaps: bool,
    /// Rows observed under several conditions.
    pub conditions: bool,
}

impl Capabilities {
    /// Numbers that are all there, and nothing else.
    pub const NUMBERS: Self = Self { categories: false, gaps: false, conditions: false };
    /// Whatever a table holds.
    pub const EVERYTHING: Self = Self { categories: true, gaps: true, conditions: true };

    /// Refuses a table that `what` cannot take; `others` can.
    pub fn check(self, sample: &Sample, what: &str, others: &[&str]) -> Result<()> {
        let instead = |first: &str| match others {
            [] => Remedy::from(first),
            _ => Remedy::from(format!("choose one that can ({}), or {first}", others.join(", "))),
        };
        let categorical = |&j: &usize| sample.type_of(j) == ColumnType::Categorical;
        if let Some(j) = (0..sample.columns()).find(categorical).filter(|_| !self.categories) {
            let name = &sample.names()[j];
            return Err(Error::input(format!(
                "{what} takes numbers only, and column `{name}` holds categories"
            ))
            .with_hint(instead("leave the column out with ").and(Choice::Index.set(name))));
        }
        if sample.conditions().is_some() && !self.conditions {
            return Err(Error::input(format!("{what} takes rows of one condition only")).with_hint(
                instead("drop ").and(Choice::Condition).and(" and choose the rows of one condition"),
            ));
        }
        let has_gap = |&j: &usize| (0..sample.rows()).any(|row| sample.is_gap(row, j));
        let gaps = !self.gaps && sample.has_gaps();
        if let Some(j) = (0..sample.columns()).find(|j| gaps && has_gap(j)) {
            let name = &sample.names()[j];
            return Err(Error::input(format!(
                "{what} takes no missing values, and column `{name}` has some"
            ))
            .with_hint(instead("drop such rows with ").and(Choice::Missing.set("drop-rows"))));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_method_cannot_take_is_refused_with_those_that_can() {
        let names = ["sex", "x"].map(String::from).to_vec();
        let table = Sample::new(names, vec![0.0, 1.5, 1.0, 2.0, 2.0, 3.0]).unwrap();
        let words = ["d", "f", "m"].map(String::from).to_vec();
        let categories = table.clone().with_labels(0, words, false);
        let gaps = table.clone().with_gaps(vec![false, true, false, false, false, false]);
        let numbers = |sample: &Sample| Capabilities::NUMBERS.check(sample, "`cam`", &["exact"]);
        numbers(&table).unwrap();
        let refused = numbers(&categories).unwrap_err();
        assert_eq!(refused.to_string(), "`cam` takes numbers only, and column `sex` holds categories");
        let hint = "choose one that can (exact), or leave the column out with `index = sex`";
        assert_eq!(refused.hint().as_deref(), Some(hint));
        let refused = numbers(&gaps).unwrap_err();
        assert_eq!(refused.to_string(), "`cam` takes no missing values, and column `x` has some");
        Capabilities::EVERYTHING.check(&categories, "`exact`", &[]).unwrap();
        Capabilities::EVERYTHING.check(&gaps, "`exact`", &[]).unwrap();
    }
}
