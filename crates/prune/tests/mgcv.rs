//! The additive regressions and their tests against mgcv (`fixtures/cam`).
//!
//! mgcv computes p-values with an absolute tolerance of 2e-5: smaller ones come out as 0 or as anything up to that. So all p-values
//! below 2e-5 are compared as 2e-5. It also stops at the first minimum of GCV, and where one λ is 1e-4 and another 1e8 its GCV is off by
//! 1e-5 of its value (a term that is written as linear, `PKC` and not `s(PKC)`, shows it); such regressions have other degrees of freedom
//! than ours, so that only those are compared digit by digit whose GCV agrees.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow_core::{
    Dag, ForgetfulCheckpoint, Knowledge, Ordering, Prepared, Preparing, Pruned, Run, Sample, Seed, Settings,
    Silent, find,
};
use oslow_math::{AdditiveFit, SmoothBasis, Smoothing, ThinPlate, fit_additive};

/// mgcv's tolerance.
const FLOOR: f64 = 2e-5;

#[derive(serde::Deserialize)]
struct Case {
    name: String,
    order: Vec<String>,
    sums_of_squares: Vec<f64>,
    nodes: Vec<Node>,
}

#[derive(serde::Deserialize)]
struct Node {
    node: String,
    k: usize,
    gcv: f64,
    candidates: Vec<String>,
    edf: Vec<f64>,
    reference_df: Vec<f64>,
    p_value: Vec<f64>,
}

/// The generator of `fixtures/cam/make.R`, to the last bit.
struct Generator(f64);

impl Generator {
    fn uniform(&mut self) -> f64 {
        self.0 = (16807.0 * self.0) % 2_147_483_647.0;
        self.0 / 2_147_483_647.0
    }

    fn noise(&mut self) -> f64 {
        (0..12).fold(-6.0, |sum, _| sum + self.uniform())
    }
}

fn simulated(seed: f64, spread: f64) -> Sample {
    const D: usize = 20;
    const N: usize = 500;
    let mut random = Generator(seed);
    let mut x = vec![0.0; N * D];
    for node in 0..D {
        let mut causes: Vec<usize> = Vec::new();
        for _ in 0..node.min(3) {
            let cause = (random.uniform() * node as f64).floor() as usize;
            if !causes.contains(&cause) {
                causes.push(cause);
            }
        }
        let kinds: Vec<f64> = causes.iter().map(|_| (random.uniform() * 3.0).floor()).collect();
        for row in x.chunks_exact_mut(D) {
            let mut value = if node == 0 { 1.0 } else { spread } * random.noise();
            for (&cause, &kind) in causes.iter().zip(&kinds) {
                let cause: f64 = row[cause];
                value += match kind as usize {
                    0 => 2.0 * cause * cause / (1.0 + cause * cause),
                    1 => 2.0 * cause / (1.0 + cause.abs()),
                    _ => cause / 2.0,
                };
            }
            row[node] = value;
        }
    }
    Sample::new((0..D).map(|j| format!("X{j}")).collect(), x).unwrap()
}

/// Mean 0 and variance 1 with n − 1, as R has it.
fn standardised(sample: &Sample) -> Sample {
    let n = sample.rows() as f64;
    let mut values = vec![0.0; sample.rows() * sample.columns()];
    for j in 0..sample.columns() {
        let mean = sample.column(j).sum::<f64>() / n;
        let sd = (sample.column(j).map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
        for (i, x) in sample.column(j).enumerate() {
            values[i * sample.columns() + j] = (x - mean) / sd;
        }
    }
    Sample::new(sample.names().to_vec(), values).unwrap()
}

fn cases() -> Vec<(Case, Sample)> {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../../../fixtures/cam/mgcv.json")).unwrap();
    let sample = |case: &Case| match case.name.as_str() {
        "sachs" => standardised(&oslow_data::load("sachs").unwrap().sample),
        "simulated-20231" => simulated(20231.0, 0.5),
        _ => simulated(777.0, 0.15),
    };
    cases.into_iter().map(|case| (sample(&case), case)).map(|(sample, case)| (case, sample)).collect()
}

#[test]
fn the_simulated_tables_are_those_of_the_fixture() {
    for (case, sample) in cases().iter().skip(1) {
        for (j, sum) in case.sums_of_squares.iter().enumerate() {
            let ours: f64 = sample.column(j).map(|x| x * x).sum();
            assert!((ours / sum - 1.0).abs() < 1e-9, "{} {j}", case.name);
        }
    }
}

/// Our fit of each of a case's regressions.
fn fits(case: &Case, sample: &Sample) -> Vec<AdditiveFit> {
    let index = |name: &String| sample.names().iter().position(|known| known == name).unwrap();
    let column = |j: usize| sample.column(j).collect::<Vec<f64>>();
    let plates: Vec<ThinPlate> =
        (0..sample.columns()).map(|j| ThinPlate::new(&column(j), 10).unwrap()).collect();
    let fit = |node: &Node| {
        let basis = |name: &String| plates[index(name)].basis(node.k).unwrap();
        let bases: Vec<SmoothBasis> = node.candidates.iter().map(basis).collect();
        fit_additive(&column(index(&node.node)), &bases.iter().collect::<Vec<_>>(), Smoothing::Gcv).unwrap()
    };
    case.nodes.iter().map(fit).collect()
}

fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>() / pairs.len() as f64;
    let (a, b) = (mean(&|p| p.0), mean(&|p| p.1));
    let (aa, bb) = (mean(&|p| (p.0 - a).powi(2)), mean(&|p| (p.1 - b).powi(2)));
    mean(&|p| (p.0 - a) * (p.1 - b)) / (aa * bb).sqrt()
}

