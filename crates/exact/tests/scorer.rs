//! Scores against what is known in closed form.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use oslow_core::{
    Checkpoint, ForgetfulCheckpoint, Knowledge, MemoryCheckpoint, Prepared, Preparing, Sample, Seed, Silent,
};
use oslow_exact::{LocalConfig, LocalScores, Location, Noise, NoiseChoice, Score, Scorer, Watch};
use oslow_scm::{Simulated, Spec, simulate};
use rand::RngExt;

fn pair(mechanism: &str, noise: &str, additive: bool, seed: u64) -> (Sample, usize, usize) {
    let spec = Spec {
        graph: "path".into(),
        nodes: 2,
        mechanism: mechanism.into(),
        noise: noise.into(),
        additive,
        ..Spec::default()
    };
    let Simulated { sample, dag, .. } = simulate(&spec, 1000, Seed(seed)).unwrap();
    let (cause, effect) = dag.edges()[0];
    (sample, cause, effect)
}

fn prepared(sample: &Sample) -> Prepared {
    Prepared::new(sample, Preparing::as_given()).unwrap()
}

fn scorer(sample: &Sample) -> Scorer {
    scorer_with(sample, &LocalConfig::default())
}

fn scorer_with(sample: &Sample, config: &LocalConfig) -> Scorer {
    Scorer::new(&prepared(sample), config, Seed(1)).unwrap()
}

/// The variance of what a straight line leaves.
fn residual_variance(sample: &Sample, x: usize, y: usize) -> f64 {
    let n = sample.rows() as f64;
    let mean = |j: usize| sample.column(j).sum::<f64>() / n;
    let covariance = |i: usize, j: usize| {
        let (a, b) = (mean(i), mean(j));
        sample.column(i).zip(sample.column(j)).map(|(x, y)| (x - a) * (y - b)).sum::<f64>() / n
    };
    covariance(y, y) - covariance(x, y).powi(2) / covariance(x, x)
}

#[test]
fn linear_normal_data_have_the_entropy_of_their_residuals() {
    let (sample, x, y) = pair("linear", "gaussian", true, 1);
    let scorer = scorer(&sample);
    let entropy = |variance: f64| 0.5 * (2.0 * std::f64::consts::PI * std::f64::consts::E * variance).ln();
    let score = scorer.score(y, &[x]);
    let expected = entropy(residual_variance(&sample, x, y));
    assert!((score.nll - expected).abs() < 0.02, "{} against {expected}", score.nll);
    let root = scorer.score(x, &[]);
    let n = sample.rows() as f64;
    let (sum, squares) = sample.column(x).fold((0.0, 0.0), |(s, q), v| (s + v, q + v * v));
    let expected = entropy(squares / n - (sum / n).powi(2));
    assert!((root.nll - expected).abs() < 0.01, "{} against {expected}", root.nll);
    assert_eq!(score.rows.len(), 1000);
}

#[test]
fn noise_in_proportion_to_its_cause_is_followed_down_to_none() {
    let mut rng = Seed(8).stream("test");
    let values: Vec<f64> = (0..1000)
        .flat_map(|_| {
            let x: f64 = rng.random();
            [x, x * rng.random::<f64>()]
        })
        .collect();
    let sample = Sample::new(vec!["x".into(), "y".into()], values).unwrap();
    // y is uniform on [0, x]: with its own mean and variance, a normal density says
    let said = |(x, y): (f64, f64)| {
        let deviation = x / 12f64.sqrt();
        deviation.ln() + 0.5 * ((y - x / 2.0) / deviation).powi(2) + 0.5 * std::f64::consts::TAU.ln()
    };
    let best = sample.column(0).zip(sample.column(1)).map(said).sum::<f64>() / 1000.0;
    let nll = scorer(&sample).score(1, &[0]).nll;
    assert!(nll < best + 0.04, "{nll} against {best}");
}

#[test]
fn scores_are_in_the_units_of_the_table() {
    let (sample, x, y) = pair("sinusoid", "gaussian", false, 2);
    let values = sample.values().chunks_exact(2).flat_map(|row| [row[0] * 10.0, row[1] * 10.0]);
    let larger = Sample::new(sample.names().to_vec(), values.collect()).unwrap();
    let shift = scorer(&larger).score(y, &[x]).nll - scorer(&sample).score(y, &[x]).nll;
    assert!((shift - 10f64.ln()).abs() < 1e-3, "{shift}");
}

