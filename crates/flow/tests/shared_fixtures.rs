//! Numbers of the public implementation (PyTorch, float64), kept beside the project: flows, inverses and
//! interventions. Skipped with a message where the folder is absent.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod torch_layout;

use std::path::PathBuf;

use oslow_core::{Intervention, Knowledge, Ordering};
use oslow_flow::{Activation, Base, Engine, FlowConfig, Head, Layout, Mask, invert};
use serde_json::Value;
use torch_layout::{narrow, numbers, place, widen, worst};

fn shared(name: &str) -> Option<Value> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/fixtures")).join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(serde_json::from_str(&text).unwrap()),
        Err(_) => {
            eprintln!("skipped: shared/fixtures/{name} is not here");
            None
        }
    }
}

/// The flow of a fixture, by its description.
fn load(flow: &Value) -> (Layout, Vec<f64>) {
    let d = flow["d"].as_u64().unwrap() as usize;
    let config = FlowConfig {
        hidden: numbers(&flow["hidden"]).iter().map(|&h| h as usize).collect(),
        activation: Activation::LeakyRelu,
        head: Head::Raw,
        actnorm: !flow["actnorm"].is_null(),
        base: if flow["base"] == "normal" { Base::Gaussian } else { Base::Laplace },
        ..FlowConfig::default()
    };
    let layout = Layout::new(d, &config);
    let mut theta = vec![0.0; layout.len];
    let transform = &layout.transforms[0];
    for (net, key) in [(&transform.shift, "shift_net"), (&transform.scale, "scale_net")] {
        place(net, d, &mut theta, |layer, what| numbers(&flow[key][layer][what]));
    }
    if let Some((log_scale, shift)) = &transform.actnorm {
        theta[log_scale.clone()].copy_from_slice(&numbers(&flow["actnorm"]["log_scale"]));
        theta[shift.clone()].copy_from_slice(&numbers(&flow["actnorm"]["shift"]));
    }
    (layout, theta)
}

fn order(ranks: &Value) -> Ordering {
    let ranks: Vec<usize> = numbers(ranks).iter().map(|&r| r as usize).collect();
    Ordering::from_positions(&ranks).unwrap()
}

/// A gradient by parameter name, in our layout.
fn gradient(layout: &Layout, grad: &Value) -> Vec<f64> {
    let mut expected = vec![0.0; layout.len];
    let transform = &layout.transforms[0];
    for (net, key) in [(&transform.shift, "shift"), (&transform.scale, "scale")] {
        place(net, layout.d, &mut expected, |layer, what| {
            numbers(&grad[format!("0.masked_mlp_{key}.{layer}.{what}")])
        });
    }
    if let Some((log_scale, shift)) = &transform.actnorm {
        let find = |what: &str| {
            let entries = grad.as_object().unwrap();
            let (_, value) =
                entries.iter().find(|(name, _)| !name.contains("mlp") && name.ends_with(what)).unwrap();
            numbers(value)
        };
        expected[log_scale.clone()].copy_from_slice(&find("log_scale"));
        expected[shift.clone()].copy_from_slice(&find("shift"));
    }
    expected
}

fn equal_depth(all: &Value) -> impl Iterator<Item = &Value> {
    all["flows"].as_array().unwrap().iter().filter(|flow| flow["arch"] == "equal_depth")
}