#[test]
fn p_values_are_those_of_mgcv() {
    let mut nodes = (0, 0, 0);
    for (case, sample) in cases() {
        let mut logs = Vec::new();
        for (node, fit) in case.nodes.iter().zip(fits(&case, &sample)) {
            let place = format!("{}, {}", case.name, node.node);
            let above = fit.gcv / node.gcv - 1.0;
            nodes.0 += 1;
            nodes.1 += usize::from(above > 1e-4);
            let same = above.abs() < 1e-6;
            nodes.2 += usize::from(same);
            for (i, term) in fit.terms.iter().enumerate() {
                let log = |p: f64| p.max(FLOOR).log10();
                logs.push((log(term.p_value), log(node.p_value[i])));
                if same {
                    let candidate = &node.candidates[i];
                    let near = |ours: f64, theirs: f64, tolerance: f64| {
                        assert!((ours - theirs).abs() < tolerance, "{place}, {candidate}: {ours} {theirs}");
                    };
                    near(term.edf, node.edf[i], 2e-3);
                    near(term.reference_df, node.reference_df[i], 4e-3);
                    near(term.p_value, node.p_value[i], FLOOR + 0.01 * node.p_value[i]);
                }
            }
        }
        let r = correlation(&logs);
        println!("{}: log p-values correlate {r:.5} over {} edges", case.name, logs.len());
        assert!(r > 0.99, "{}: {r}", case.name);
    }
    println!(
        "{} regressions: {} have a higher GCV than mgcv's by 1e-4, {} the same",
        nodes.0, nodes.1, nodes.2
    );
    assert!(nodes.1 * 10 <= nodes.0 && nodes.2 * 2 >= nodes.0, "{nodes:?}");
}

fn prune(sample: &Sample, order: &[String]) -> Pruned {
    let words: Vec<&str> = order.iter().map(String::as_str).collect();
    let order = Ordering::from_names(&words, sample.names()).unwrap();
    let mut run = Run {
        seed: Seed(0),
        knowledge: &Knowledge::none(order.len()),
        threads: 1,
        observer: &mut Silent,
        checkpoint: &mut ForgetfulCheckpoint,
    };
    let entry = find("pruner", "cam", oslow_prune::pruners()).unwrap();
    (entry.build)(&Settings::new())
        .unwrap()
        .prune(&Prepared::new(sample, Preparing::as_given()).unwrap(), &Dag::tournament(&order), &mut run)
        .unwrap()
}

#[test]
fn decisions_are_those_of_mgcv() {
    for (case, sample) in cases() {
        let dag = prune(&sample, &case.order).dag;
        let index = |name: &String| sample.names().iter().position(|known| known == name).unwrap();
        let (mut edges, mut agree) = (0, 0);
        for node in &case.nodes {
            for (from, p) in node.candidates.iter().zip(&node.p_value) {
                edges += 1;
                agree += usize::from(dag.has(index(from), index(&node.node)) == (*p < 1e-3));
            }
        }
        println!("{}: {agree} of {edges} decisions agree", case.name);
        assert!(agree * 100 >= edges * 98, "{}: {agree} of {edges}", case.name);
    }
}
