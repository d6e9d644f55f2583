//! One flow for all orders says the same as one flow per order: the paper's first claim.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow_core::{Knowledge, Ordering, Prepared, Preparing, Seed};
use oslow_flow::{Engine, FlowConfig, Layout, Mask, cosine_rate, gather};
use oslow_math::{AdamW, AdamWConfig};
use oslow_scm::{Spec, simulate};
use rand::seq::IndexedRandom;

const ROWS: usize = 1000;

/// Trains one flow on all the given masks at once and returns their negative log-likelihoods.
fn train(x: &Prepared, masks: &[Mask], steps: usize) -> Vec<f64> {
    let layout = Layout::new(x.columns(), &FlowConfig::default());
    let mut theta: Vec<f32> = layout.initial(&mut Seed(1).stream("initial"));
    let mut engine = Engine::new(&layout);
    let mut adam = AdamW::new(layout.len, AdamWConfig::default());
    let (mut batch, mut gradient) = (Vec::new(), vec![0.0; layout.len]);
    let rng = &mut Seed(1).stream("batches");
    let all: Vec<usize> = (0..ROWS).collect();
    let weights = vec![1.0 / masks.len() as f64; masks.len()];
    for step in 0..steps {
        let rows: Vec<usize> = all.sample(rng, 250).copied().collect();
        gather(x, &rows, &mut batch);
        gradient.fill(0.0);
        engine.gradient(&theta, &batch, masks, &weights, &mut gradient, step as u64).unwrap();
        adam.step(&mut theta, &gradient, cosine_rate(5e-3, step as f64 / steps as f64)).unwrap();
    }
    gather(x, &all, &mut batch);
    engine.nll(&theta, &batch, masks)
}

fn ranks(values: &[f64]) -> Vec<f64> {
    values.iter().map(|v| values.iter().filter(|w| *w < v).count() as f64).collect()
}

/// Spearman's correlation of two lists without ties.
fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len() as f64;
    let squares: f64 = ranks(a).iter().zip(ranks(b)).map(|(x, y)| (x - y).powi(2)).sum();
    1.0 - 6.0 * squares / (n * (n * n - 1.0))
}

#[test]
fn the_shared_flow_ranks_orders_as_separate_flows_do() {
    let spec = Spec { nodes: 4, graph: "tournament".into(), ..Spec::default() };
    let data = simulate(&spec, ROWS, Seed(7)).unwrap();
    let mut orders: Vec<Ordering> = Vec::new();
    let mut rng = Seed(1).stream("orders");
    while orders.len() < 24 {
        let order = Ordering::random(4, &mut rng);
        if !orders.contains(&order) {
            orders.push(order);
        }
    }
    let masks: Vec<Mask> = orders.iter().map(|order| Mask::hard(order, &Knowledge::none(4))).collect();
    let sample = Prepared::new(&data.sample, Preparing::as_given()).unwrap();
    let shared = train(&sample, &masks, 2000);
    let alone: Vec<f64> =
        masks.iter().map(|mask| train(&sample, std::slice::from_ref(mask), 1000)[0]).collect();
    let correlation = spearman(&shared, &alone);
    let truth = orders.iter().position(|order| *order == data.dag.topological_order()).unwrap();
    let better = shared.iter().filter(|nll| **nll < shared[truth]).count();
    println!("Spearman {correlation:.3}; orders better than the true one: {better}");
    assert!(correlation >= 0.9, "Spearman {correlation}");
    assert!(better < 2, "{better} orders are better than the true one");
}