#[test]
fn the_family_is_that_of_the_data() {
    let (sample, x, y) = pair("linear", "laplace", true, 3);
    assert_eq!(scorer(&sample).score(y, &[x]).family.noise, Some(Noise::Laplace));
    let (sample, x, y) = pair("sinusoid", "gaussian", false, 3);
    let family = scorer(&sample).score(y, &[x]).family;
    assert!(family.affine && family.noise == Some(Noise::Gaussian), "{family:?}");
    let told = LocalConfig { noise: NoiseChoice::Laplace, ..LocalConfig::default() };
    let family = scorer_with(&sample, &told).score(y, &[x]).family;
    assert_eq!(family.noise, Some(Noise::Laplace));
    let (normal, x, y) = pair("linear", "gaussian", true, 3);
    let family = scorer_with(&normal, &told).score(y, &[x]).family;
    assert_eq!(family.noise, Some(Noise::Laplace), "what was told is fitted, however unlikely");
}

#[test]
fn a_mixture_is_taken_where_no_other_noise_fits() {
    let two = LocalConfig { noise: NoiseChoice::GaussianOrLaplace, ..LocalConfig::default() };
    let both = |sample: &Sample, x: usize, y: usize| {
        (scorer(sample).score(y, &[x]), scorer_with(sample, &two).score(y, &[x]))
    };
    let (sample, x, y) = pair("linear", "uniform", true, 3);
    let (any, fixed) = both(&sample, x, y);
    // A uniform density gains ½ ln(2πe/12) = 0.176 nats over the normal one of its variance, if it is known.
    assert_eq!(any.family.noise, Some(Noise::Mixture));
    assert!(any.nll < fixed.nll - 0.1, "{} against {}", any.nll, fixed.nll);
    let (sample, x, y) = pair("linear", "gaussian", true, 3);
    let (any, fixed) = both(&sample, x, y);
    assert!(any.family.noise == Some(Noise::Gaussian) && any == fixed, "{:?}", any.family);
}

/// A table whose last column is a draw of a Gaussian process over the first four, with noise; the others have nothing to do with it.
fn four_causes(columns: usize, rows: usize) -> Sample {
    let spec = Spec {
        graph: "given".into(),
        nodes: columns,
        edges: (0..4).map(|cause| (cause, columns - 1)).collect(),
        mechanism: "gaussian-process".into(),
        ..Spec::default()
    };
    simulate(&spec, rows, Seed(11)).unwrap().sample
}

#[test]
fn a_process_is_taken_where_units_are_too_few() {
    let sample = four_causes(5, 1000);
    let score = |smooth: bool, parents: &[usize]| {
        let scorer = scorer(&sample);
        if smooth { scorer.with_processes() } else { scorer }.score(4, parents)
    };
    let (units, process) = (score(false, &[0, 1, 2, 3]), score(true, &[0, 1, 2, 3]));
    assert_eq!((units.family.location, process.family.location), (Location::Units, Location::Process));
    assert!(process.nll < units.nll - 0.02, "{} against {}", process.nll, units.nll);
    assert_eq!(score(true, &[0]), score(false, &[0]), "of one cause units know enough");
}

#[test]
fn causes_that_interact_are_candidates_and_all_their_sets_are_scored() {
    let sample = four_causes(10, 1000);
    let allowed: Vec<Vec<usize>> = (0..10).map(|j| if j == 9 { (0..9).collect() } else { vec![] }).collect();
    let largest_set = |interacting: usize| {
        let config = LocalConfig { interacting, steps: 5, ..LocalConfig::default() };
        let watch = Watch { observer: &mut Silent, checkpoint: &mut ForgetfulCheckpoint };
        let knowledge = Knowledge::none(10);
        let scores =
            LocalScores::compute(&prepared(&sample), &config, &allowed, &knowledge, Seed(1), watch).unwrap();
        let candidates = &scores.candidates()[9];
        let causes: u32 =
            (0..4).filter_map(|j| candidates.iter().position(|c| *c == j)).map(|bit| 1 << bit).sum();
        (causes.count_ones(), scores.of(9)[causes as usize].is_some())
    };
    assert_eq!(largest_set(6), (4, true));
    assert!(
        matches!(largest_set(0), (0..4, _) | (_, false)),
        "the first causes tell something alone: no test"
    );
}

