//! Every family: drawn again it is the same, its model replays it, and what its name promises is there.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow_core::{ColumnType, Error, Intervention, Interventional, Result, Seed, Settings};
use oslow_scm::{FAMILIES, MIXES, Simulated, Spec, simulate};

fn spec(family: &str, nodes: usize) -> Spec {
    let settings: Settings = format!("family = '{family}'\nnodes = {nodes}").parse().unwrap();
    Spec::from_settings(&settings).unwrap()
}

fn draw(family: &str, nodes: usize, rows: usize, seed: u64) -> Simulated {
    simulate(&spec(family, nodes), rows, Seed(seed)).unwrap()
}

fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n)
}

#[test]
fn every_family_is_reproducible_and_replayed_by_its_model() {
    for family in FAMILIES {
        for nodes in [2, 5] {
            let simulated = draw(family.name, nodes, 60, 3);
            simulated.sample.check_informative().unwrap();
            assert_eq!((simulated.sample.columns(), simulated.dag.nodes()), (nodes, nodes));
            assert_eq!(simulated.sample, draw(family.name, nodes, 60, 3).sample, "{}", family.name);
            assert_ne!(simulated.sample, draw(family.name, nodes, 60, 4).sample, "{}", family.name);
            let replay = simulated.scm.draw(60, &[], &mut Seed(3).stream("scm/noise")).unwrap();
            assert_eq!(replay, simulated.sample.values(), "{}", family.name);
        }
    }
}

#[test]
fn ten_nodes_are_finite_and_pairs_always_have_an_edge() {
    for family in FAMILIES {
        assert!(draw(family.name, 10, 80, 1).sample.values().iter().all(|x| x.is_finite()));
        assert!((0..5).all(|seed| draw(family.name, 2, 30, seed).dag.edges().len() == 1), "{}", family.name);
    }
}

#[test]
fn columns_are_standardised_where_they_are_seen_as_they_are() {
    for family in FAMILIES.iter().filter(|family| spec(family.name, 5).seen == "as-is") {
        let sample = draw(family.name, 5, 100, 2).sample;
        let continuous = |node: &usize| sample.type_of(*node) == ColumnType::Continuous;
        for node in (0..5).filter(continuous) {
            let (mean, variance) = moments(&sample.column(node).collect::<Vec<_>>());
            assert!(mean.abs() < 1e-9 && (variance - 1.0).abs() < 1e-9, "{}", family.name);
        }
    }
}

#[test]
fn mixed_families_have_the_columns_that_they_say() {
    for seed in 0..4 {
        let sample = draw("mixed", 8, 200, seed).sample;
        let of = |kinds: &[ColumnType]| (0..8).filter(|&j| kinds.contains(&sample.type_of(j))).count();
        assert_eq!(of(&[ColumnType::Binary, ColumnType::Categorical]), 3);
        assert_eq!((of(&[ColumnType::Count]), of(&[ColumnType::Continuous])), (2, 3));
        for j in (0..8).filter(|&j| !sample.labels(j).is_empty()) {
            assert!(sample.column(j).all(|code| (code as usize) < sample.labels(j).len()));
        }
    }
}

