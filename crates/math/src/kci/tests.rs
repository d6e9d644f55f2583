use super::*;
use proptest::prelude::*;

/// Numbers of mean 0 and variance 1: sums of four uniform ones from the generator splitmix64, as in `fixtures/kci/make.py`.
fn noise(seed: u64, n: usize) -> Vec<f64> {
    let mut state = seed;
    let mut uniform = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let bits = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..n).map(|_| (uniform() + uniform() + uniform() + uniform() - 2.0) * 3f64.sqrt()).collect()
}

/// What a cause does to its effect.
fn mechanism(name: &str, s: f64) -> f64 {
    match name {
        "linear" => s,
        "sine" => (2.0 * s).sin() + 0.5 * s,
        "square" => 0.7 * s * s,
        "cube" => 0.3 * s * s * s,
        other => panic!("no mechanism `{other}`"),
    }
}

#[derive(serde::Deserialize)]
struct Case {
    seed: u64,
    rows: usize,
    given: usize,
    mechanism: String,
    strength: f64,
    p_value: f64,
}

impl Case {
    /// x, y, z…: the z cause both x and y, and x causes y.
    fn columns(&self) -> Vec<Vec<f64>> {
        let f = |s: f64| mechanism(&self.mechanism, s);
        let draw = |k: u64| noise(1000 * self.seed + k, self.rows);
        let z: Vec<Vec<f64>> = (0..self.given as u64).map(|j| draw(10 + j)).collect();
        let root = (self.given.max(1) as f64).sqrt();
        let s: Vec<f64> = (0..self.rows).map(|i| z.iter().map(|z| z[i]).sum::<f64>() / root).collect();
        let x: Vec<f64> = draw(1).iter().zip(&s).map(|(u, &s)| f(s) + u).collect();
        let effect = |(u, (&x, &s)): (&f64, (&f64, &f64))| f(s) + self.strength * f(x) + u;
        let y = draw(2).iter().zip(x.iter().zip(&s)).map(effect).collect();
        [x, y].into_iter().chain(z).collect()
    }
}

/// The fast test and the plain formulas.
fn both(columns: &[Vec<f64>]) -> [KciResult; 2] {
    let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let fast = kci_test(slices[0], slices[1], &slices[2..]).unwrap();
    [fast, reference::kci_test(slices[0], slices[1], &slices[2..])]
}

/// Within 10⁻³ of the oracle.
fn check(columns: &[Vec<f64>], expected: f64, what: &str) {
    let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let fast = kci_test(slices[0], slices[1], &slices[2..]).unwrap();
    assert!((fast.p_value - expected).abs() < 1e-3, "{what}: {fast:?}, causal-learn {expected}");
}

/// Within 10⁻⁶ of the plain formulas, and small p-values to four digits.
fn check_plain(columns: &[Vec<f64>], what: &str) {
    let [fast, plain] = both(columns);
    assert!((fast.p_value - plain.p_value).abs() < 1e-6, "{what}: {fast:?} {plain:?}");
    assert!((fast.p_value / plain.p_value).ln().abs() < 1e-4, "{what}: {fast:?} {plain:?}");
    assert!((fast.statistic / plain.statistic - 1.0).abs() < 1e-6, "{what}: {fast:?} {plain:?}");
}

#[test]
fn agrees_with_causal_learn() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../../../../fixtures/kci/tests.json")).unwrap();
    assert!(cases.len() >= 40);
    for case in cases {
        let (columns, name) = (case.columns(), format!("case {}", case.seed));
        check(&columns, case.p_value, &name);
        // The plain formulas take seconds with more rows.
        if case.rows <= 400 {
            check_plain(&columns, &name);
        }
    }
}

#[derive(serde::Deserialize)]
struct Shared {
    cases: Vec<SharedCase>,
}

#[derive(serde::Deserialize)]
struct SharedCase {
    name: String,
    x: usize,
    y: usize,
    cond: Vec<usize>,
    p_value: f64,
    data: Vec<Vec<f64>>,
}

