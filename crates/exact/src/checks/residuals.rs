//! What is left of a column once its causes are known.

use oslow_core::Seed;

use crate::columns::Columns;
use crate::folds::all_folds;
use crate::regression::{Basis, Effort, Fit, Inputs};
use crate::Noise;

/// Folds: each residual is that of a fit to the other half.
const FOLDS: usize = 2;
/// Rows that a fit sees, at most.
const FITTED: usize = 2000;

/// The residuals of a column in units of their scale, each under a fit that has not seen its row; those of a column without causes are its values.
pub(super) fn residuals(columns: &Columns, node: usize, parents: &[usize], effort: &Effort, seed: Seed) -> Vec<f64> {
    if parents.is_empty() {
        return columns.values[node].clone();
    }
    let values: Vec<&[f64]> = parents.iter().map(|&parent| columns.values[parent].as_slice()).collect();
    let mut found = vec![0.0; columns.rows()];
    let mut rng = seed.stream(&format!("exact/residuals/{node}"));
    for fold in all_folds(columns.rows(), columns.groups.as_deref(), (1, FOLDS), seed) {
        let fitted: Vec<usize> =
            fold.fitted.iter().copied().step_by(fold.fitted.len().div_ceil(FITTED)).collect();
        let y: Vec<f64> = fitted.iter().map(|&row| columns.values[node][row]).collect();
        let inputs = Inputs::new(&values, &fitted, Basis::Linear);
        let additive = Fit::additive(&inputs, &y, Noise::Gaussian, effort, None, &mut rng);
        let fit = Fit::affine(&inputs, &inputs, &y, Noise::Gaussian, effort, &additive, &mut rng);
        let asked = Inputs::new(&values, &fold.scored, Basis::Linear);
        let said = fit.locations(&asked).into_iter().zip(fit.log_scales(&asked));
        for (&row, (location, log_scale)) in fold.scored.iter().zip(said) {
            found[row] = (columns.values[node][row] - location) * (-log_scale).exp();
        }
    }
    found
}
