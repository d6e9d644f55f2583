//! What is left of a column once its causes are known.

use oslow_core::Seed;

use crate::columns::Columns;
use crate::contest::basis;
use crate::folds::all_folds;
use crate::regression::{Basis, Effort, Fit, Inputs};
use crate::{Family, Noise};

/// Folds: each residual is that of a fit to the other folds. With fewer, the error of the fit itself would be seen.
const FOLDS: usize = 5;
/// Rows that a fit sees, at most.
const FITTED: usize = 2000;

/// The residuals of a column in units of their scale, in the family that predicted it best, each under a fit that has not seen its row; those of a column without causes are its values.
pub(super) fn residuals(
    columns: &Columns,
    node: usize,
    parents: &[usize],
    family: Family,
    effort: &Effort,
    seed: Seed,
) -> Vec<f64> {
    if parents.is_empty() {
        return columns.values[node].clone();
    }
    let values: Vec<&[f64]> = parents.iter().map(|&parent| columns.values[parent].as_slice()).collect();
    let (basis, effort) = (basis(family.location), effort.of(family.location));
    let mut found = vec![0.0; columns.rows()];
    let mut rng = seed.stream(&format!("exact/residuals/{node}"));
    for fold in all_folds(columns.rows(), columns.groups.as_deref(), (1, FOLDS), seed) {
        let fitted: Vec<usize> =
            fold.fitted.iter().copied().step_by(fold.fitted.len().div_ceil(FITTED)).collect();
        let y: Vec<f64> = fitted.iter().map(|&row| columns.values[node][row]).collect();
        let inputs = |rows: &[usize], basis| Inputs::new(&values, rows, basis);
        let (location, scale) = (inputs(&fitted, basis), inputs(&fitted, Basis::Linear));
        // Every noise is fitted from a Gaussian fit.
        let mut fit = Fit::additive(&location, &y, Noise::Gaussian, &effort, None, &mut rng);
        if family.affine {
            fit = Fit::affine(&location, &scale, &y, Noise::Gaussian, &effort, &fit, &mut rng);
            fit = Fit::affine(&location, &scale, &y, family.noise, &effort, &fit, &mut rng);
        } else {
            fit = Fit::additive(&location, &y, family.noise, &effort, Some(&fit), &mut rng);
        }
        let (location, scale) = (inputs(&fold.scored, basis), inputs(&fold.scored, Basis::Linear));
        let said = fit.locations(&location).into_iter().zip(fit.log_scales(&scale));
        for (&row, (location, log_scale)) in fold.scored.iter().zip(said) {
            found[row] = (columns.values[node][row] - location) * (-log_scale).exp();
        }
    }
    found
}
