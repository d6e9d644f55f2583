//! Reading parameters that PyTorch wrote (output by output) into our layout, and comparing gradients.

use oslow_flow::{LayerLayout, NetLayout};
use serde_json::Value;

pub fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        Value::Number(number) => vec![number.as_f64().unwrap()],
        other => panic!("not a number: {other}"),
    }
}

/// A layer's weights as PyTorch has them, `d·output` rows of `d·input`, in our order.
fn weights(layer: &LayerLayout, d: usize, torch: &[f64], hidden: bool) -> Vec<f64> {
    assert_eq!(torch.len(), layer.weight.len());
    if !hidden {
        return torch.to_vec();
    }
    let (rows, columns) = (d * layer.output, d * layer.input);
    (0..torch.len()).map(|k| torch[(k % rows) * columns + k / rows]).collect()
}

/// Puts one network's numbers where they belong; `get` fetches weight or bias of a layer.
pub fn place(net: &NetLayout, d: usize, theta: &mut [f64], get: impl Fn(usize, &str) -> Vec<f64>) {
    let layers: Vec<&LayerLayout> = net.hidden.iter().chain([&net.last]).collect();
    for (index, layer) in layers.iter().enumerate() {
        let hidden = index < net.hidden.len();
        theta[layer.weight.clone()].copy_from_slice(&weights(layer, d, &get(index, "weight"), hidden));
        theta[layer.bias.clone()].copy_from_slice(&get(index, "bias"));
    }
}

/// Largest difference relative to max(1, |expected|).
pub fn worst(got: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(got.len(), expected.len());
    got.iter().zip(expected).map(|(a, b)| (a - b).abs() / b.abs().max(1.0)).fold(0.0, f64::max)
}

pub fn narrow(values: &[f64]) -> Vec<f32> {
    values.iter().map(|&v| v as f32).collect()
}

pub fn widen(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&v| f64::from(v)).collect()
}
