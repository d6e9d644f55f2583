//! Losses against numpy, and what every combination of settings promises.

use oslow_core::{
    Dag, Event, ForgetfulCheckpoint, Knowledge, Ordering, Preparing, Sample, Seed, Settings, Silent,
};
use oslow_metrics::cbc;
use oslow_scm::{Spec, simulate};
use rand::RngExt;

use super::*;

fn names(d: usize) -> Vec<String> {
    (0..d).map(|j| format!("X{j}")).collect()
}

fn table(sample: &Sample) -> Table {
    Table::new(&Prepared::new(sample, Preparing::as_given()).unwrap())
}

/// Three columns in different units, by formula.
fn waves() -> Sample {
    let unit = [1.0, 2.0, 0.5];
    let value = |row: f64, j: f64| (1.7 * row + 0.9 * j * j).sin() + 0.6 * (0.8 * row * j + j).cos();
    let values = (0..36).map(|k| unit[k % 3] * value((k / 3) as f64, (k % 3) as f64)).collect();
    Sample::new(names(3), values).unwrap()
}

/// numpy: `lstsq` of each column on those before it, then d/2·(1 + ln(2π·s²)) with s² the mean square of all residuals.
const LINEAR_LOSSES: [([usize; 3], f64); 6] = [
    ([0, 1, 2], 4.061_788_337_610_403),
    ([0, 2, 1], 3.037_262_147_054_143),
    ([1, 0, 2], 4.455_332_802_056_243),
    ([1, 2, 0], 4.375_712_814_887_345),
    ([2, 0, 1], 2.830_103_597_973_51),
    ([2, 1, 0], 3.474_810_839_270_456),
];

fn linear() -> DaguerreotypeConfig {
    DaguerreotypeConfig { equations: config::Equations::Linear, l2: 0.0, ..DaguerreotypeConfig::default() }
}

fn learn(settings: &str, sample: &Sample, knowledge: &Knowledge, seed: u64) -> Learned {
    let settings: Settings = settings.parse().unwrap();
    let (observer, checkpoint) = (&mut Silent, &mut ForgetfulCheckpoint);
    let mut run = Run { seed: Seed(seed), knowledge, threads: 1, observer, checkpoint };
    (METHODS[0].build)(&settings)
        .unwrap()
        .learn(&Prepared::new(sample, Preparing::as_given()).unwrap(), &mut run)
        .unwrap()
}

/// Every combination of the four choices.
fn combinations() -> Vec<String> {
    let mut all = vec![String::new()];
    for choices in [
        ["operator = 'top-k-sparsemax'", "operator = 'sparsemap'"],
        ["equations = 'linear'", "equations = 'nonlinear'"],
        ["edges = 'none'", "edges = 'bernoulli'"],
        ["optimisation = 'bilevel'", "optimisation = 'joint'"],
    ] {
        all = all.iter().flat_map(|before| choices.map(|choice| format!("{before}{choice}\n"))).collect();
    }
    all
}

#[test]
fn linear_losses_are_those_of_numpy_whatever_the_optimisation() {
    let (table, none, config) = (table(&waves()), Knowledge::none(3), linear());
    let orders: Vec<Ordering> =
        LINEAR_LOSSES.iter().map(|(order, _)| Ordering::new(order.to_vec()).unwrap()).collect();
    let mut bilevel = Bilevel::new(&config, &table, &none, Seed(1));
    let losses = bilevel.losses(&orders, &[]).unwrap();
    assert!(losses.iter().zip(LINEAR_LOSSES).all(|(a, (_, b))| (a - b).abs() < 1e-9), "{losses:?}");
    // One order at a time, so that the shared equations have nothing to share.
    for (order, (_, exact)) in orders.iter().zip(LINEAR_LOSSES) {
        let mut joint = Joint::new(&config, &table, &none, Seed(1), 0);
        let mut loss = 0.0;
        for _ in 0..1500 {
            loss = joint.losses(std::slice::from_ref(order), &[1.0]).unwrap()[0];
        }
        assert!((loss - exact).abs() < 1e-3, "{order:?}: {loss}, not {exact}");
    }
}

#[test]
fn forbidden_causes_are_not_in_the_equations() {
    let (table, config) = (table(&waves()), linear());
    let loss = |knowledge: &Knowledge, nodes: [usize; 3]| {
        let order = Ordering::new(nodes.to_vec()).unwrap();
        Bilevel::new(&config, &table, knowledge, Seed(1)).losses(&[order], &[]).unwrap()[0]
    };
    let edges = [(0, 1), (0, 2), (1, 2), (2, 1)];
    let no_edge = Knowledge::new(&names(3), &[], &[], &edges, &[], &[]).unwrap();
    let variance = table.variances.iter().sum::<f64>() / 3.0;
    assert!((loss(&no_edge, [0, 1, 2]) - table::nll(3, variance)).abs() < 1e-9);
    // Without 1 → 2, no equation knows which of the two comes last.
    let one = Knowledge::new(&names(3), &[], &[], &[(1, 2), (2, 1)], &[], &[]).unwrap();
    assert!((loss(&one, [0, 1, 2]) - loss(&one, [0, 2, 1])).abs() < 1e-12);
}