#[test]
fn densities_and_gradients_are_those_of_the_public_flow() {
    let Some(all) = shared("a_flows.json") else { return };
    let none = Knowledge::none(4);
    let mut checked = 0;
    for flow in equal_depth(&all) {
        let (layout, theta) = load(flow);
        let (x, theta32) = (numbers(&flow["x"]), narrow(&theta));
        let x32 = narrow(&x);
        for perm in flow["perms"].as_array().unwrap() {
            let mask = [Mask::hard(&order(&perm["rank_of_variable"]), &none)];
            let log_prob: Vec<f64> = numbers(&perm["log_prob"]).iter().map(|p| -p).collect();

            let mut engine = Engine::<f64>::new(&layout);
            let (z, nll) = engine.evaluate_rows(&theta, &x, &mask[0]);
            assert!(worst(&z, &numbers(&perm["z"])) < 1e-9 && worst(&nll, &log_prob) < 1e-9);
            let mut got = vec![0.0; layout.len];
            engine.gradient(&theta, &x, &mask, &[1.0], &mut got, 0).unwrap();
            let expected = gradient(&layout, &perm["grad"]);
            assert!(worst(&got, &expected) < 1e-7, "{}", worst(&got, &expected));

            let mut engine = Engine::<f32>::new(&layout);
            let (z, nll) = engine.evaluate_rows(&theta32, &x32, &mask[0]);
            assert!(worst(&widen(&z), &numbers(&perm["z"])) < 1e-5 && worst(&nll, &log_prob) < 1e-5);
            let mut got = vec![0.0; layout.len];
            engine.gradient(&theta32, &x32, &mask, &[1.0], &mut got, 0).unwrap();
            assert!(worst(&widen(&got), &expected) < 1e-3);
            checked += 1;
        }
        mixed_batch(flow, &layout, &theta, &x);
    }
    assert_eq!(checked, 16);
}

/// One permutation per row: the gradients of the rows, each under its own mask, add up.
fn mixed_batch(flow: &Value, layout: &Layout, theta: &[f64], x: &[f64]) {
    let mixed = &flow["mixed_batch"];
    let rows = mixed["rank_per_row"].as_array().unwrap();
    let mut got = vec![0.0; layout.len];
    let mut log_prob = Vec::new();
    for (row, ranks) in x.chunks(layout.d).zip(rows) {
        let mask = [Mask::hard(&order(ranks), &Knowledge::none(layout.d))];
        let weight = [1.0 / rows.len() as f64];
        let evaluation =
            Engine::<f64>::new(layout).gradient(theta, row, &mask, &weight, &mut got, 0).unwrap();
        log_prob.push(-evaluation.nll[0]);
    }
    assert!(worst(&log_prob, &numbers(&mixed["log_prob"])) < 1e-9);
    assert!(worst(&got, &gradient(layout, &mixed["grad"])) < 1e-7);
}

#[test]
fn inverses_and_interventions_are_those_of_the_paper() {
    let (Some(all), Some(inverses), Some(actions)) =
        (shared("a_flows.json"), shared("d_inverse.json"), shared("e_intervene.json"))
    else {
        return;
    };
    let mut checked = 0;
    for flow in equal_depth(&all) {
        let (layout, theta) = load(flow);
        let cases = |list: &Value| -> Vec<Value> {
            list.as_array().unwrap().iter().filter(|case| case["flow"] == flow["id"]).cloned().collect()
        };
        let run = |case: &Value, interventions: &[Intervention]| {
            let order = order(&case["rank_of_variable"]);
            let mask = Mask::hard(&order, &Knowledge::none(layout.d));
            let z = numbers(&case["z"]);
            let precise = invert(&layout, &theta, &order, &mask, &z, interventions);
            let fast = invert(&layout, &narrow(&theta), &order, &mask, &narrow(&z), interventions);
            assert!(worst(&widen(&fast), &precise) < 1e-4);
            (precise, mask, z)
        };
        for case in cases(&inverses) {
            let (x, mask, z) = run(&case, &[]);
            assert!(worst(&x, &numbers(&case["x"])) < 1e-9);
            let (back, _) = Engine::<f64>::new(&layout).evaluate_rows(&theta, &x, &mask);
            assert!(worst(&back, &z) < 1e-12);
            checked += 1;
        }
        for case in cases(&actions) {
            let node = case["do_index"].as_u64().unwrap() as usize;
            let set = [Intervention { node, value: case["do_value"].as_f64().unwrap() }];
            assert!(worst(&run(&case, &set).0, &numbers(&case["x_do"])) < 1e-9);
            checked += 1;
        }
    }
    assert_eq!(checked, 16 + 32);
}
