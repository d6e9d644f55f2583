//! E[X | do(X₁ = x)] of a fitted flow against the true model, on the families of the paper's appendix.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow_core::{
    ForgetfulCheckpoint, Intervention, Interventional, Knowledge, Prepared, Preparing, Run, Seed, Silent,
};
use oslow_flow::{FitConfig, FittedFlow};
use oslow_scm::{Location, Spec, simulate};

const DRAWS: usize = 10_000;

/// The means of all variables under do(node = value).
fn means(model: &dyn Interventional, node: usize, value: f64) -> Vec<f64> {
    let d = model.names().len();
    let set = [Intervention { node, value }];
    let rows = model.draw(DRAWS, &set, &mut Seed(11).stream("draws")).unwrap();
    (0..d).map(|j| rows.iter().skip(j).step_by(d).sum::<f64>() / DRAWS as f64).collect()
}

fn check(graph: &str, nodes: usize, location: Location, seed: u64) {
    let spec =
        Spec { graph: graph.into(), nodes, mechanism: "intervention".into(), location, ..Spec::default() };
    let truth = simulate(&spec, 4000, Seed(seed)).unwrap();
    let order = truth.dag.topological_order();
    let knowledge = Knowledge::none(nodes);
    let mut run = Run {
        seed: Seed(0),
        knowledge: &knowledge,
        threads: 2,
        observer: &mut Silent,
        checkpoint: &mut ForgetfulCheckpoint,
    };
    let sample = Prepared::new(&truth.sample, Preparing::default()).unwrap();
    let (flow, _) = FittedFlow::fit(&sample, &order, &FitConfig::default(), &mut run).unwrap();
    let first = order.nodes()[0];
    let (low, high) = flow.observed(first);
    let points = 21;
    let mut squares = vec![0.0; nodes];
    for k in 0..points {
        let x = low + (high - low) * f64::from(k) / f64::from(points - 1);
        let (ours, theirs) = (means(&flow, first, x), means(&truth.scm, first, x));
        squares.iter_mut().zip(ours.iter().zip(&theirs)).for_each(|(s, (a, b))| *s += (a - b).powi(2));
    }
    for &target in &order.nodes()[1..] {
        let sd = {
            let values: Vec<f64> = truth.sample.column(target).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
        };
        let error = (squares[target] / f64::from(points)).sqrt() / sd;
        println!("{graph} {location:?} seed {seed}: target {target}: {error:.3} standard deviations");
        assert!(error < 0.1, "{graph} {location:?}: target {target} is off by {error} standard deviations");
    }
}

#[test]
fn a_tournament_of_five() {
    check("tournament", 5, Location::Invertible, 1);
    check("tournament", 5, Location::NonInvertible, 1);
}

#[test]
fn a_path_of_three() {
    check("path", 3, Location::Invertible, 1);
    check("path", 3, Location::NonInvertible, 1);
}
