//! The order within layers: few lines should cross.

use super::lanes::Lanes;

/// Sweeps over all layers.
const SWEEPS: usize = 24;
/// Sweeps without progress after which it is given up.
const PATIENCE: usize = 6;
/// Above this many vertices, neighbours are not tried the other way round: the picture is a thicket anyway.
const MOST_EXCHANGED: usize = 2000;

/// Orders each layer: by the mean place of its neighbours in the layer before, downwards and upwards in turn, then neighbours are
/// exchanged where fewer lines cross. The best order that was seen stays.
pub(super) fn untangle(lanes: &mut Lanes) {
    let mut best = (crossings(lanes), lanes.layers.clone());
    let mut since = 0;
    for sweep in 0..SWEEPS {
        if best.0 == 0 || since == PATIENCE {
            break;
        }
        sort_by_neighbours(lanes, sweep % 2 == 0);
        if lanes.vertices.len() <= MOST_EXCHANGED {
            while exchange(lanes) {}
        }
        let now = crossings(lanes);
        since += 1;
        if now < best.0 {
            best = (now, lanes.layers.clone());
            since = 0;
        }
    }
    lanes.layers = best.1;
}

/// Orders each layer by the mean place of its neighbours in the layer above, or below; vertices without any keep their place.
fn sort_by_neighbours(lanes: &mut Lanes, downwards: bool) {
    let count = lanes.layers.len();
    let mut positions = lanes.positions();
    for step in 1..count {
        let layer = if downwards { step } else { count - 1 - step };
        let neighbours = if downwards { &lanes.above } else { &lanes.below };
        let mean = |vertex: usize| match neighbours[vertex].as_slice() {
            [] => positions[vertex] as f64,
            all => all.iter().map(|&other| positions[other] as f64).sum::<f64>() / all.len() as f64,
        };
        let mut keyed: Vec<(f64, usize)> = lanes.layers[layer].iter().map(|&v| (mean(v), v)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        lanes.layers[layer] = keyed.into_iter().map(|(_, vertex)| vertex).collect();
        for (position, &vertex) in lanes.layers[layer].iter().enumerate() {
            positions[vertex] = position;
        }
    }
}

/// Exchanges neighbours within layers where that saves crossings; whether any were.
fn exchange(lanes: &mut Lanes) -> bool {
    let mut positions = lanes.positions();
    let mut any = false;
    for layer in &mut lanes.layers {
        for k in 1..layer.len() {
            let (left, right) = (layer[k - 1], layer[k]);
            let between = |a: usize, b: usize| {
                pair(&lanes.above[a], &lanes.above[b], &positions)
                    + pair(&lanes.below[a], &lanes.below[b], &positions)
            };
            if between(right, left) < between(left, right) {
                layer.swap(k - 1, k);
                positions.swap(left, right);
                any = true;
            }
        }
    }
    any
}

/// How many lines cross if the vertex with the first neighbours stands left of that with the second.
fn pair(left: &[usize], right: &[usize], positions: &[usize]) -> usize {
    let crossed = |a: usize| right.iter().filter(|&&b| positions[b] < positions[a]).count();
    left.iter().map(|&a| crossed(a)).sum()
}

/// How many lines cross in all: inversions between each layer and the next, counted in a tree of sums.
fn crossings(lanes: &Lanes) -> usize {
    let positions = lanes.positions();
    let between = |layers: &[Vec<usize>]| {
        let mut sums = vec![0_usize; layers[1].len() + 1];
        let (mut seen, mut crossed) = (0, 0);
        for &upper in &layers[0] {
            let mut ends: Vec<usize> = lanes.below[upper].iter().map(|&lower| positions[lower] + 1).collect();
            for &end in &ends {
                let (mut k, mut before) = (end, 0);
                while k > 0 {
                    before += sums[k];
                    k &= k - 1;
                }
                crossed += seen - before;
            }
            for end in ends.drain(..) {
                let mut k = end;
                while k < sums.len() {
                    sums[k] += 1;
                    k += k & k.wrapping_neg();
                }
                seen += 1;
            }
        }
        crossed
    };
    lanes.layers.windows(2).map(between).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Dag;

    #[test]
    fn crossed_lines_are_counted_and_untangled() {
        // Three causes, three effects, every line crosses both others.
        let dag = Dag::new(6, &[(0, 5), (1, 4), (2, 3)]).unwrap();
        let mut lanes = Lanes::new(&dag, &[0, 1, 2, 3, 4, 5], &[0, 0, 0, 1, 1, 1]);
        assert_eq!(crossings(&lanes), 3);
        untangle(&mut lanes);
        assert_eq!(crossings(&lanes), 0);
        // Two causes of the same three effects: three crossings whatever one does.
        let dag = Dag::new(5, &[(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)]).unwrap();
        let mut lanes = Lanes::new(&dag, &[0, 1, 2, 3, 4], &[0, 0, 1, 1, 1]);
        untangle(&mut lanes);
        assert_eq!(crossings(&lanes), 3);
    }
}
