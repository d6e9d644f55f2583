//! Matching and Sinkhorn against scipy and PyTorch: our own cases, and those kept beside the project.

#![expect(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::path::PathBuf;

use oslow_core::Precedence;
use oslow_perm::{Sinkhorn, SoftSort, SparseOrders, matching, sparse_map, top_k_sparsemax};
use serde_json::Value;

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        number => vec![number.as_f64().unwrap()],
    }
}

fn own(text: &str) -> Vec<Value> {
    serde_json::from_str::<Value>(text).unwrap().as_array().unwrap().clone()
}

fn shared(name: &str) -> Vec<Value> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/fixtures")).join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => own(&text),
        Err(_) => {
            eprintln!("skipped: shared/fixtures/{name} is not here");
            Vec::new()
        }
    }
}

#[test]
fn the_matching_is_that_of_scipy() {
    let cases = own(include_str!("../../../fixtures/perm/matching.json"));
    assert_eq!(cases.len(), 12);
    let outside = shared("b_matching.json");
    for (case, key) in
        cases.iter().map(|c| (c, "column_of_row")).chain(outside.iter().map(|c| (c, "assignment_col_of_row")))
    {
        let scores = numbers(&case["matrix"]);
        let positions: Vec<usize> = numbers(&case[key]).iter().map(|&p| p as usize).collect();
        let d = positions.len();
        assert_eq!(matching(d, &scores).unwrap().positions(), positions);
        let value: f64 = positions.iter().enumerate().map(|(i, p)| scores[i * d + p]).sum();
        assert!((value - case["value"].as_f64().unwrap()).abs() < 1e-9);
    }
}

fn close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9 * b.abs().max(1.0))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn sorting_is_that_of_torch_forward_and_back() {
    let cases = own(include_str!("../../../fixtures/perm/soft_sort.json"));
    assert_eq!(cases.len(), 6);
    for case in &cases {
        let (scores, operator) = (numbers(&case["scores"]), SoftSort { temperature: number(&case["tau"]) });
        assert!(close(&operator.apply(&scores), &numbers(&case["output"])));
        let gradient = operator.pull_back(&scores, &numbers(&case["cotangent"]));
        assert!(close(&gradient, &numbers(&case["gradient"])));
    }
}

#[test]
fn sparse_distributions_are_those_of_scipy_forward_and_back() {
    let cases = own(include_str!("../../../fixtures/perm/permutahedron.json"));
    assert_eq!(cases.len(), 8);
    for case in &cases {
        let (theta, cotangent) = (numbers(&case["theta"]), numbers(&case["cotangent"]));
        let free = Precedence::from_relation(theta.len(), vec![false; theta.len() * theta.len()]);
        let gradient = |found: &SparseOrders| {
            let at = |(position, node): (usize, &usize)| cotangent[*node] * position as f64;
            let by_weight: Vec<f64> =
                found.orders.iter().map(|order| order.nodes().iter().enumerate().map(at).sum()).collect();
            found.pull_back(&by_weight)
        };
        let near = |a: &[f64], b: &Value| a.iter().zip(numbers(b)).all(|(a, b)| (a - b).abs() < 1e-8);
        let found = sparse_map(&theta, 100, &free).unwrap();
        assert!(near(&found.mean(), &case["sparse_map_mean"]), "{theta:?}");
        assert!(near(&gradient(&found), &case["sparse_map_gradient"]), "{theta:?}");
        let found = top_k_sparsemax(&theta, number(&case["k"]) as usize, &free);
        assert!(near(&found.mean(), &case["top_k_mean"]), "{theta:?}");
        assert!(near(&gradient(&found), &case["top_k_gradient"]), "{theta:?}");
    }
}

#[test]
fn sinkhorn_is_that_of_torch_forward_and_back() {
    let cases = own(include_str!("../../../fixtures/perm/sinkhorn.json"));
    assert_eq!(cases.len(), 6);
    for case in &cases {
        let (x, d) = (numbers(&case["matrix"]), case["matrix"].as_array().unwrap().len());
        let operator =
            Sinkhorn { temperature: number(&case["tau"]), iterations: number(&case["iterations"]) as usize };
        assert!(close(&operator.apply(d, &x), &numbers(&case["output"])));
        let gradient = operator.pull_back(d, &x, &numbers(&case["cotangent"]));
        assert!(close(&gradient, &numbers(&case["gradient"])));
    }
    for case in shared("c_sinkhorn.json") {
        let (x, d) = (numbers(&case["input"]), case["input"].as_array().unwrap().len());
        let operator =
            Sinkhorn { temperature: number(&case["temp"]), iterations: number(&case["iters"]) as usize };
        assert!(close(&operator.apply(d, &x), &numbers(&case["output"])));
    }
}
