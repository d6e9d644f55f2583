//! Functions of a node's causes, their coefficients drawn.

use crate::ParentRows;
use crate::unit::Unit;

/// A function of the causes.
pub(crate) trait Function: std::fmt::Debug + Send + Sync {
    /// Its value, given the causes.
    fn at(&self, causes: &[f64]) -> f64;
}

/// A function with mean 0 and variance 1 over the rows that were simulated.
#[derive(Debug)]
pub(crate) struct Standard<F> {
    function: F,
    unit: Unit,
}

impl<F: Function> Standard<F> {
    pub(crate) fn over(function: F, rows: &ParentRows) -> Self {
        let values: Vec<f64> = rows.iter().map(|row| function.at(row)).collect();
        Self { function, unit: Unit::of(&values) }
    }
}

impl<F: Function> Function for Standard<F> {
    fn at(&self, causes: &[f64]) -> f64 {
        self.unit.at(self.function.at(causes))
    }
}
