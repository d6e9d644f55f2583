//! `var-sort` and `r2-sort` against the orders of the CausalDisco program.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow_core::{ForgetfulCheckpoint, Knowledge, Prepared, Preparing, Run, Sample, Seed, Settings, Silent};
use oslow_order::methods;

#[derive(serde::Deserialize)]
struct Case {
    nodes: usize,
    data: Vec<Vec<f64>>,
    var_order: Vec<usize>,
    r2_order: Vec<usize>,
}

/// The order, and how many are tied with it.
fn learn(method: &str, settings: &str, sample: &Sample) -> (Vec<usize>, Option<usize>) {
    let method = methods().find(|entry| entry.name == method).unwrap();
    let learner = (method.build)(&settings.parse::<Settings>().unwrap()).unwrap();
    let knowledge = Knowledge::none(sample.columns());
    let (observer, checkpoint) = (&mut Silent, &mut ForgetfulCheckpoint);
    let mut run = Run { seed: Seed(0), knowledge: &knowledge, threads: 1, observer, checkpoint };
    let found = learner.learn(&Prepared::new(sample, Preparing::as_given()).unwrap(), &mut run).unwrap();
    (found.order.unwrap().nodes().to_vec(), found.evidence.ties)
}

#[test]
fn the_orders_are_those_of_causal_disco() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../../fixtures/metrics/sortability.json")).unwrap();
    let mut compared = 0;
    for case in cases {
        let names = (0..case.nodes).map(|j| format!("X{j}")).collect();
        let sample = Sample::new(names, case.data.concat()).unwrap();
        for (method, expected) in [("var-sort", case.var_order), ("r2-sort", case.r2_order)] {
            let (order, ties) = learn(method, "", &sample);
            // Where there are ties, the other program goes by column.
            if ties == Some(1) {
                assert_eq!(order, expected, "{method}");
                let reversed: Vec<usize> = expected.into_iter().rev().collect();
                assert_eq!(learn(method, "descending = true", &sample).0, reversed, "{method}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 10, "of 12, two are tied");
}
