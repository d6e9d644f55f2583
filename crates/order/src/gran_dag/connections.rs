//! How strongly each network is connected to each of its inputs.

use oslow_flow::Real;

use crate::node_networks::{Layer, NodeNetworks};

/// A(i, j), how strongly the network of j is connected to input i: the mean over all paths from the input to an output of the products of
/// absolute weights along them. It is 0 if and only if no path is left, and then the network cannot depend on the input.
pub(super) fn connections<T: Real>(networks: &NodeNetworks<T>, mask: &[f64]) -> Vec<f64> {
    let (d, units, scale) = (mask.len().isqrt(), networks.layers()[0].units, 1.0 / paths(networks));
    let mut connections = vec![0.0; d * d];
    for to in 0..d {
        let downstream = downstream(networks, to);
        for from in 0..d {
            let weights = &networks.theta[(from * d + to) * units..][..units];
            let sum: f64 = weights.iter().zip(&downstream[0]).map(|(w, c)| w.to_f64().abs() * c).sum();
            connections[from * d + to] = mask[from * d + to] * sum * scale;
        }
    }
    connections
}

/// Adds to the networks' gradient that of a function of A whose slopes in A are given.
pub(super) fn add_gradient<T: Real>(networks: &mut NodeNetworks<T>, mask: &[f64], slopes: &[f64]) {
    let (d, first, scale) = (mask.len().isqrt(), networks.layers()[0].units, 1.0 / paths(networks));
    let later = networks.layers()[1..].to_vec();
    for to in 0..d {
        let downstream = downstream(networks, to);
        let NodeNetworks { theta, gradient, .. } = &mut *networks;
        // Σ over inputs and paths from them to a unit, of the input's slope times the product of absolute weights.
        let mut upstream = vec![0.0; first];
        for from in 0..d {
            let (at, slope) = ((from * d + to) * first, scale * mask[from * d + to] * slopes[from * d + to]);
            pass(&theta[at..], &mut gradient[at..], slope, &downstream[0], &mut upstream);
        }
        for (Layer { inputs, units, weights, .. }, downstream) in later.iter().zip(&downstream[1..]) {
            let mut further = vec![0.0; *units];
            for (input, slope) in upstream.iter().enumerate() {
                let at = weights + (to * inputs + input) * units;
                pass(&theta[at..], &mut gradient[at..], *slope, downstream, &mut further);
            }
            upstream = further;
        }
    }
}

/// Passes what came upstream to one unit on along its weights, and adds their gradient.
fn pass<T: Real>(theta: &[T], gradient: &mut [T], upstream: f64, downstream: &[f64], further: &mut [f64]) {
    let weights = theta.iter().zip(gradient).zip(downstream);
    for (((weight, gradient), downstream), further) in weights.zip(further) {
        let weight = weight.to_f64();
        *further += upstream * weight.abs();
        let sign = if weight == 0.0 { 0.0 } else { weight.signum() };
        *gradient += T::from_f64(upstream * sign * downstream);
    }
}

/// For the units of each layer of a network, the sum over paths from there to an output of the products of absolute weights.
fn downstream<T: Real>(networks: &NodeNetworks<T>, node: usize) -> Vec<Vec<f64>> {
    let layers = networks.layers();
    let mut sums = vec![vec![1.0; layers[layers.len() - 1].units]];
    for &Layer { inputs, units, weights, .. } in layers[1..].iter().rev() {
        let block = &networks.theta[weights + node * inputs * units..][..inputs * units];
        let after = &sums[sums.len() - 1];
        let sum = |row: &[T]| row.iter().zip(after).map(|(w, c)| w.to_f64().abs() * c).sum();
        let before = block.chunks_exact(units).map(sum).collect();
        sums.push(before);
    }
    sums.reverse();
    sums
}

/// Paths from an input to an output.
fn paths<T: Real>(networks: &NodeNetworks<T>) -> f64 {
    networks.layers().iter().map(|layer| layer.units as f64).product()
}
