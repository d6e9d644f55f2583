//! The fused kernels equal the plain reference, and their gradients its finite differences, for random
//! shapes, options, orders and knowledge.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow_core::{Intervention, Knowledge, Ordering, Seed};
use oslow_flow::{Activation, Base, Engine, FlowConfig, Head, Layout, Mask, ScaleModel, invert, reference};
use proptest::prelude::*;
use rand::RngExt;

fn configs() -> impl Strategy<Value = FlowConfig> {
    let hidden = prop::collection::vec(1..20usize, 1..4);
    let activation = prop::sample::select(vec![Activation::LeakyRelu, Activation::Tanh, Activation::Silu]);
    let head = prop::sample::select(vec![Head::Raw, Head::Bounded { a: 2.0, b: 5.0 }]);
    let scale = prop::sample::select(vec![ScaleModel::Affine, ScaleModel::Additive]);
    let base = prop::sample::select(vec![
        Base::Gaussian,
        Base::Laplace,
        Base::Logistic,
        Base::StudentT { nu: 5.0 },
        Base::Learned,
    ]);
    (hidden, activation, any::<bool>(), any::<bool>(), head, scale, 1..3usize, any::<bool>(), base).prop_map(
        |(mut hidden, activation, residual, skip, head, scale, transforms, actnorm, base)| {
            if residual {
                let width = hidden[0];
                hidden.iter_mut().for_each(|h| *h = width);
            }
            FlowConfig { hidden, activation, residual, skip, head, scale, transforms, actnorm, base }
        },
    )
}

/// A random flow, order, knowledge and rows.
struct Case {
    layout: Layout,
    theta: Vec<f64>,
    order: Ordering,
    mask: Mask,
    x: Vec<f64>,
}

fn case(config: &FlowConfig, d: usize, rows: usize, restricted: bool, seed: u64) -> Case {
    let mut rng = Seed(seed).stream("case");
    let layout = Layout::new(d, config);
    // Everything moves, also what training starts at zero.
    let mut theta: Vec<f64> = layout.initial(&mut rng);
    theta.iter_mut().for_each(|p| *p += 0.1 * rng.random_range(-1.0..1.0));
    let order = Ordering::random(d, &mut rng);
    let columns: Vec<String> = (0..d).map(|j| format!("x{j}")).collect();
    let forbidden: Vec<(usize, usize)> =
        (0..d * d).filter(|_| restricted && rng.random_bool(0.3)).map(|k| (k / d, k % d)).collect();
    let knowledge = Knowledge::new(&columns, &[], &[], &forbidden, &[], &[]).unwrap();
    let mask = Mask::hard(&order, &knowledge);
    let x = (0..rows * d).map(|_| rng.random_range(-2.0..2.0)).collect();
    Case { layout, theta, order, mask, x }
}