/// With the same noise, setting a column to what it was in a row changes nothing in that row: no other column, and no
/// hidden one.
#[test]
fn an_intervention_that_sets_what_was_there_changes_nothing() {
    let ways = MIXES.iter().map(|mix| Spec { mix: mix.name.into(), hidden: 2, ..spec("any", 4) });
    let families = ["hidden", "any", "pnl-sinh", "nonadditive", "mixed"].map(|family| spec(family, 4));
    for spec in ways.chain(families) {
        let Simulated { sample, scm, .. } = simulate(&spec, 30, Seed(5)).unwrap();
        for node in 0..4 {
            for row in [0, 17] {
                let does = [Intervention { node, value: sample.values()[row * 4 + node] }];
                let table = scm.draw(30, &does, &mut Seed(5).stream("scm/noise")).unwrap();
                let (got, expected) = (&table[row * 4..row * 4 + 4], &sample.values()[row * 4..row * 4 + 4]);
                assert!(got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{spec:?}");
                assert!(table.iter().skip(node).step_by(4).all(|x| *x == does[0].value));
            }
        }
    }
}

#[test]
fn columns_that_are_not_seen_as_they_are_cannot_be_set() {
    let refusal = |family: &str| -> Result<Vec<f64>> {
        let does = [Intervention { node: 0, value: 1.0 }];
        draw(family, 3, 30, 1).scm.draw(5, &does, &mut Seed(0).stream("test"))
    };
    let seen: Vec<&str> =
        FAMILIES.iter().map(|family| family.name).filter(|name| spec(name, 3).seen != "as-is").collect();
    assert!(seen.len() >= 8);
    for family in seen {
        let error: Error = refusal(family).unwrap_err();
        assert!(error.is_input() && error.to_string().contains("not seen as they are"), "{family}: {error}");
        assert!(error.hint().unwrap().contains("as-is"));
    }
    // What the hint says is true: the same model in its own units.
    let (plain, grid) = (draw("mlp-gaussian", 3, 200, 1), draw("seen-grid-100", 3, 200, 1));
    let far = plain.sample.values().iter().zip(grid.sample.values()).map(|(a, b)| (a - b).abs());
    assert!(far.fold(0.0, f64::max) < 0.06, "half a step of about 0.07");
}

#[test]
fn what_is_seen_is_what_was_asked_for() {
    let distinct = |family: &str| {
        let mut column: Vec<f64> = draw(family, 2, 1000, 1).sample.column(0).collect();
        column.sort_by(f64::total_cmp);
        column.dedup();
        column.len()
    };
    assert!((8..=20).contains(&distinct("seen-grid-20")));
    assert!((40..=100).contains(&distinct("seen-grid-100")));
    let counts = draw("seen-counts", 4, 500, 1).sample;
    assert!(counts.values().iter().all(|x| *x >= 0.0 && x.fract() == 0.0));
    assert!(draw("seen-exp", 4, 500, 1).sample.values().iter().all(|x| *x > 0.0));
    // Measurement error is added to columns of variance 1.
    let measured = draw("seen-measured", 3, 4000, 1).sample;
    let (_, variance) = moments(&measured.column(1).collect::<Vec<_>>());
    assert!((variance - 1.16).abs() < 0.06, "{variance}");
}

#[test]
fn additive_noise_has_the_size_of_its_formula() {
    for seed in 0..20 {
        let Simulated { sample, dag, .. } = draw("linear-exponential", 2, 2000, seed);
        let (cause, effect) = dag.edges()[0];
        let products = sample.column(cause).zip(sample.column(effect)).map(|(x, y)| x * y);
        let correlation = products.sum::<f64>() / 2000.0;
        // R² = 1/(1 + a²) with a between 0.4 and 1.
        let r2 = correlation * correlation;
        assert!((0.44..0.90).contains(&r2), "{r2}");
    }
}

/// A root of its own has the kurtosis of its distribution, other nodes have Gaussian noise.
#[test]
fn roots_have_their_own_marginal() {
    for (family, expected) in [("root-uniform", 1.8), ("root-beta", 1.5), ("mlp-gaussian", 3.0)] {
        let Simulated { sample, dag, .. } = draw(family, 2, 4000, 6);
        let root: Vec<f64> = sample.column(dag.edges()[0].0).collect();
        let kurtosis = root.iter().map(|x| x.powi(4)).sum::<f64>() / 4000.0;
        assert!((kurtosis - expected).abs() < 0.25, "{family}: {kurtosis}");
    }
}

/// The share of a SIM effect's variance that its cause leaves, from neighbours in the order of the cause.
#[test]
fn low_noise_is_low() {
    let noise = |family: &str| {
        let of_pair = |seed| {
            let Simulated { sample, dag, .. } = draw(family, 2, 1000, seed);
            let (cause, effect) = dag.edges()[0];
            let mut pairs: Vec<(f64, f64)> = sample.column(cause).zip(sample.column(effect)).collect();
            pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
            let steps = pairs.windows(2).map(|two| (two[0].1 - two[1].1).powi(2)).sum::<f64>();
            steps / 2.0 / 999.0 / moments(&pairs.iter().map(|pair| pair.1).collect::<Vec<_>>()).1
        };
        (0..20).map(of_pair).sum::<f64>() / 20.0
    };
    let [plain, low] = [noise("sim"), noise("sim-ln")];
    assert!((0.2..0.9).contains(&plain) && low < 0.15, "{plain}, {low}");
}

#[test]
fn a_hidden_common_cause_is_in_no_table_and_makes_its_effects_dependent() {
    // Setting the cause cuts its arrow from the hidden node; the effect still varies with that node.
    let Simulated { scm, dag, sample } = draw("hidden", 2, 500, 2);
    let (cause, effect) = dag.edges()[0];
    assert_eq!((sample.columns(), scm.nodes().len(), scm.names().len()), (2, 2, 2));
    let does = [Intervention { node: cause, value: 0.0 }];
    let set = scm.draw(500, &does, &mut Seed(2).stream("scm/noise")).unwrap();
    let set: Vec<f64> = set.chunks(2).map(|row| row[effect]).collect();
    let seen: Vec<f64> = sample.column(cause).collect();
    let ((mean, variance), mut sorted) = (moments(&set), seen.clone());
    assert!(variance > 0.01);
    // Means of the effect under do(cause = 0), in four parts of the rows by the cause that was drawn in them: the same
    // hidden value made both, so that they differ.
    sorted.sort_by(f64::total_cmp);
    let part = |k: usize| {
        let inside = |x: &f64| (sorted[k * 125]..=sorted[k * 125 + 124]).contains(x);
        let chosen: Vec<f64> = set.iter().zip(&seen).filter(|(_, x)| inside(x)).map(|(y, _)| *y).collect();
        moments(&chosen).0
    };
    let error = (variance / 125.0).sqrt();
    assert!((0..4).any(|k| (part(k) - mean).abs() > 4.0 * error), "{:?}", [0, 1, 2, 3].map(part));
}
