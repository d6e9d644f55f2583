//! Numbers of PyTorch for every option of the flow (`fixtures/flow/make.py`): densities, gradients, inverses,
//! interventions, and masks that are doubly stochastic matrices.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

mod torch_layout;

use oslow_core::{Intervention, Knowledge, Ordering};
use oslow_flow::{Activation, Base, Engine, FlowConfig, Head, Layout, Mask, ScaleModel, invert};
use serde_json::Value;
use torch_layout::{narrow, numbers, place, widen, worst};

fn flows() -> Vec<Value> {
    let text = include_str!("../../../fixtures/flow/flows.json");
    serde_json::from_str::<Value>(text).unwrap()["flows"].as_array().unwrap().clone()
}

fn layout(config: &Value) -> Layout {
    let number = |value: &Value| value.as_f64().unwrap();
    let flow = FlowConfig {
        hidden: numbers(&config["hidden"]).iter().map(|&h| h as usize).collect(),
        activation: match config["activation"].as_str().unwrap() {
            "leaky_relu" => Activation::LeakyRelu,
            "tanh" => Activation::Tanh,
            "silu" => Activation::Silu,
            other => panic!("{other}"),
        },
        residual: config["residual"].as_bool().unwrap(),
        skip: config["skip"].as_bool().unwrap(),
        head: match config["head"]["kind"].as_str().unwrap() {
            "raw" => Head::Raw,
            _ => Head::Bounded { a: number(&config["head"]["a"]), b: number(&config["head"]["b"]) },
        },
        scale: if config["additive"].as_bool().unwrap() { ScaleModel::Additive } else { ScaleModel::Affine },
        transforms: config["transforms"].as_u64().unwrap() as usize,
        actnorm: config["actnorm"].as_bool().unwrap(),
        base: match config["base"]["kind"].as_str().unwrap() {
            "normal" => Base::Gaussian,
            "laplace" => Base::Laplace,
            "logistic" => Base::Logistic,
            _ => Base::StudentT { nu: number(&config["base"]["nu"]) },
        },
    };
    Layout::new(config["d"].as_u64().unwrap() as usize, &flow)
}

/// Parameters (or gradients, which have the same form) in our layout.
fn flat(layout: &Layout, written: &Value) -> Vec<f64> {
    let mut theta = vec![0.0; layout.len];
    for (transform, from) in layout.transforms.iter().zip(written["transforms"].as_array().unwrap()) {
        for (net, key) in [(&transform.shift, "shift"), (&transform.scale, "scale")] {
            let plural = |what: &str| if what == "weight" { "weights" } else { "biases" };
            place(net, layout.d, &mut theta, |layer, what| numbers(&from[key][plural(what)][layer]));
            if let Some(skip) = &net.skip {
                theta[skip.clone()].copy_from_slice(&numbers(&from[key]["skip"]));
            }
        }
        if let Some((log_scale, shift)) = &transform.actnorm {
            theta[log_scale.clone()].copy_from_slice(&numbers(&from["actnorm"]["log_scale"]));
            theta[shift.clone()].copy_from_slice(&numbers(&from["actnorm"]["shift"]));
        }
    }
    theta
}

fn negative(values: &Value) -> Vec<f64> {
    numbers(values).iter().map(|v| -v).collect()
}

#[test]
fn densities_gradients_inverses_and_interventions_are_those_of_torch() {
    let mut checked = 0;
    for flow in flows() {
        let layout = layout(&flow["config"]);
        let (theta, x) = (flat(&layout, &flow["parameters"]), numbers(&flow["x"]));
        for case in flow["cases"].as_array().unwrap() {
            let name = &flow["config"]["name"];
            let ranks: Vec<usize> = numbers(&case["rank_of_variable"]).iter().map(|&r| r as usize).collect();
            let order = Ordering::from_positions(&ranks).unwrap();
            let mask = [Mask::hard(&order, &Knowledge::none(layout.d))];
            let (z_true, nll_true) = (numbers(&case["z"]), negative(&case["log_prob"]));
            let gradient = flat(&layout, &case["gradients"]);

            let mut engine = Engine::<f64>::new(&layout);
            let (z, nll) = engine.evaluate_rows(&theta, &x, &mask[0]);
            assert!(worst(&z, &z_true) < 1e-9 && worst(&nll, &nll_true) < 1e-9, "{name}");
            let mut got = vec![0.0; layout.len];
            engine.gradient(&theta, &x, &mask, &[1.0], &mut got, 0).unwrap();
            assert!(worst(&got, &gradient) < 1e-7, "{name}: {}", worst(&got, &gradient));

            let mut engine = Engine::<f32>::new(&layout);
            let (z, nll) = engine.evaluate_rows(&narrow(&theta), &narrow(&x), &mask[0]);
            assert!(worst(&widen(&z), &z_true) < 1e-5 && worst(&nll, &nll_true) < 1e-5, "{name}");
            let mut got = vec![0.0; layout.len];
            engine.gradient(&narrow(&theta), &narrow(&x), &mask, &[1.0], &mut got, 0).unwrap();
            assert!(worst(&widen(&got), &gradient) < 1e-3, "{name}");

            let noise = numbers(&case["noise"]);
            let inverse = invert(&layout, &theta, &order, &mask[0], &noise, &[]);
            assert!(worst(&inverse, &numbers(&case["inverse"])) < 1e-9, "{name}");
            let action = &case["intervention"];
            let node = action["node"].as_u64().unwrap() as usize;
            let set = [Intervention { node, value: action["value"].as_f64().unwrap() }];
            let x_do = invert(&layout, &theta, &order, &mask[0], &noise, &set);
            assert!(worst(&x_do, &numbers(&action["x_do"])) < 1e-9, "{name}");
            checked += 1;
        }
    }
    assert_eq!(checked, 20);
}

#[test]
fn gradients_reach_the_doubly_stochastic_matrix() {
    let mut checked = 0;
    for flow in flows() {
        let layout = layout(&flow["config"]);
        let (theta, x) = (flat(&layout, &flow["parameters"]), numbers(&flow["x"]));
        for case in flow["soft_cases"].as_array().unwrap() {
            let p = numbers(&case["p"]);
            let mask = [Mask::soft(&p, &Knowledge::none(layout.d)).differentiable()];
            let mut engine = Engine::<f64>::new(&layout);
            let nll = engine.row_nll(&theta, &x, &mask[0]);
            assert!(worst(&nll, &negative(&case["log_prob"])) < 1e-9);
            let mut got = vec![0.0; layout.len];
            let evaluation = engine.gradient(&theta, &x, &mask, &[0.5], &mut got, 0).unwrap();
            let half: Vec<f64> = flat(&layout, &case["gradients"]).iter().map(|g| g / 2.0).collect();
            assert!(worst(&got, &half) < 1e-7);
            let masks = evaluation.mask_gradients[0].as_ref().unwrap();
            let d_p = Mask::pull_back(&p, &masks.hidden, &masks.output);
            assert!(worst(&d_p, &numbers(&case["gradient_p"])) < 1e-7);
            checked += 1;
        }
    }
    assert_eq!(checked, 3);
}