fn reference_nll(case: &Case, theta: &[f64]) -> f64 {
    let d = case.layout.d;
    let rows = case.x.len() / d;
    let total: f64 =
        case.x.chunks(d).map(|x| -reference::log_prob(&case.layout, theta, &case.mask, x).1).sum();
    total / rows as f64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn kernels_equal_the_reference(
        config in configs(), d in 2..9usize, rows in 1..300usize, restricted: bool, seed in 0..1000u64,
    ) {
        let case = case(&config, d, rows, restricted, seed);
        let (z, nll) = Engine::<f64>::new(&case.layout).evaluate_rows(&case.theta, &case.x, &case.mask);
        let theta32: Vec<f32> = case.theta.iter().map(|&p| p as f32).collect();
        let x32: Vec<f32> = case.x.iter().map(|&x| x as f32).collect();
        let (z32, nll32) = Engine::<f32>::new(&case.layout).evaluate_rows(&theta32, &x32, &case.mask);
        for row in 0..rows {
            let at = row * d..(row + 1) * d;
            let (expected, log_prob) = reference::log_prob(&case.layout, &case.theta, &case.mask, &case.x[at.clone()]);
            prop_assert!((nll[row] + log_prob).abs() <= 1e-9 * log_prob.abs().max(1.0));
            prop_assert!((nll32[row] + log_prob).abs() <= 1e-4 * log_prob.abs().max(1.0));
            for (k, z_true) in at.zip(expected) {
                prop_assert!((z[k] - z_true).abs() <= 1e-9 * z_true.abs().max(1.0));
                prop_assert!((f64::from(z32[k]) - z_true).abs() <= 1e-4 * z_true.abs().max(1.0));
            }
        }
        let back = invert(&case.layout, &case.theta, &case.order, &case.mask, &z, &[]);
        for (x, y) in case.x.iter().zip(&back) {
            prop_assert!((x - y).abs() < 1e-8, "round trip {x} {y}");
        }
    }

    #[test]
    fn gradients_are_finite_differences_of_the_reference(
        config in configs(), d in 2..5usize, rows in 1..6usize, restricted: bool, seed in 0..1000u64,
    ) {
        // The kinks of leaky-ReLU and Laplace make differences meaningless at single points: smooth ones here,
        // the others against automatic differentiation in the fixtures.
        prop_assume!(config.activation != Activation::LeakyRelu && config.base != Base::Laplace);
        let case = case(&config, d, rows, restricted, seed);
        let mut gradient = vec![0.0; case.layout.len];
        let masks = std::slice::from_ref(&case.mask);
        Engine::<f64>::new(&case.layout)
            .gradient(&case.theta, &case.x, masks, &[1.0], &mut gradient, 0)
            .unwrap();
        let mut rng = Seed(seed).stream("coordinates");
        for _ in 0..60 {
            // Bases have few parameters, so they would hardly be drawn.
            let base = case.layout.base.clone();
            let among = if rng.random_bool(0.3) && !base.is_empty() { base } else { 0..case.layout.len };
            let k = rng.random_range(among);
            let step = 1e-5;
            let mut theta = case.theta.clone();
            theta[k] += step;
            let up = reference_nll(&case, &theta);
            theta[k] -= 2.0 * step;
            let down = reference_nll(&case, &theta);
            let numeric = (up - down) / (2.0 * step);
            prop_assert!((gradient[k] - numeric).abs() <= 1e-5 * numeric.abs().max(1.0), "{k}: {} {numeric}", gradient[k]);
        }
    }

    #[test]
    fn an_intervention_is_the_noise_that_yields_it(
        config in configs(), d in 2..6usize, seed in 0..1000u64, value in -1.0..1.0f64,
    ) {
        let case = case(&config, d, 3, false, seed);
        let node = seed as usize % d;
        let set = [Intervention { node, value }];
        let x = invert(&case.layout, &case.theta, &case.order, &case.mask, &case.x, &set);
        let (z, _) = Engine::<f64>::new(&case.layout).evaluate_rows(&case.theta, &x, &case.mask);
        for (k, (found, given)) in z.iter().zip(&case.x).enumerate() {
            if k % d == node {
                prop_assert!((x[k] - value).abs() < 1e-12);
            } else {
                prop_assert!((found - given).abs() < 1e-7 * given.abs().max(1.0));
            }
        }
    }
}

#[test]
fn many_orders_at_once_give_the_weighted_sum_and_the_same_on_any_number_of_threads() {
    let config = FlowConfig { hidden: vec![8, 8], ..FlowConfig::default() };
    let case = case(&config, 5, 400, false, 1);
    let mut rng = Seed(2).stream("orders");
    let masks: Vec<Mask> =
        (0..7).map(|_| Mask::hard(&Ordering::random(5, &mut rng), &Knowledge::none(5))).collect();
    let weights: Vec<f64> = (1..8).map(f64::from).collect();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut gradient = vec![0.0; case.layout.len];
            let mut engine = Engine::<f64>::new(&case.layout);
            let all = engine.gradient(&case.theta, &case.x, &masks, &weights, &mut gradient, 0).unwrap();
            (all.nll, gradient)
        })
    };
    let (nll, gradient) = run(1);
    assert_eq!((nll.clone(), gradient.clone()), run(3));
    let mut sum = vec![0.0; case.layout.len];
    for (k, mask) in masks.iter().enumerate() {
        let mut part = vec![0.0; case.layout.len];
        let one = std::slice::from_ref(mask);
        let mut engine = Engine::<f64>::new(&case.layout);
        let alone = engine.gradient(&case.theta, &case.x, one, &[1.0], &mut part, 0).unwrap();
        assert!((alone.nll[0] - nll[k]).abs() < 1e-12);
        sum.iter_mut().zip(&part).for_each(|(s, p)| *s += weights[k] * p);
    }
    for (a, b) in gradient.iter().zip(&sum) {
        assert!((a - b).abs() < 1e-10 * b.abs().max(1.0));
    }
}

#[test]
fn a_loss_that_is_not_finite_names_the_step() {
    let case = case(&FlowConfig { head: Head::Raw, ..FlowConfig::default() }, 3, 4, false, 1);
    let theta = vec![1e200; case.layout.len];
    let masks = std::slice::from_ref(&case.mask);
    let mut gradient = vec![0.0; case.layout.len];
    let error = Engine::<f64>::new(&case.layout)
        .gradient(&theta, &case.x, masks, &[1.0], &mut gradient, 17)
        .unwrap_err();
    assert_eq!(error.to_string(), "the negative log-likelihood became non-finite at training step 17");
}
