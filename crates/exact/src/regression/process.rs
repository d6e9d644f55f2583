//! A location that may be any smooth function: a Gaussian process beside a scale that is known.

use oslow_math::{GaussianProcess, Smoothness, squared_distances};

use super::inputs::Inputs;
use crate::density::Density;

/// Most rows that a process is conditioned on, …
const ROWS: usize = 1000;
/// … on which ℓ and ρ are chosen, …
const CHOOSING_ROWS: usize = 250;
/// … and that it is asked about at a time.
const ASKED: usize = 250;
/// Steps of the search for ℓ and ρ; where another fold has found them, the last alone.
const STEPS: [f64; 2] = [0.7, 0.35];

/// Rows of y, of what it is explained with, and of the logarithm of its scale.
pub(crate) struct ScaledRows<'a> {
    pub inputs: &'a Inputs,
    pub y: &'a [f64],
    pub log_scales: &'a [f64],
}

impl ScaledRows<'_> {
    /// At most so many of the rows, evenly spaced: each variable, then y, then relative variances.
    fn thinned(&self, most: usize) -> (Vec<Vec<f64>>, Vec<f64>, Vec<f64>) {
        let n = self.y.len();
        let rows: Vec<usize> = (0..most.min(n)).map(|k| k * n / most.min(n)).collect();
        let take = |values: &[f64]| rows.iter().map(|&row| values[row]).collect();
        let variables = self.inputs.values.chunks_exact(n).map(take).collect();
        let variances = rows.iter().map(|&row| (2.0 * self.log_scales[row]).exp()).collect();
        (variables, take(self.y), variances)
    }
}

/// −ln p of rows that a process has not seen, and the ℓ and ρ that are most evident on rows that it has; `None` where covariances are singular.
pub(crate) fn process_held_out(
    fitted: &ScaledRows<'_>,
    scored: &ScaledRows<'_>,
    start: Option<Smoothness>,
) -> Option<(Vec<f64>, Smoothness)> {
    let (columns, y, variances) = fitted.thinned(CHOOSING_ROWS);
    let distances = squared_distances(&columns, &columns);
    let nll = |at: Smoothness| at.nll(distances.clone(), &variances, &y);
    let (smoothness, _) = match start {
        Some(start) => start.search(&STEPS[1..], nll),
        None => {
            let log_length = (0.8 * (columns.len() as f64).sqrt()).ln();
            // The scale that is known is about that of the noise.
            Smoothness { log_length, log_ratio: -2.0 * mean(fitted.log_scales) }.search(&STEPS, nll)
        }
    };
    let (columns, y, variances) = fitted.thinned(ROWS);
    let distances = squared_distances(&columns, &columns);
    let process = GaussianProcess::new(distances, &variances, &y, smoothness).ok()?;
    let mut said = Vec::with_capacity(scored.y.len());
    for start in (0..scored.y.len()).step_by(ASKED) {
        let asked = start..scored.y.len().min(start + ASKED);
        let values = scored.inputs.values.chunks_exact(scored.y.len());
        let places: Vec<&[f64]> = values.map(|variable| &variable[asked.clone()]).collect();
        let predicted = process.predict(squared_distances(&columns, &places));
        for (row, (location, uncertainty)) in asked.zip(predicted) {
            let log_scale = 0.5 * process.variance.ln() + scored.log_scales[row];
            said.push(Density::Gaussian.predictive_nll(scored.y[row] - location, log_scale, uncertainty));
        }
    }
    Some((said, smoothness))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
