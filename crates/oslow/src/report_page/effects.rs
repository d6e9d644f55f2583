//! What a fitted model says of the edges: means of the effect if the cause is set.

use oslow_core::{Interventional, Result, Seed};
use oslow_flow::FittedFlow;
use serde::Serialize;

use super::written::WrittenRun;
use crate::effect_curve;

/// Edges with a curve, at most: the strongest.
const CURVES: usize = 60;
/// Points of a curve, evenly over the central 99 % of the cause.
const POINTS: usize = 9;
/// Draws per point.
const DRAWS: usize = 1000;

/// The mean of an effect at some values of its cause, with 99 % Monte-Carlo intervals, in the units of the data.
#[derive(Serialize)]
pub(super) struct DoCurve {
    from: usize,
    to: usize,
    at: Vec<f64>,
    mean: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
}

/// The curves of the strongest edges, none without a model.
pub(super) fn effects(run: &WrittenRun, strongest: &[usize], model: Option<&[u8]>) -> Result<Vec<DoCurve>> {
    let Some(model) = model else { return Ok(Vec::new()) };
    let flow = FittedFlow::from_bytes(model)?;
    let edges = run.edges()?;
    let chosen: Vec<(usize, usize)> = strongest.iter().take(CURVES).map(|&place| edges[place].0).collect();
    let mut found: Vec<Option<DoCurve>> = chosen.iter().map(|_| None).collect();
    let mut causes: Vec<usize> = chosen.iter().map(|edge| edge.0).collect();
    causes.sort_unstable();
    causes.dedup();
    for cause in causes {
        let grid = grid(flow.observed(cause));
        let means = effect_curve(&flow as &dyn Interventional, cause, &grid, &[], DRAWS, Seed(run.seed))?;
        for (place, &(from, to)) in chosen.iter().enumerate().filter(|(_, edge)| edge.0 == cause) {
            let of_target = means.iter().flatten().filter(|effect| effect.target == to);
            let points: Vec<[f64; 3]> =
                of_target.map(|effect| [effect.mean.mean, effect.mean.low, effect.mean.high]).collect();
            let [mean, low, high] = [0, 1, 2].map(|k| points.iter().map(|point| short(point[k])).collect());
            let at = grid.iter().copied().map(short).collect();
            found[place] = Some(DoCurve { from, to, at, mean, low, high });
        }
    }
    Ok(found.into_iter().flatten().collect())
}

fn grid((low, high): (f64, f64)) -> Vec<f64> {
    (0..POINTS).map(|k| low + (high - low) * k as f64 / (POINTS - 1) as f64).collect()
}

/// Six significant digits.
fn short(value: f64) -> f64 {
    // What cannot be read back was not finite.
    format!("{value:.5e}").parse().unwrap_or(value)
}
