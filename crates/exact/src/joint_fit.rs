//! A smooth fit of one column to all of its causes together, and what it says along one of them.

use std::ops::Range;

use oslow_core::Seed;

use crate::Noise;
use crate::columns::Columns;
use crate::regression::{Basis, Effort, Fit, Inputs};

/// Rows over which the other causes are averaged, at most.
const ROWS: usize = 300;
/// Rows that the fit sees, at most.
const FITTED: usize = 2000;

/// The fit, and what it was given.
pub(crate) struct JointFit<'a> {
    fit: Fit,
    variables: Vec<&'a [f64]>,
    /// The rows over which other causes are averaged.
    averaged: Vec<usize>,
}

impl<'a> JointFit<'a> {
    /// Fits location and scale of a node to its parents.
    pub fn new(columns: &'a Columns, node: usize, parents: &[usize], effort: &Effort, seed: Seed) -> Self {
        let every = |most: usize| (0..columns.rows()).step_by(columns.rows().div_ceil(most)).collect();
        let fitted: Vec<usize> = every(FITTED);
        let variables = columns.variables(parents);
        let y: Vec<f64> = fitted.iter().map(|&row| columns.values[node][row]).collect();
        let inputs = Inputs::new(&variables, &fitted, Basis::Linear);
        let mut rng = seed.stream(&format!("exact/effect/{node}"));
        let additive = Fit::additive(&inputs, &y, Noise::Gaussian, effort, None, &mut rng);
        let fit = Fit::affine(&inputs, &inputs, &y, Noise::Gaussian, effort, &additive, &mut rng);
        Self { fit, variables, averaged: every(ROWS) }
    }

    /// The mean location and the mean log-scale over rows in which some variables have the values of another row, for each of these.
    pub fn along(&self, moved: &Range<usize>, places: &[usize]) -> (Vec<f64>, Vec<f64>) {
        places.iter().map(|&place| self.at(moved, place)).unzip()
    }

    fn at(&self, moved: &Range<usize>, place: usize) -> (f64, f64) {
        let constant = |k: usize| vec![self.variables[k][place]; self.variables[k].len()];
        let fixed: Vec<Vec<f64>> = moved.clone().map(constant).collect();
        let value =
            |(k, &own): (usize, &&'a [f64])| if moved.contains(&k) { &fixed[k - moved.start] } else { own };
        let variables: Vec<&[f64]> = self.variables.iter().enumerate().map(value).collect();
        let inputs = Inputs::new(&variables, &self.averaged, Basis::Linear);
        (mean(&self.fit.locations(&inputs)), mean(&self.fit.log_scales(&inputs)))
    }

    /// Location and log-scale of some rows as they are.
    pub fn of_rows(&self, rows: &[usize]) -> (Vec<f64>, Vec<f64>) {
        let inputs = Inputs::new(&self.variables, rows, Basis::Linear);
        (self.fit.locations(&inputs), self.fit.log_scales(&inputs))
    }

    /// One of the variables, row by row.
    pub fn variable(&self, k: usize) -> &[f64] {
        self.variables[k]
    }
}

/// So many rows at quantiles of a column, in the order of its values.
pub(crate) fn rows_at_quantiles(column: &[f64], places: usize) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..column.len()).collect();
    rows.sort_by(|&a, &b| column[a].total_cmp(&column[b]));
    (0..places).map(|k| rows[(rows.len() - 1) * (2 * k + 1) / (2 * places)]).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
