//! `direct-lingam` against the orders of the lingam program.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow_core::{
    ForgetfulCheckpoint, Knowledge, Prepared, Preparing, Run, Sample, Seed, Settings, Silent, find,
};
use oslow_order::methods;

const ROWS: usize = 500;

#[derive(serde::Deserialize)]
struct Case {
    seed: u64,
    nodes: usize,
    noise: String,
    order: Vec<usize>,
}

/// The generator splitmix64, in [0, 1).
fn uniform(mut state: u64) -> impl FnMut() -> f64 {
    move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let bits = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The quantile u of the Laplace distribution.
fn laplace(u: f64) -> f64 {
    (1.0 - 2.0 * (u - 0.5).abs()).ln().abs().copysign(u - 0.5)
}

/// The table of a case, as `fixtures/direct_lingam/make.py` draws it.
fn table(case: &Case) -> Sample {
    let (mut next, d) = (uniform(case.seed), case.nodes);
    let keys: Vec<f64> = (0..d).map(|_| next()).collect();
    let mut weights = vec![0.0; d * d];
    for j in 0..d {
        for i in 0..j {
            let sign = if next() < 0.5 { 1.0 } else { -1.0 };
            let size = 0.5 + next();
            weights[j * d + i] = if next() < 0.5 { sign * size } else { 0.0 };
        }
    }
    let mut columns: Vec<usize> = (0..d).collect();
    columns.sort_by(|&a, &b| keys[a].total_cmp(&keys[b]));
    let mut values = Vec::new();
    for _ in 0..ROWS {
        let mut row = Vec::new();
        for j in 0..d {
            let u = next();
            let noise = if case.noise == "laplace" { laplace(u) } else { u - 0.5 };
            row.push((0..j).fold(noise, |value, i| value + weights[j * d + i] * row[i]));
        }
        values.extend(columns.iter().map(|&j| row[j]));
    }
    Sample::new((0..d).map(|j| format!("X{j}")).collect(), values).unwrap()
}

#[test]
fn the_orders_are_those_of_lingam() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../../fixtures/direct_lingam/orders.json")).unwrap();
    assert_eq!(cases.len(), 20);
    let method = find("method", "direct-lingam", methods()).unwrap();
    let learner = (method.build)(&Settings::new()).unwrap();
    for case in cases {
        let knowledge = Knowledge::none(case.nodes);
        let (observer, checkpoint) = (&mut Silent, &mut ForgetfulCheckpoint);
        let mut run = Run { seed: Seed(0), knowledge: &knowledge, threads: 1, observer, checkpoint };
        let order = learner
            .learn(&Prepared::new(&table(&case), Preparing::as_given()).unwrap(), &mut run)
            .unwrap()
            .order
            .unwrap();
        assert_eq!(order.nodes(), case.order, "seed {}", case.seed);
    }
}
