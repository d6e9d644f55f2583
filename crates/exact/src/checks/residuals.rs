//! What is left of a column once its causes are known.

use oslow_core::{Rng, Seed};
use rand::RngExt;

use crate::columns::{Columns, normal_quantile};
use crate::contest::basis;
use crate::folds::all_folds;
use crate::regression::{Basis, Effort, Fit, Inputs, MassFit};
use crate::{Family, Noise};

/// Folds: each residual is that of a fit to the other folds. With fewer, the error of the fit itself would be seen.
const FOLDS: usize = 5;
/// Rows that a fit sees, at most.
const FITTED: usize = 2000;
/// Probabilities nearer to 0 or 1 are drawn in.
const LEAST_PROBABILITY: f64 = 1e-6;

/// The residuals of a column in units of their scale, in the family that predicted it best, each under a fit that has not seen its row; those of a column without causes are its values.
/// What has probabilities instead of residuals is placed at random within the part of a normal distribution that has the probability of its value (Dunn and Smyth 1996).
pub(super) fn residuals(
    columns: &Columns,
    node: usize,
    parents: &[usize],
    family: Family,
    effort: &Effort,
    seed: Seed,
) -> Vec<f64> {
    if parents.is_empty() && family.noise.is_some() {
        return columns.values[node].clone();
    }
    let values = columns.variables(parents);
    let effort = effort.of(family.location);
    let mut found = vec![0.0; columns.rows()];
    let mut rng = seed.stream(&format!("exact/residuals/{node}"));
    for fold in all_folds(columns.rows(), columns.groups.as_deref(), None, (1, FOLDS), seed) {
        let fitted: Vec<usize> =
            fold.fitted.iter().copied().step_by(fold.fitted.len().div_ceil(FITTED)).collect();
        let inputs = |rows: &[usize], basis| Inputs::new(&values, rows, basis);
        let of_fold = match (family.noise, &columns.discrete[node]) {
            (None, Some(discrete)) => {
                let codes =
                    |rows: &[usize]| rows.iter().map(|&row| discrete.codes[row]).collect::<Vec<usize>>();
                let train = inputs(&fitted, Basis::Linear);
                let fit = MassFit::new(discrete.model, &train, &codes(&fitted), &effort, &mut rng);
                let scored = inputs(&fold.scored, Basis::Linear);
                let within = fit.below_and_up_to(&scored, &codes(&fold.scored));
                let place = |(low, high): (f64, f64)| low + (high - low) * rng.random::<f64>();
                let inside = |p: f64| normal_quantile(p.clamp(LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY));
                within.into_iter().map(place).map(inside).collect()
            }
            (noise, _) => {
                let y =
                    |rows: &[usize]| rows.iter().map(|&row| columns.values[node][row]).collect::<Vec<f64>>();
                let basis = basis(family.location);
                let rows = |rows: &[usize]| (inputs(rows, basis), inputs(rows, Basis::Linear), y(rows));
                of_density(
                    family.affine,
                    noise.unwrap_or(Noise::Gaussian),
                    rows(&fitted),
                    rows(&fold.scored),
                    &effort,
                    &mut rng,
                )
            }
        };
        fold.scored.iter().zip(of_fold).for_each(|(&row, residual)| found[row] = residual);
    }
    found
}

/// What the location and the scale are given on some rows, and y.
type Rows = (Inputs, Inputs, Vec<f64>);

/// The residuals of rows under a fit to others, in units of their scale.
fn of_density(
    affine: bool,
    noise: Noise,
    (location, scale, y): Rows,
    scored: Rows,
    effort: &Effort,
    rng: &mut Rng,
) -> Vec<f64> {
    // Every noise is fitted from a Gaussian fit.
    let mut fit = Fit::additive(&location, &y, Noise::Gaussian, effort, None, rng);
    if affine {
        fit = Fit::affine(&location, &scale, &y, Noise::Gaussian, effort, &fit, rng);
        fit = Fit::affine(&location, &scale, &y, noise, effort, &fit, rng);
    } else {
        fit = Fit::additive(&location, &y, noise, effort, Some(&fit), rng);
    }
    let (location, scale, y) = scored;
    let said = fit.locations(&location).into_iter().zip(fit.log_scales(&scale));
    y.iter().zip(said).map(|(y, (location, log_scale))| (y - location) * (-log_scale).exp()).collect()
}
