//! Checks of assumptions: what they see, and that they are quiet where nothing is wrong.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow_core::{
    Check, Dag, ForgetfulCheckpoint, Knowledge, Prepared, Preparing, Rng, Sample, Seed, Silent,
};
use oslow_exact::{LocalConfig, LocalScores, Watch};
use rand_distr::{Distribution, StandardNormal};

const ROWS: usize = 400;

fn normal(rng: &mut Rng) -> f64 {
    StandardNormal.sample(rng)
}

/// The checks of a graph on rows that are drawn one after the other.
fn checks(edges: &[(usize, usize)], seed: u64, mut row: impl FnMut(&mut Rng) -> [f64; 3]) -> Vec<Check> {
    let mut rng = Seed(seed).stream("rows");
    checks_of((0..ROWS).flat_map(|_| row(&mut rng)).collect(), edges, seed)
}

/// The checks of a graph on rows of three columns.
fn checks_of(values: Vec<f64>, edges: &[(usize, usize)], seed: u64) -> Vec<Check> {
    let names = ["a", "b", "c"].map(String::from).to_vec();
    let sample = Sample::new(names.clone(), values).unwrap();
    let sample = Prepared::new(&sample, Preparing::default()).unwrap();
    let (dag, config) = (Dag::new(3, edges).unwrap(), LocalConfig::default());
    let watch = Watch { observer: &mut Silent, checkpoint: &mut ForgetfulCheckpoint };
    let scores =
        LocalScores::of_graph(&sample, &dag, &config, &Knowledge::none(dag.nodes()), Seed(seed), watch)
            .unwrap();
    scores.checks((&dag, &dag), &names, &config, Seed(seed)).unwrap()
}

fn violated(checks: &[Check]) -> Vec<(&'static str, Vec<usize>)> {
    checks.iter().filter(|check| check.violated).map(|check| (check.name, check.columns.clone())).collect()
}

#[test]
fn they_are_quiet_where_the_graph_is_right() {
    for seed in 0..5 {
        let found = checks(&[(0, 1), (1, 2)], seed, |rng| {
            let a = normal(rng);
            let b = a.sin() + 0.5 * normal(rng);
            [a, b, (1.0 + 0.5 * b.tanh()) * normal(rng) - b]
        });
        assert_eq!(violated(&found), [], "seed {seed}");
        // Two edges, one pair without an edge, three columns along the rows, copies, and two edges again.
        assert_eq!(found.len(), 2 + 1 + 3 + 1 + 2);
        assert!(found.iter().all(|check| check.p_value.is_none_or(|p| (0.0..=1.0).contains(&p))));
    }
}

#[test]
fn a_rare_value_that_no_kernel_sees_is_no_failure() {
    let mut rng = Seed(1).stream("rows");
    // Kernels look at every third row.
    let row = |k: usize| {
        let a = normal(&mut rng);
        [a, a.sin() + 0.5 * normal(&mut rng), f64::from(u8::from(k == 500))]
    };
    let found = checks_of((0..1000).flat_map(row).collect(), &[(0, 1), (2, 1)], 1);
    let tested = |name: &str, columns: &[usize]| {
        found.iter().any(|check| check.name == name && check.columns == columns)
    };
    assert!(
        tested("residuals-independent", &[1, 0]) && !tested("residuals-independent", &[1, 2]),
        "{found:?}"
    );
}

#[test]
fn a_hidden_common_cause_is_seen() {
    let found = checks(&[(0, 1)], 1, |rng| {
        let hidden = normal(rng);
        let a = hidden + 0.5 * normal(rng);
        [a, a * a + 0.5 * normal(rng), hidden.cos() + hidden + 0.5 * normal(rng)]
    });
    assert!(violated(&found).contains(&("no-hidden-cause", vec![0, 2])), "{found:?}");
}

#[test]
fn a_wrong_direction_is_seen() {
    let found = checks(&[(1, 0)], 1, |rng| {
        let a = normal(rng);
        [a, a * a + 0.3 * normal(rng), normal(rng)]
    });
    assert_eq!(violated(&found), [("residuals-independent", vec![0, 1])]);
}

#[test]
fn rows_that_follow_each_other_are_seen() {
    let mut last = 0.0;
    let found = checks(&[], 1, |rng| {
        last = 0.6 * last + normal(rng);
        [normal(rng), last, normal(rng)]
    });
    assert_eq!(violated(&found), [("rows-independent", vec![1])]);
}

#[test]
fn copies_and_edges_of_a_few_rows_are_seen() {
    let mut count = 0;
    let mut row = [0.0; 3];
    let found = checks(&[(0, 1)], 1, |rng| {
        count += 1;
        if count % 10 != 0 {
            row = [normal(rng), normal(rng), normal(rng)];
        }
        row
    });
    assert!(violated(&found).contains(&("no-copied-rows", vec![])), "{found:?}");
    // A cause that explains three rows and nothing else.
    let mut count = 0;
    let found = checks(&[(0, 1)], 1, |rng| {
        count += 1;
        let far = if count % 130 == 0 { 30.0 } else { 0.0 };
        [far + normal(rng), far + normal(rng), normal(rng)]
    });
    assert!(violated(&found).contains(&("many-rows-agree", vec![0, 1])), "{found:?}");
}

#[test]
fn columns_that_determine_each_other_are_named() {
    let found = checks(&[(0, 1)], 1, |rng| {
        let a = normal(rng);
        [a, a.exp(), normal(rng)]
    });
    assert!(violated(&found).contains(&("not-determined", vec![0, 1])), "{found:?}");
}
