//! The flow as the paper writes it, unit by unit, with the masks spelled out: slow and plain. The kernels are
//! tested against it.

use crate::base::Densities;
use crate::config::{Activation, Head, ScaleModel};
use crate::layout::{Layout, NetLayout};
use crate::mask::Mask;

/// Noise z and log-density of one row.
pub fn log_prob(layout: &Layout, theta: &[f64], mask: &Mask, x: &[f64]) -> (Vec<f64>, f64) {
    let d = layout.d;
    let mut z = x.to_vec();
    let mut log_det = 0.0;
    for transform in &layout.transforms {
        let shift = network(layout, &transform.shift, theta, mask, &z);
        let zeros = vec![0.0; d];
        let scale_input = if layout.config.scale == ScaleModel::Additive { &zeros } else { &z };
        let raw = network(layout, &transform.scale, theta, mask, scale_input);
        for i in 0..d {
            let log_scale = match layout.config.head {
                Head::Raw => raw[i],
                Head::Bounded { a, b } => b * (raw[i] / a).tanh(),
            };
            z[i] = (z[i] - shift[i]) * (-log_scale).exp();
            log_det -= log_scale;
            if let Some((scales, shifts)) = &transform.actnorm {
                z[i] = theta[scales.start + i].exp() * z[i] + theta[shifts.start + i];
                log_det += theta[scales.start + i];
            }
        }
    }
    let densities = Densities::new(layout, theta);
    let log_base: f64 = z.iter().enumerate().map(|(node, &z)| -densities.nll(node, z)).sum();
    (z, log_base + log_det)
}

/// One masked network: x → d outputs.
fn network(layout: &Layout, net: &NetLayout, theta: &[f64], mask: &Mask, x: &[f64]) -> Vec<f64> {
    let d = layout.d;
    let mut units = x.to_vec();
    for layer in &net.hidden {
        let (wide, weight) = (d * layer.output, &theta[layer.weight.clone()]);
        units = (0..wide)
            .map(|out| {
                let sum = (0..units.len())
                    .map(|unit| {
                        let keep = mask.hidden(out / layer.output, unit / layer.input);
                        keep * weight[unit * wide + out] * units[unit]
                    })
                    .sum::<f64>();
                let value = activation(layout.config.activation, theta[layer.bias.start + out] + sum);
                if layer.residual { units[out] + value } else { value }
            })
            .collect();
    }
    (0..d)
        .map(|i| {
            let stride = d * net.last.input;
            let weight = &theta[net.last.weight.clone()][i * stride..(i + 1) * stride];
            let sum: f64 =
                (0..stride).map(|u| mask.output(i, u / net.last.input) * weight[u] * units[u]).sum();
            let skip = net.skip.as_ref().map_or(0.0, |skip| {
                (0..d).map(|j| mask.output(i, j) * theta[skip.start + i * d + j] * x[j]).sum::<f64>()
            });
            theta[net.last.bias.start + i] + sum + skip
        })
        .collect()
}

fn activation(kind: Activation, x: f64) -> f64 {
    match kind {
        Activation::LeakyRelu => x.max(0.01 * x),
        Activation::Tanh => x.tanh(),
        Activation::Silu => x / (1.0 + (-x).exp()),
    }
}
