//! What trees see of a column, and what they tell of it.

use std::collections::BTreeSet;

use oslow_core::{ColumnType, Prepared};

use crate::columns::normal_scores;

/// A column as a cause of cuts, and as what cuts are to tell apart.
pub(crate) struct Features {
    /// Its ranks; of categories an indicator each.
    pub inputs: Vec<Vec<f64>>,
    /// What describes its distribution: normal scores and their squares, of a discrete column an indicator for each value.
    pub outputs: Vec<Vec<f64>>,
}

impl Features {
    pub fn of(sample: &Prepared, j: usize) -> Self {
        let column = sample.raw(j);
        let ranks = normal_scores(column);
        let indicators = || {
            let levels: BTreeSet<u64> = column.iter().map(|x| x.to_bits()).collect();
            let of =
                |&level: &u64| column.iter().map(|x| f64::from(u8::from(x.to_bits() == level))).collect();
            levels.iter().map(of).collect::<Vec<Vec<f64>>>()
        };
        match sample.type_of(j) {
            ColumnType::Categorical | ColumnType::Binary => {
                Self { inputs: indicators(), outputs: indicators() }
            }
            ColumnType::Ordinal => Self { inputs: vec![ranks], outputs: indicators() },
            ColumnType::Continuous | ColumnType::Count => {
                let squares = ranks.iter().map(|z| (z * z - 1.0) / std::f64::consts::SQRT_2).collect();
                Self { outputs: vec![ranks.clone(), squares], inputs: vec![ranks] }
            }
        }
    }

    /// Gives gaps what their donors have.
    pub fn copy(&mut self, donors: &[(usize, usize)]) {
        for column in self.inputs.iter_mut().chain(&mut self.outputs) {
            donors.iter().for_each(|&(row, donor)| column[row] = column[donor]);
        }
    }
}
