//! How right the orders are, on data whose settings' choice saw none of it.
//!
//! The long parts are run by `cargo xtask accept`; what they printed is kept in `results/`.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::path::PathBuf;
use std::time::Instant;

use oslow_core::{
    Dag, ForgetfulCheckpoint, Knowledge, Learned, Ordering, Prepared, Preparing, Run, Sample, Seed, Settings,
    Silent, find,
};
use oslow_metrics::cbc;
use oslow_order::methods;
use oslow_scm::{Spec, simulate};

fn learn(method: &str, settings: &str, sample: &Sample, seed: u64) -> Learned {
    learn_prepared(method, settings, &Prepared::new(sample, Preparing::as_given()).unwrap(), seed)
}

fn learn_prepared(method: &str, settings: &str, sample: &Prepared, seed: u64) -> Learned {
    let method = find("method", method, methods()).unwrap();
    let settings: Settings = settings.parse().unwrap();
    let knowledge = Knowledge::none(sample.columns());
    let mut run = Run {
        seed: Seed(seed),
        knowledge: &knowledge,
        threads: 2,
        observer: &mut Silent,
        checkpoint: &mut ForgetfulCheckpoint,
    };
    (method.build)(&settings).unwrap().learn(sample, &mut run).unwrap()
}

/// The CBC of the answer and of the order that this rule would have given.
fn errors(truth: &Dag, found: &Learned, rule: &str) -> (f64, f64) {
    let judge = |order: &Ordering| cbc(truth, order).unwrap();
    let other = found.evidence.alternatives.iter().find(|other| other.rule == rule).unwrap();
    (judge(found.order.as_ref().unwrap()), judge(&other.order))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn standard_error(values: &[f64]) -> f64 {
    let m = mean(values);
    let n = values.len() as f64;
    (values.iter().map(|v| (v - m).powi(2)).sum::<f64>() / (n - 1.0) / n).sqrt()
}

/// The affine sinusoid tournaments on which the public implementation was run: names, samples, truths.
fn reference_runs(d: usize) -> Vec<(String, Sample, Dag)> {
    let folder =
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/fixtures/reference_runs"));
    if !folder.exists() {
        eprintln!("skipped: shared/fixtures/reference_runs is not here");
        return Vec::new();
    }
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let numbers = |lines: &str| -> Vec<f64> {
        lines.lines().flat_map(|line| line.split(',').map(|v| v.parse().unwrap())).collect()
    };
    let load = |seed: u64| {
        let name = format!("affine_sinusoid_full_d{d}_seed{seed}");
        let (table, adjacency) = (read(&format!("{name}.csv")), numbers(&read(&format!("{name}.dag.csv"))));
        let (header, rows) = table.split_once('\n').unwrap();
        let (names, values) = (header.trim().split(',').map(String::from).collect(), numbers(rows));
        let edges: Vec<(usize, usize)> =
            (0..d * d).filter(|&k| adjacency[k] != 0.0).map(|k| (k / d, k % d)).collect();
        (name, Sample::new(names, values).unwrap(), Dag::new(d, &edges).unwrap())
    };
    [42, 712, 8374].map(load).into()
}

/// Mean CBC over data sets and seeds, printed row by row.
fn judge_reference_runs(d: usize, seeds: u64) -> Option<f64> {
    let mut all = Vec::new();
    for (name, sample, truth) in reference_runs(d) {
        for seed in 0..seeds {
            let start = Instant::now();
            let (answer, mode) = errors(&truth, &learn("oslow", "", &sample, seed), "mode");
            let seconds = start.elapsed().as_secs_f64();
            println!("{name}, seed {seed}: CBC {answer:.3} (mode alone {mode:.3}), {seconds:.1} s");
            all.push(answer);
        }
    }
    (!all.is_empty()).then(|| mean(&all))
}

#[test]
fn reference_sets_of_four_nodes() {
    if let Some(error) = judge_reference_runs(4, 1) {
        assert!(error <= 0.03, "mean CBC {error}");
    }
}

#[test]
#[ignore = "takes a minute: cargo xtask accept"]
fn reference_sets_over_seeds() {
    for (d, most) in [(4, 0.03), (5, 0.05)] {
        if let Some(error) = judge_reference_runs(d, 3) {
            println!("d = {d}: mean CBC {error:.4} over 3 sets × 3 seeds");
            assert!(error <= most, "d = {d}: mean CBC {error}");
        }
    }
}

#[test]
#[ignore = "takes ten minutes: cargo xtask accept"]
fn fresh_affine_sinusoids() {
    println!("d graph seed | oslow | its mode | gumbel-sinkhorn | random");
    let mut rows: Vec<[f64; 4]> = Vec::new();
    for nodes in 3..=6 {
        for graph in ["path", "tournament", "erdos-renyi"] {
            for seed in 1000..1004 {
                let spec = Spec { nodes, graph: graph.into(), ..Spec::default() };
                let data = simulate(&spec, 1000, Seed(seed)).unwrap();
                let (answer, mode) = errors(&data.dag, &learn("oslow", "", &data.sample, 0), "mode");
                let sinkhorn = learn("oslow-gumbel-sinkhorn", "", &data.sample, 0);
                let random = learn("random", "", &data.sample, seed);
                let judge = |found: &Learned| cbc(&data.dag, found.order.as_ref().unwrap()).unwrap();
                let row = [answer, mode, judge(&sinkhorn), judge(&random)];
                println!("{nodes} {graph} {seed} | {}", row.map(|v| format!("{v:.3}")).join(" | "));
                rows.push(row);
            }
        }
    }
    let column = |k: usize| rows.iter().map(|row| row[k]).collect::<Vec<f64>>();
    for (k, name) in ["oslow", "its mode, unrefined", "oslow-gumbel-sinkhorn", "random"].iter().enumerate() {
        println!(
            "{name}: {:.3} ± {:.3} (standard error, {} sets)",
            mean(&column(k)),
            standard_error(&column(k)),
            rows.len()
        );
    }
    for (k, name) in [(0, "oslow"), (1, "its mode, unrefined")] {
        let difference: Vec<f64> = rows.iter().map(|row| row[2] - row[k]).collect();
        println!("gumbel-sinkhorn − {name}: {:.3} ± {:.3}", mean(&difference), standard_error(&difference));
        assert!(mean(&difference) > 2.0 * standard_error(&difference));
    }
    assert!(mean(&column(0)) <= 0.07);
}

/// The OSLow paper's table has a mean CBC of .38 for SCORE.
#[test]
fn score_on_standardised_syntren() {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/syntren"));
    if !folder.exists() {
        eprintln!("skipped: shared/data/syntren is not here");
        return;
    }
    let read = |name: String| -> (Vec<String>, Vec<f64>) {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let (header, rows) = text.split_once('\n').unwrap();
        let numbers = rows.lines().flat_map(|line| line.split(',').map(|v| v.trim().parse().unwrap()));
        (header.trim().split(',').map(String::from).collect(), numbers.collect())
    };
    let error = |set: usize| {
        let ((names, values), (_, adjacency)) =
            (read(format!("data{set}.csv")), read(format!("DAG{set}.csv")));
        let (d, sample) = (names.len(), Sample::new(names, values).unwrap());
        let scaled = Prepared::new(&sample, Preparing::default()).unwrap();
        let edges: Vec<(usize, usize)> =
            (0..d * d).filter(|&k| adjacency[k] != 0.0).map(|k| (k / d, k % d)).collect();
        cbc(&Dag::new(d, &edges).unwrap(), &learn_prepared("score", "", &scaled, 0).order.unwrap()).unwrap()
    };
    let errors: Vec<f64> = (1..=10).map(error).collect();
    assert!((mean(&errors) - 0.38).abs() < 0.02, "{errors:?}");
}

/// Additive models with Gaussian-process mechanisms and Gaussian noise: what `score` and `cam` assume (`cam` where each effect has
/// few causes, a process over several being no sum).
#[test]
#[ignore = "takes half a minute: cargo xtask accept"]
fn additive_nonparametric_data() {
    let methods =
        [("score", ""), ("cam", ""), ("cam", "preselect = false"), ("direct-lingam", ""), ("random", "")];
    println!("d graph seed | {}", methods.map(|(name, settings)| format!("{name} {settings}")).join(" | "));
    let mut rows: Vec<[f64; 5]> = Vec::new();
    for nodes in 3..=6 {
        for graph in ["path", "tournament", "erdos-renyi"] {
            for seed in 600..606 {
                let mechanism = "gaussian-process".into();
                let spec = Spec { nodes, graph: graph.into(), mechanism, additive: true, ..Spec::default() };
                let data = simulate(&spec, 1000, Seed(seed)).unwrap();
                let judge = |(method, settings): (&str, &str)| {
                    cbc(&data.dag, learn(method, settings, &data.sample, seed).order.as_ref().unwrap())
                        .unwrap()
                };
                let row = methods.map(judge);
                println!("{nodes} {graph} {seed} | {}", row.map(|v| format!("{v:.3}")).join(" | "));
                rows.push(row);
            }
        }
    }
    for (k, (name, settings)) in methods.iter().enumerate() {
        let column: Vec<f64> = rows.iter().map(|row| row[k]).collect();
        let (mean, error) = (mean(&column), standard_error(&column));
        println!("{name} {settings}: {mean:.3} ± {error:.3} (standard error, {} sets)", column.len());
        assert!(k > 1 || mean <= 0.05, "{name}: mean CBC {mean}");
    }
}
