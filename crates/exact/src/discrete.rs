//! Columns whose values have probabilities of their own.

use oslow_core::ColumnType;

use crate::regression::MassModel;

/// The values of a discrete column.
#[derive(Clone)]
pub(crate) struct Discrete {
    pub model: MassModel,
    /// The level of each row, or its count.
    pub codes: Vec<usize>,
    /// What regressions on it are given.
    pub variables: Vec<Vec<f64>>,
}

impl Discrete {
    /// A column of some type; `None` if that is continuous.
    pub fn of(kind: ColumnType, column: &[f64]) -> Option<Self> {
        if kind == ColumnType::Continuous {
            return None;
        }
        if kind == ColumnType::Count {
            let roots: Vec<f64> = column.iter().map(|count| count.sqrt()).collect();
            let codes = column.iter().map(|&count| count as usize).collect();
            return Some(Self { model: MassModel::Counts, codes, variables: vec![standardized(&roots)] });
        }
        let mut values = column.to_vec();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let levels = values.len();
        let code = |value: &f64| values.partition_point(|level| level < value);
        let codes: Vec<usize> = column.iter().map(code).collect();
        if kind == ColumnType::Categorical && levels > 2 {
            // Each level against the mean of all; together as long as one number.
            let short = 1.0 / (levels as f64).sqrt();
            let indicator = |level: usize| {
                let of = |&code: &usize| f64::from(u8::from(code == level)) - f64::from(u8::from(code == 0));
                standardized(&codes.iter().map(of).collect::<Vec<f64>>()).iter().map(|x| x * short).collect()
            };
            let variables = (1..levels).map(indicator).collect();
            return Some(Self { model: MassModel::Categories(levels), codes, variables });
        }
        let numbers: Vec<f64> = codes.iter().map(|&code| code as f64).collect();
        let model = if levels > 2 { MassModel::Levels(levels) } else { MassModel::Categories(levels) };
        Some(Self { model, codes, variables: vec![standardized(&numbers)] })
    }

    /// Gives a row what another has.
    pub fn copy(&mut self, row: usize, from: usize) {
        self.codes[row] = self.codes[from];
        self.variables.iter_mut().for_each(|variable| variable[row] = variable[from]);
    }

    /// The values of some rows.
    pub fn only(&self, rows: &[usize]) -> Self {
        Self {
            model: self.model,
            codes: rows.iter().map(|&row| self.codes[row]).collect(),
            variables: (self.variables.iter())
                .map(|variable| rows.iter().map(|&row| variable[row]).collect())
                .collect(),
        }
    }

    /// Whether densities of its values, spread over their cells, may describe it too.
    pub fn has_density(&self) -> bool {
        self.model == MassModel::Counts
    }
}

/// The column with mean 0 and variance 1.
fn standardized(column: &[f64]) -> Vec<f64> {
    let n = column.len() as f64;
    let mean = column.iter().sum::<f64>() / n;
    let variance = column.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
    column.iter().map(|x| (x - mean) / variance.sqrt()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_numbered_and_categories_become_indicators() {
        let column = [3.0, 1.0, 1.0, 7.0, 3.0, 7.0];
        let levels = Discrete::of(ColumnType::Ordinal, &column).unwrap();
        assert_eq!((levels.model, &levels.codes[..]), (MassModel::Levels(3), &[1, 0, 0, 2, 1, 2][..]));
        assert_eq!(levels.variables.len(), 1);
        let categories = Discrete::of(ColumnType::Categorical, &column).unwrap();
        assert_eq!(categories.model, MassModel::Categories(3));
        let [second, third] = &categories.variables[..] else { panic!("two indicators") };
        // Rows of the first level are at −1 in both before they are standardised, the others at 0 or 1.
        assert!(second[0] > second[3] && second[3] > second[1] && third[3] > third[0]);
        assert!(Discrete::of(ColumnType::Continuous, &column).is_none());
    }
}
