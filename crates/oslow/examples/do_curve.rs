//! The paper's figure of interventions: E[X | do(X₁ = x)] of a fitted flow beside the true model's.
//!
//! `cargo run --release --example do_curve -p oslow > docs/pictures/do_curve.svg`

use oslow::prelude::*;
use oslow::report::{Curve, LinePlot};
use oslow::scm::{Location, Spec, simulate};

/// Draws per point of the true curve: enough to hide its own randomness.
const TRUE_ROWS: usize = 20_000;

fn main() -> Result<()> {
    let spec = Spec {
        graph: "tournament".into(),
        nodes: 5,
        mechanism: "intervention".into(),
        location: Location::NonInvertible,
        ..Spec::default()
    };
    let truth = simulate(&spec, 4000, Seed(1))?;
    let order = truth.dag.topological_order();
    let (first, target) = (order.nodes()[0], order.nodes()[1]);
    let flow = fit(&truth.sample, &FitOptions::new(order), &mut Silent)?.flow;

    let (low, high) = flow.observed(first);
    let margin = 0.25 * (high - low);
    let grid: Vec<f64> =
        (0..=60).map(|k| low - margin + (high - low + 2.0 * margin) * f64::from(k) / 60.0).collect();
    let curve = |model: &dyn Interventional, rows: usize| -> Result<Vec<oslow::MeanInterval>> {
        let points = effect_curve(model, first, &grid, &[], rows, Seed(0))?;
        Ok(points
            .iter()
            .flatten()
            .filter(|effect| effect.target == target)
            .map(|effect| effect.mean)
            .collect())
    };
    let (ours, theirs) = (curve(&flow, 1000)?, curve(&truth.scm, TRUE_ROWS)?);
    let points =
        |means: &[oslow::MeanInterval]| grid.iter().copied().zip(means.iter().map(|m| m.mean)).collect();
    let plot = LinePlot {
        title: "What happens to X₂ when X₁ is set, in a model of five variables".into(),
        x_label: "value that X₁ is set to".into(),
        y_label: "mean of X₂".into(),
        curves: vec![
            Curve {
                name: "fitted to 4000 observations, 99 % Monte-Carlo interval".into(),
                points: points(&ours),
                band: Some(ours.iter().map(|m| (m.low, m.high)).collect()),
                dashed: false,
            },
            Curve { name: "the truth".into(), points: points(&theirs), band: None, dashed: true },
        ],
        shaded: Some((low, high, "99 % of the data".into())),
    };
    print!("{}", plot.to_svg());
    Ok(())
}
