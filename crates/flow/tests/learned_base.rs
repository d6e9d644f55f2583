//! A flow that learns the density of its noise, on exponential noise: one-sided, with an edge and a long tail.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow_core::{
    ForgetfulCheckpoint, Intervention, Interventional, Knowledge, Ordering, Prepared, Preparing, Run, Sample,
    Seed, Silent,
};
use oslow_flow::{Base, FitConfig, FittedFlow, FlowConfig};
use rand_distr::{Distribution, Exp1, StandardNormal};

/// Rows of x → y: x is normal, y = sin x + exponential noise with mean 0 and standard deviation 1.
fn rows(count: usize, seed: u64) -> Vec<f64> {
    let mut rng = Seed(seed).stream("rows");
    let mut values = Vec::with_capacity(2 * count);
    for _ in 0..count {
        let (x, noise): (f64, f64) = (StandardNormal.sample(&mut rng), Exp1.sample(&mut rng));
        values.extend([x, x.sin() + noise - 1.0]);
    }
    values
}

fn fitted(base: Base, count: usize) -> FittedFlow {
    let sample = Sample::new(vec!["x".into(), "y".into()], rows(count, 1)).unwrap();
    let knowledge = Knowledge::none(2);
    let mut run = Run {
        seed: Seed(0),
        knowledge: &knowledge,
        threads: 1,
        observer: &mut Silent,
        checkpoint: &mut ForgetfulCheckpoint,
    };
    let config = FitConfig::default();
    let config = FitConfig { flow: FlowConfig { base, ..config.flow }, ..config };
    let sample = Prepared::new(&sample, Preparing::default()).unwrap();
    FittedFlow::fit(&sample, &Ordering::identity(2), &config, &mut run).unwrap().0
}

/// Negative log-likelihood per row on rows that the flow was not fitted to.
fn nll(flow: &FittedFlow) -> f64 {
    let unseen = flow.log_prob(&rows(4000, 2));
    -unseen.iter().sum::<f64>() / unseen.len() as f64
}

#[test]
fn it_fits_better_than_densities_of_another_shape() {
    // The true density has ½·ln 2πe for x and 1 for y.
    let truth = 0.5 * (std::f64::consts::TAU * std::f64::consts::E).ln() + 1.0;
    let [learned, gaussian, laplace] =
        [Base::Learned, Base::Gaussian, Base::Laplace].map(|base| nll(&fitted(base, 1000)) - truth);
    println!("above the truth: learned {learned:.3}, gaussian {gaussian:.3}, laplace {laplace:.3}");
    assert!(learned < 0.2 && learned + 0.15 < gaussian.min(laplace));
}

#[test]
fn what_it_draws_under_an_intervention_is_skewed_as_the_noise_is() {
    let flow = fitted(Base::Learned, 4000);
    let set = [Intervention { node: 0, value: 0.5 }];
    let n = 20_000;
    let drawn = flow.draw(n, &set, &mut Seed(3).stream("draws")).unwrap();
    let mut y: Vec<f64> = drawn.iter().skip(1).step_by(2).copied().collect();
    y.sort_by(f64::total_cmp);
    let mean = y.iter().sum::<f64>() / n as f64;
    let moment = |power: i32| y.iter().map(|y| (y - mean).powi(power)).sum::<f64>() / n as f64;
    let skewness = moment(3) / moment(2).powf(1.5);
    let quantile = |share: f64| y[(share * n as f64) as usize] - 0.5f64.sin();
    println!("mean {mean:.3}, skewness {skewness:.2}, {:.2} … {:.2}", quantile(0.05), quantile(0.95));
    // Exponential noise has skewness 2, and 90 % of it lie between −0.95 and 2.00.
    assert!((mean - 0.5f64.sin()).abs() < 0.15);
    assert!((1.3..2.7).contains(&skewness));
    assert!((quantile(0.05) + 0.949).abs() < 0.15 && (quantile(0.95) - 1.996).abs() < 0.3);
}

#[test]
fn a_saved_flow_keeps_its_density() {
    let flow = fitted(Base::Learned, 200);
    let loaded = FittedFlow::from_bytes(&flow.to_bytes().unwrap()).unwrap();
    let rows = rows(50, 4);
    assert_eq!(loaded.log_prob(&rows), flow.log_prob(&rows));
    let draw = |flow: &FittedFlow| flow.draw(50, &[], &mut Seed(3).stream("draws")).unwrap();
    assert_eq!(draw(&loaded), draw(&flow));
    let set = [Intervention { node: 0, value: 0.5 }];
    assert_eq!(loaded.counterfactual(&rows, &set).unwrap(), flow.counterfactual(&rows, &set).unwrap());
    // Nothing is done: every row is itself again.
    let same = flow.counterfactual(&rows, &[]).unwrap();
    assert!(rows.iter().zip(same).all(|(a, b)| (a - b).abs() < 1e-9 * a.abs().max(1.0)));
}

#[test]
fn a_model_from_before_there_were_learned_densities_still_draws_the_same() {
    let flow =
        FittedFlow::from_bytes(include_bytes!("../../../fixtures/flow/gaussian_model.safetensors")).unwrap();
    let drawn = flow.draw(3, &[], &mut Seed(1).stream("oslow/sample")).unwrap();
    let before = [
        -0.6901101103029627,
        -0.572697309244254,
        0.30904075420381716,
        -0.11056721273048513,
        0.6656629589431848,
        -0.7080199960864678,
    ];
    assert!(drawn.iter().zip(before).all(|(now, before)| (now - before).abs() < 1e-12), "{drawn:?}");
}
