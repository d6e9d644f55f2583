use oslow_core::{ForgetfulCheckpoint, Knowledge, Observer, Preparing, Sample, Seed, Settings, Silent};
use oslow_scm::{Spec, simulate};

use super::conditionals::Conditionals;
use super::config::Model;
use super::connections::{add_gradient, connections};
use super::*;

/// Numbers of PyTorch's, see `fixtures/gran_dag/make.py`. Weights are [layer][variable][out][in].
#[derive(serde::Deserialize)]
struct Case {
    model: Model,
    hidden: Vec<usize>,
    mask: Vec<Vec<f64>>,
    x: Vec<Vec<f64>>,
    weights: Vec<Vec<Vec<Vec<f64>>>>,
    biases: Vec<Vec<Vec<f64>>>,
    log_sd: Vec<f64>,
    nll: f64,
    connections: Vec<Vec<f64>>,
    h: f64,
    sensitivities: Vec<Vec<f64>>,
    slope: f64,
    weight_gradients: Vec<Vec<Vec<Vec<f64>>>>,
    bias_gradients: Vec<Vec<Vec<f64>>>,
    log_sd_gradient: Vec<f64>,
}

/// The parameters as our networks hold them.
fn flat(weights: &[Vec<Vec<Vec<f64>>>], biases: &[Vec<Vec<f64>>]) -> Vec<f64> {
    let mut theta = Vec::new();
    for (layer, (weights, biases)) in weights.iter().zip(biases).enumerate() {
        let (d, units, inputs) = (weights.len(), weights[0].len(), weights[0][0].len());
        let at = |j: usize, input: usize| (0..units).map(move |out| weights[j][out][input]);
        match layer {
            0 => theta.extend((0..inputs).flat_map(|input| (0..d).flat_map(move |j| at(j, input)))),
            _ => theta.extend((0..d).flat_map(|j| (0..inputs).flat_map(move |input| at(j, input)))),
        }
        theta.extend(biases.concat());
    }
    theta
}

fn assert_near(ours: &[f64], expected: &[f64], what: &str) {
    assert_eq!(ours.len(), expected.len(), "{what}");
    for (k, (a, b)) in ours.iter().zip(expected).enumerate() {
        assert!((a - b).abs() < 1e-12, "{what}, {k}: {a} {b}");
    }
}

#[test]
fn likelihood_connections_constraint_and_gradients_are_those_of_torch() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/gran_dag/networks.json");
    let cases: Vec<Case> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(cases.len(), 4);
    for case in cases {
        let (d, mask, x) = (case.mask.len(), case.mask.concat(), case.x.concat());
        let rng = &mut Seed(0).stream("test");
        let mut conditionals = Conditionals::<f64>::new(d, case.model, &case.hidden, rng);
        conditionals.networks.theta = flat(&case.weights, &case.biases);
        conditionals.log_scales.clone_from(&case.log_sd);
        assert_near(&[conditionals.nll(&mask, &x)], &[case.nll], "nll");
        assert_near(&conditionals.sensitivities(&mask, &x), &case.sensitivities.concat(), "sensitivities");
        let found = connections(&conditionals.networks, &mask);
        assert_near(&found, &case.connections.concat(), "connections");
        let knowledge = Knowledge::none(d);
        let cyclicity = Edges::new(&knowledge).cyclicity(&found);
        assert_near(&[cyclicity.h], &[case.h], "h");
        conditionals.differentiate(&mask, &x);
        let slopes: Vec<f64> = cyclicity.slopes.iter().map(|slope| slope * case.slope).collect();
        add_gradient(&mut conditionals.networks, &mask, &slopes);
        let expected = flat(&case.weight_gradients, &case.bias_gradients);
        assert_near(&conditionals.networks.gradient, &expected, "gradient");
        assert_near(&conditionals.log_scale_gradient, &case.log_sd_gradient, "gradient of log-scales");
    }
}

fn learn(settings: &str, sample: &Sample, knowledge: &Knowledge, observer: &mut dyn Observer) -> Learned {
    let settings: Settings = settings.parse().unwrap();
    let checkpoint = &mut ForgetfulCheckpoint;
    let mut run = Run { seed: Seed(1), knowledge, threads: 1, observer, checkpoint };
    (METHODS[0].build)(&settings)
        .unwrap()
        .learn(&Prepared::new(sample, Preparing::as_given()).unwrap(), &mut run)
        .unwrap()
}

#[test]
fn training_ends_without_cycles_and_tightens_on_the_way() {
    let spec = Spec { nodes: 4, mechanism: "gaussian-process".into(), additive: true, ..Spec::default() };
    let data = simulate(&spec, 300, Seed(3)).unwrap();
    for model in ["additive", "gaussian"] {
        let settings = format!("model = '{model}'\nrate = 0.01");
        let found = learn(&settings, &data.sample, &Knowledge::none(4), &mut Silent);
        assert!(found.order.is_none() && found.dag.is_some() && !found.interrupted);
        let rows = found.history.unwrap().rows;
        let (first, last) = (&rows[0], &rows[rows.len() - 1]);
        assert!(last[0] < 100_000.0, "it ended by itself");
        assert!(first[2] > 0.01 && last[2] < 1e-3 * first[2], "cyclicity {} {}", first[2], last[2]);
        assert!(last[3] > first[3] && last[4] > first[4], "{model}: μ and λ grew");
    }
}

#[test]
fn knowledge_decides_what_the_data_does_not() {
    let spec = Spec { nodes: 4, graph: "tournament".into(), ..Spec::default() };
    let data = simulate(&spec, 300, Seed(1)).unwrap();
    let nodes = data.dag.topological_order().nodes().to_vec();
    let (required, forbidden) = ((nodes[3], nodes[2]), (nodes[0], nodes[1]));
    let (tiers, names) = ([vec![nodes[1]], vec![nodes[0]]], data.sample.names());
    let knowledge = Knowledge::new(names, &tiers, &[required], &[forbidden], &[], &[]).unwrap();
    for settings in
        ["iterations = 300", "iterations = 20000\nrate = 0.01", "preselect = 'always'\niterations = 200"]
    {
        let dag = learn(settings, &data.sample, &knowledge, &mut Silent).dag.unwrap();
        assert!(dag.has(required.0, required.1) && !dag.has(forbidden.0, forbidden.1), "{settings}");
        let before = (0..16).map(|k| dag.has(k / 4, k % 4) || knowledge.precedence().requires(k / 4, k % 4));
        let closed = oslow_core::Precedence::from_relation(4, before.collect());
        assert!((0..4).all(|node| !closed.requires(node, node)), "{settings}: a path against the tiers");
    }
}

/// Stops at the first sign of progress.
struct Impatient;

impl Observer for Impatient {
    fn on_event(&mut self, _: &Event<'_>) -> std::ops::ControlFlow<()> {
        std::ops::ControlFlow::Break(())
    }
}

#[test]
fn a_stop_among_the_trees_leaves_what_is_known() {
    let data = simulate(&Spec { nodes: 3, ..Spec::default() }, 100, Seed(2)).unwrap();
    let knowledge = Knowledge::new(data.sample.names(), &[], &[(2, 0)], &[], &[], &[]).unwrap();
    let found = learn("preselect = 'always'\ntrees = 20", &data.sample, &knowledge, &mut Impatient);
    assert_eq!((found.dag.unwrap().edges(), found.interrupted), (vec![(2, 0)], true));
    let found = learn("", &data.sample, &knowledge, &mut Impatient);
    assert!(found.dag.unwrap().has(2, 0) && found.interrupted);
}
