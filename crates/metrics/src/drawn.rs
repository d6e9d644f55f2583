//! Graphs for tests: drawn ones, and those of the fixtures with what other programs say about them.

use oslow_core::Dag;
use proptest::prelude::*;

/// The graph whose edges follow an order; `kept` chooses among the pairs.
pub(crate) fn along(order: &[usize], kept: &[bool]) -> Dag {
    let d = order.len();
    let pairs = (0..d).flat_map(|a| (a + 1..d).map(move |b| (order[a], order[b])));
    let edges: Vec<_> = pairs.zip(kept).filter(|(_, keep)| **keep).map(|(edge, _)| edge).collect();
    Dag::new(d, &edges).unwrap()
}

/// Graphs of all densities over `d` nodes.
pub(crate) fn dags(d: usize) -> impl Strategy<Value = Dag> {
    let order = Just((0..d).collect::<Vec<_>>()).prop_shuffle();
    let kept =
        (0.05..0.95).prop_flat_map(move |p| prop::collection::vec(prop::bool::weighted(p), d * (d - 1) / 2));
    (order, kept).prop_map(|(order, kept)| along(&order, &kept))
}

/// Pairs of graphs over the same nodes.
pub(crate) fn pairs(d: usize) -> impl Strategy<Value = (Dag, Dag)> {
    (dags(d), dags(d))
}

/// The graph of an adjacency matrix, row → column.
pub(crate) fn from_rows(rows: &[Vec<u8>]) -> Dag {
    let d = rows.len();
    let cells = (0..d).flat_map(|a| (0..d).map(move |b| (a, b)));
    let edges: Vec<_> = cells.filter(|&(a, b)| rows[a][b] == 1).collect();
    Dag::new(d, &edges).unwrap()
}

/// The example of the help page of the SID program: G and its two guesses, of which only the second misleads.
pub(crate) fn sid_example() -> [Dag; 3] {
    let shared = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)];
    let [mut more, mut reversed] = [shared.to_vec(), shared.to_vec()];
    more.push((2, 3));
    reversed[0] = (1, 0);
    [shared.to_vec(), more, reversed].map(|edges| Dag::new(5, &edges).unwrap())
}

#[derive(serde::Deserialize)]
struct Case {
    nodes: usize,
    truth: Vec<(usize, usize)>,
    guess: Vec<(usize, usize)>,
    values: std::collections::BTreeMap<String, Option<f64>>,
}

/// Compares a measure with what other programs found on the pairs of `fixtures/metrics/graphs.json`.
pub(crate) fn agrees_with_fixtures(name: &str, measure: impl Fn(&Dag, &Dag) -> Option<f64>) {
    let text = include_str!("../../../fixtures/metrics/graphs.json");
    let cases: Vec<Case> = serde_json::from_str(text).unwrap();
    assert!(cases.len() >= 40);
    for case in cases {
        let [truth, guess] = [&case.truth, &case.guess].map(|edges| Dag::new(case.nodes, edges).unwrap());
        match (measure(&truth, &guess), case.values[name]) {
            (Some(got), Some(expected)) => {
                assert!((got - expected).abs() < 1e-12, "{name}: {got}, {expected}")
            }
            (got, expected) => assert_eq!(got, expected, "{name}"),
        }
    }
}

/// The same with the shared oracle, where it is beside the project; `key` is its name for the measure.
pub(crate) fn agrees_with_the_shared_oracle(key: &str, measure: impl Fn(&Dag, &Dag) -> usize) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/fixtures/f_dag_metrics.json");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: the shared fixtures are not beside the project");
        return;
    };
    let cases: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    assert!(cases.len() >= 30);
    for case in cases {
        let graph =
            |which: &str| from_rows(&serde_json::from_value::<Vec<Vec<u8>>>(case[which].clone()).unwrap());
        assert_eq!(measure(&graph("true"), &graph("est")) as u64, case[key].as_u64().unwrap());
    }
}