#[test]
fn scores_do_not_depend_on_what_was_allowed_before() {
    let sample = four_causes(5, 600);
    let config = LocalConfig {
        all_candidates_up_to: 2,
        folds: 2,
        location_units: 3,
        steps: 5,
        ..LocalConfig::default()
    };
    let compute = |allowed: &[Vec<usize>], checkpoint: &mut dyn Checkpoint| {
        let watch = Watch { observer: &mut Silent, checkpoint };
        let knowledge = Knowledge::none(5);
        let scores =
            LocalScores::compute(&prepared(&sample), &config, allowed, &knowledge, Seed(1), watch).unwrap();
        let of = |node: usize| scores.of(node).to_vec();
        (scores.candidates(), (0..5).map(of).collect::<Vec<_>>())
    };
    // Along the order of the causes processes are needed, along its reverse they are not.
    let causal: Vec<Vec<usize>> = (0..5).map(|node| (0..node).collect()).collect();
    let reverse: Vec<Vec<usize>> = (0..5).map(|node| (node + 1..5).rev().collect()).collect();
    let alone = [&causal, &reverse].map(|allowed| compute(allowed, &mut ForgetfulCheckpoint));
    let processes = |(_, scores): &(Vec<Vec<usize>>, Vec<Vec<Option<Score>>>)| {
        scores.iter().flatten().flatten().any(|score| score.family.location == Location::Process)
    };
    assert_eq!([&alone[0], &alone[1]].map(processes), [true, false], "otherwise nothing is tested");
    let mut kept = MemoryCheckpoint::default();
    for allowed in [&causal, &reverse, &causal] {
        let expected = &alone[usize::from(allowed == &reverse)];
        assert_eq!(&compute(allowed, &mut kept), expected);
    }
}

#[test]
fn the_causal_direction_predicts_better_and_an_unrelated_column_does_not_help() {
    for (mechanism, noise) in [("sinusoid", "gaussian"), ("polynomial", "gaussian"), ("linear", "laplace")] {
        let (sample, x, y) = pair(mechanism, noise, false, 4);
        let scorer = scorer(&sample);
        let nll = |node: usize, parents: &[usize]| scorer.score(node, parents).nll;
        let (forward, backward) = (nll(x, &[]) + nll(y, &[x]), nll(y, &[]) + nll(x, &[y]));
        assert!(forward < backward - 0.01, "{mechanism}: {forward} against {backward}");
    }
    let (sample, x, y) = pair("sinusoid", "gaussian", false, 5);
    let other = pair("sinusoid", "gaussian", false, 6).0;
    let rows = (0..1000).flat_map(|i| [sample.value(i, x), sample.value(i, y), other.value(i, 0)]);
    let sample = Sample::new(vec!["x".into(), "y".into(), "z".into()], rows.collect()).unwrap();
    let scorer = scorer(&sample);
    let gain = scorer.score(1, &[0]).nll - scorer.score(1, &[0, 2]).nll;
    assert!(gain < LocalConfig::default().price(1000), "an unrelated column gains {gain}");
}

#[test]
fn knowledge_and_candidates_are_kept() {
    let spec = Spec { graph: "tournament".into(), nodes: 4, ..Spec::default() };
    let sample = simulate(&spec, 200, Seed(7)).unwrap().sample;
    let text = format!("required = [['{}', '{}']]", sample.names()[2], sample.names()[0]);
    let knowledge = Knowledge::from_toml(&text, sample.names()).unwrap();
    let allowed = [vec![1, 2], vec![2], vec![], vec![0, 1, 2]];
    let watch = Watch { observer: &mut Silent, checkpoint: &mut ForgetfulCheckpoint };
    let config = LocalConfig::default();
    let scores =
        LocalScores::compute(&prepared(&sample), &config, &allowed, &knowledge, Seed(1), watch).unwrap();
    assert_eq!(scores.candidates(), allowed);
    let scored = |node: usize| -> Vec<bool> { scores.of(node).iter().map(Option::is_some).collect() };
    assert_eq!(scored(0), [false, false, true, true], "sets without the required cause are not scored");
    assert_eq!((scored(2).len(), scored(3).len()), (1, 8));
    let costs = scores.costs(&LocalConfig { price: 0.5, shape_price: 0.0, ..config.clone() });
    assert_eq!(costs[0].costs()[0], f64::INFINITY);
    assert!((costs[1].costs()[1] - scores.of(1)[1].as_ref().unwrap().nll - 0.5).abs() < 1e-12);
}