#[test]
fn a_network_explains_a_curve_and_coins_keep_its_cause() {
    let noise = |k: usize| 0.1 * ((k * k) as f64 * 0.37).sin();
    let wave = |k: usize| k as f64 / 75.0 - 2.0;
    let values = (0..300).flat_map(|k| [wave(k), wave((k * 7919) % 300), (2.0 * wave(k)).sin() + noise(k)]);
    let sample = Sample::new(names(3), values.collect()).unwrap();
    let (table, none) = (table(&sample), Knowledge::none(3));
    let order = Ordering::identity(3);
    let config = DaguerreotypeConfig { edges: EdgeMask::Bernoulli, edge_penalty: 0.01, ..Default::default() };
    for mut equations in [
        Box::new(Bilevel::new(&config, &table, &none, Seed(1))) as Box<dyn Losses>,
        Box::new(Joint::new(&config, &table, &none, Seed(1), 0)),
    ] {
        (0..300).for_each(|_| drop(equations.losses(std::slice::from_ref(&order), &[1.0]).unwrap()));
        equations.remember();
        assert_eq!(equations.graph(&order).unwrap().edges(), [(0, 2)]);
    }
    // What is left of the third column is its noise, of variance 0.005; the first explains nothing of the second.
    let plain = DaguerreotypeConfig::default();
    let loss = Bilevel::new(&plain, &table, &none, Seed(1)).losses(&[order], &[]).unwrap()[0];
    let left = (loss * 2.0 / 3.0).exp() / (std::f64::consts::TAU * std::f64::consts::E) * 3.0;
    let noise = left - table.variances[0] - table.variances[1];
    assert!(noise.abs() < 0.05, "{noise}");
}

#[test]
fn every_combination_honours_what_is_known() {
    let spec = Spec { nodes: 4, graph: "tournament".into(), ..Spec::default() };
    let data = simulate(&spec, 200, Seed(1)).unwrap();
    let nodes = data.dag.topological_order().nodes().to_vec();
    let (required, forbidden) = ((nodes[3], nodes[2]), (nodes[0], nodes[1]));
    let (tiers, names) = ([vec![nodes[1]], vec![nodes[0]]], data.sample.names());
    let knowledge = Knowledge::new(names, &tiers, &[required], &[forbidden], &[], &[]).unwrap();
    for settings in combinations() {
        let short = format!("{settings}epochs = 15\ninner_steps = 10\nhidden = 8");
        let found = learn(&short, &data.sample, &knowledge, 1);
        assert!(knowledge.precedence().admits(&found.order.unwrap()), "{settings}");
        assert_eq!(found.dag.is_some(), settings.contains("bernoulli"));
        if let Some(dag) = found.dag {
            assert!(dag.has(required.0, required.1) && !dag.has(forbidden.0, forbidden.1), "{settings}");
        }
    }
}

/// A chain with noises of equal variance, over columns in random order.
fn chain(seed: u64) -> (Sample, Dag) {
    let mut rng = Seed(seed).stream("test");
    let nodes = Ordering::random(4, &mut rng).nodes().to_vec();
    let mut values = vec![0.0; 4 * 400];
    for row in values.chunks_exact_mut(4) {
        let mut before = 0.0;
        for &node in &nodes {
            before = 0.9 * before + rng.random_range(-1.0..1.0);
            row[node] = before;
        }
    }
    let edges: Vec<_> = nodes.windows(2).map(|pair| (pair[0], pair[1])).collect();
    (Sample::new(names(4), values).unwrap(), Dag::new(4, &edges).unwrap())
}

#[test]
fn equal_variances_give_the_order_away() {
    let error = |settings: &str, seed: u64| {
        let (sample, dag) = chain(seed);
        cbc(&dag, &learn(settings, &sample, &Knowledge::none(4), seed).order.unwrap()).unwrap()
    };
    for (settings, most) in [
        ("equations = 'linear'", 0.1),
        ("equations = 'linear'\noperator = 'sparsemap'", 0.1),
        // Shared equations need time to learn, or the scores settle before them.
        ("equations = 'linear'\noptimisation = 'joint'\ntheta_rate = 0.01\nrate = 0.1", 0.25),
    ] {
        let mean = (0..6).map(|seed| error(settings, seed)).sum::<f64>() / 6.0;
        assert!(mean < most, "{settings}: {mean}");
    }
}

#[test]
fn a_stopped_run_answers_with_the_lowest_loss() {
    struct AtOnce;
    impl oslow_core::Observer for AtOnce {
        fn on_event(&mut self, _: &Event<'_>) -> std::ops::ControlFlow<()> {
            std::ops::ControlFlow::Break(())
        }
    }
    for seed in 0..5 {
        let (knowledge, observer, checkpoint) = (&Knowledge::none(3), &mut AtOnce, &mut ForgetfulCheckpoint);
        let mut run = Run { seed: Seed(seed), knowledge, threads: 1, observer, checkpoint };
        let found =
            linear().learn(&Prepared::new(&waves(), Preparing::as_given()).unwrap(), &mut run).unwrap();
        assert_eq!((found.order.unwrap().nodes(), found.interrupted), (&[2, 0, 1][..], true));
    }
}

#[test]
fn it_ends_when_it_has_settled() {
    let found = learn("equations = 'linear'\npatience = 20", &waves(), &Knowledge::none(3), 1);
    let rows = found.history.unwrap().rows;
    for start in 0..5 {
        let steps = rows.iter().filter(|row| row[0] == f64::from(start)).count();
        assert!((21..1000).contains(&steps), "{steps}");
    }
    let lowest = rows.iter().map(|row| row[2]).fold(f64::INFINITY, f64::min);
    assert_eq!((found.evidence.objective, found.interrupted), (Some(lowest), false));
    assert_eq!(found.order.unwrap().nodes(), [2, 0, 1], "numpy's lowest loss");
}