#[test]
fn agrees_with_the_shared_oracle() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/fixtures/g_kci.json");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: the shared fixtures are not beside the project");
        return;
    };
    let shared: Shared = serde_json::from_str(&text).unwrap();
    for case in shared.cases {
        let named = [case.x, case.y].into_iter().chain(case.cond);
        let columns: Vec<_> = named.map(|j| case.data.iter().map(|row| row[j]).collect()).collect();
        check(&columns, case.p_value, &case.name);
        check_plain(&columns, &case.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn columns_of_any_kind_agree_with_the_plain_formulas(
        seed in 0u64..1_000_000, n in 5usize..60, given in 0usize..4, levels in 2u32..50,
    ) {
        // Few levels make ties, and kernel matrices that are exactly singular.
        let column = |j: u64| noise(10 * seed + j, n).iter().map(|v| (v * f64::from(levels)).round()).collect();
        let columns: Vec<Vec<f64>> = (0..2 + given as u64).map(column).collect();
        prop_assume!(columns.iter().all(|c| standardised(c).is_some()));
        let [fast, plain] = both(&columns);
        prop_assert!((fast.p_value - plain.p_value).abs() < 1e-6, "{:?} {:?}", fast, plain);
        prop_assert!((0.0..=1.0).contains(&fast.p_value));
    }

    #[test]
    fn scale_origin_and_names_do_not_matter(seed in 0u64..1_000_000, n in 20usize..120) {
        let [x, y, z, u] = [0, 1, 2, 3].map(|j| noise(10 * seed + j, n));
        let moved = |column: &[f64], a: f64, b: f64| column.iter().map(|v| a * v + b).collect::<Vec<_>>();
        let a = kci_test(&x, &y, &[&z, &u]).unwrap();
        let (x2, y2, z2) = (moved(&x, 1e5, 3.0), moved(&y, -1e-5, 1.0), moved(&z, 2.0, -7.0));
        let b = kci_test(&x2, &y2, &[&u, &z2]).unwrap();
        prop_assert!((a.p_value - b.p_value).abs() < 1e-6);
        // Without conditioning x and y are exchangeable; given z only one of them is joined with it.
        let (a, b) = (kci_test(&x, &y, &[]).unwrap(), kci_test(&y2, &x2, &[]).unwrap());
        prop_assert!((a.p_value - b.p_value).abs() < 1e-6);
    }
}

#[test]
fn a_kept_conditioning_set_changes_nothing() {
    let columns: Vec<Vec<f64>> = (0..5).map(|j| noise(j, 90)).collect();
    let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
    let kci = Kci::new(&slices).unwrap();
    for _ in 0..2 {
        let alone = kci_test(slices[0], slices[1], &[slices[2], slices[4]]).unwrap();
        assert_eq!(kci.test(0, 1, &[4, 2]).unwrap(), alone);
        assert_eq!(kci.test(0, 3, &[]).unwrap(), kci_test(slices[0], slices[3], &[]).unwrap());
    }
}

/// How often p < 0.05 where the null hypothesis holds.
fn share_refused(draws: u64, columns: impl Fn(u64) -> Vec<Vec<f64>>) -> f64 {
    let refused = |&draw: &u64| {
        let columns = columns(draw);
        let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        kci_test(slices[0], slices[1], &slices[2..]).unwrap().p_value < 0.05
    };
    (0..draws).filter(refused).count() as f64 / draws as f64
}

#[test]
fn p_values_are_calibrated_where_nothing_depends() {
    let draws = 1000;
    let error = (0.05 * 0.95 / draws as f64).sqrt();
    let marginal = share_refused(draws, |k| vec![noise(2 * k, 100), noise(2 * k + 1, 100)]);
    assert!((marginal - 0.05).abs() < 3.0 * error, "{marginal}");
    let fork = |k: u64| {
        let case = Case {
            seed: 7000 + k,
            rows: 200,
            given: 1,
            mechanism: "sine".into(),
            strength: 0.0,
            p_value: f64::NAN,
        };
        case.columns()
    };
    let conditional = share_refused(draws, fork);
    println!("{marginal} {conditional}");
    assert!(conditional < 0.05 + 3.0 * error, "{conditional}");
}

#[test]
fn bad_columns_are_refused() {
    let message = |x: &[f64], y: &[f64]| kci_test(x, y, &[]).unwrap_err().to_string();
    assert_eq!(message(&[1.0], &[1.0]), "1 rows: at least 2 are needed");
    assert_eq!(message(&[1.0, 2.0], &[1.0]), "column 1 has 1 rows, column 0 has 2");
    let constant = message(&[1.0, 2.0], &[3.0, 3.0]);
    assert_eq!(constant, "column 1 is constant or has a number that is not finite");
    assert_eq!(message(&[1.0, 2.0], &[3.0, f64::NAN]), constant);
}

#[test]
fn copies_of_each_other_and_of_the_condition_are_judged() {
    let [x, y] = [1, 2].map(|seed| noise(seed, 300));
    assert!(kci_test(&x, &x, &[]).unwrap().p_value < 1e-100);
    assert!(kci_test(&x, &x, &[&y]).unwrap().p_value < 1e-10);
    // Given x itself, nothing of x is left.
    let given_itself = kci_test(&x, &y, &[&x]).unwrap();
    assert!((0.0..=1.0).contains(&given_itself.p_value));
}
