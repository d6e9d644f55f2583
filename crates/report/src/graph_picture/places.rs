//! Where each vertex stands across: edges should be straight, and nothing may overlap.

use super::lanes::{Lanes, Vertex};

/// Sweeps over all layers.
const SWEEPS: usize = 40;
/// Free room between two nodes, and between a bend and whatever stands beside it.
const BETWEEN_NODES: f64 = 26.0;
const BESIDE_BEND: f64 = 12.0;

/// The middle of each vertex, for these widths; the leftmost vertex begins at 0.
///
/// Layer by layer, each vertex wants to stand at the mean of its neighbours, bends more than nodes so that long edges become straight.
/// What is nearest to these wishes in least squares, with the order and the distances kept, is an isotonic regression.
pub(super) fn places(lanes: &Lanes, widths: &[f64]) -> Vec<f64> {
    let mut x = vec![0.0; lanes.vertices.len()];
    for layer in &lanes.layers {
        let offsets = offsets(lanes, layer, widths);
        let middle = offsets.last().copied().unwrap_or(0.0) / 2.0;
        layer.iter().zip(&offsets).for_each(|(&vertex, offset)| x[vertex] = offset - middle);
    }
    let count = lanes.layers.len();
    for sweep in 0..SWEEPS {
        // The last sweeps listen to both sides.
        let (above, below) = (sweep % 2 == 0 || sweep + 4 > SWEEPS, sweep % 2 == 1 || sweep + 4 > SWEEPS);
        for step in 0..count {
            let layer = &lanes.layers[if sweep % 2 == 0 { step } else { count - 1 - step }];
            let wishes: Vec<(f64, f64)> =
                layer.iter().map(|&vertex| wish(lanes, vertex, &x, above, below)).collect();
            let offsets = offsets(lanes, layer, widths);
            let shifted: Vec<(f64, f64)> = wishes.iter().zip(&offsets).map(|(w, o)| (w.0 - o, w.1)).collect();
            for ((&vertex, place), offset) in layer.iter().zip(isotonic(&shifted)).zip(&offsets) {
                x[vertex] = place + offset;
            }
        }
    }
    let left = (0..x.len()).map(|v| x[v] - widths[v] / 2.0).fold(f64::INFINITY, f64::min);
    x.iter().map(|place| place - left).collect()
}

/// How far each vertex of a layer stands at least from the first.
fn offsets(lanes: &Lanes, layer: &[usize], widths: &[f64]) -> Vec<f64> {
    let node = |vertex: usize| lanes.vertices[vertex] != Vertex::Bend;
    let mut at = 0.0;
    let rest = layer.windows(2).map(|pair| {
        let free = if node(pair[0]) && node(pair[1]) { BETWEEN_NODES } else { BESIDE_BEND };
        at += (widths[pair[0]] + widths[pair[1]]) / 2.0 + free;
        at
    });
    std::iter::once(0.0).take(layer.len()).chain(rest).collect()
}

/// Where a vertex wants to stand, and how much.
fn wish(lanes: &Lanes, vertex: usize, x: &[f64], above: bool, below: bool) -> (f64, f64) {
    let bend = |v: usize| lanes.vertices[v] == Vertex::Bend;
    let weight = |other: usize| match (bend(vertex), bend(other)) {
        (true, true) => 8.0,
        (true, false) | (false, true) => 2.0,
        (false, false) => 1.0,
    };
    let ups = lanes.above[vertex].iter().filter(|_| above);
    let downs = lanes.below[vertex].iter().filter(|_| below);
    let (sum, total) = ups
        .chain(downs)
        .fold((0.0, 0.0), |(sum, total), &other| (sum + weight(other) * x[other], total + weight(other)));
    // Who has no neighbours there would stay, but makes way.
    if total > 0.0 { (sum / total, total) } else { (x[vertex], 0.1) }
}

/// The ascending numbers nearest to the given ones in weighted least squares: neighbours that are out of order share their mean.
fn isotonic(wishes: &[(f64, f64)]) -> Vec<f64> {
    let mut blocks: Vec<(f64, f64, usize)> = Vec::with_capacity(wishes.len());
    for &(mut mean, mut weight) in wishes {
        let mut size = 1;
        while let Some(&(before, its_weight, its_size)) = blocks.last()
            && before > mean
        {
            mean = (mean * weight + before * its_weight) / (weight + its_weight);
            weight += its_weight;
            size += its_size;
            blocks.pop();
        }
        blocks.push((mean, weight, size));
    }
    blocks.into_iter().flat_map(|(mean, _, size)| std::iter::repeat_n(mean, size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_out_of_order_share_their_mean() {
        // R: isoreg(c(1, 4, 2, 3, 9))$yf.
        let equal: Vec<(f64, f64)> = [1.0, 4.0, 2.0, 3.0, 9.0].map(|y| (y, 1.0)).to_vec();
        assert_eq!(isotonic(&equal), [1.0, 3.0, 3.0, 3.0, 9.0]);
        assert_eq!(isotonic(&[(4.0, 3.0), (0.0, 1.0)]), [3.0, 3.0]);
    }
}
