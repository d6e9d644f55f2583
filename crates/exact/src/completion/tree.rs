//! A tree whose leaves hold rows with the same distribution of a column.

use oslow_core::Rng;
use rand::RngExt;

/// Fewest rows of a leaf: they are the donors of a gap.
const LEAF: usize = 5;
/// Thresholds that are tried for each input of a node.
const THRESHOLDS: usize = 6;

/// A tree that was grown.
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The rows, those of a leaf side by side.
    rows: Vec<usize>,
}

enum Node {
    Leaf(std::ops::Range<usize>),
    /// Rows whose input is at most the threshold go to the first node, the others to the second.
    Cut {
        input: usize,
        threshold: f64,
        parts: [usize; 2],
    },
}

struct Cut {
    input: usize,
    threshold: f64,
    gain: f64,
}

impl Tree {
    /// Cuts rows in two where that tells the outputs' means apart best, until leaves are small. Thresholds are values of rows drawn at random.
    pub fn grow(inputs: &[&[f64]], outputs: &[Vec<f64>], rows: Vec<usize>, rng: &mut Rng) -> Self {
        let mut tree = Self { nodes: vec![Node::Leaf(0..rows.len())], rows };
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            let Node::Leaf(range) = &tree.nodes[node] else { continue };
            let range = range.clone();
            let Some(Cut { input, threshold, .. }) =
                best_cut(inputs, outputs, &tree.rows[range.clone()], rng)
            else {
                continue;
            };
            let middle = range.start + partition(&mut tree.rows[range.clone()], inputs[input], threshold);
            let parts = [tree.nodes.len(), tree.nodes.len() + 1];
            tree.nodes.push(Node::Leaf(range.start..middle));
            tree.nodes.push(Node::Leaf(middle..range.end));
            tree.nodes[node] = Node::Cut { input, threshold, parts };
            open.extend(parts);
        }
        tree
    }

    /// A row of the leaf to which a row belongs, drawn at random.
    pub fn donor(&self, inputs: &[&[f64]], row: usize, rng: &mut Rng) -> usize {
        let mut node = 0;
        loop {
            match &self.nodes[node] {
                Node::Leaf(range) => return self.rows[rng.random_range(range.clone())],
                Node::Cut { input, threshold, parts } => {
                    node = parts[usize::from(inputs[*input][row] > *threshold)];
                }
            }
        }
    }
}

/// Moves rows whose input is at most the threshold to the front: how many these are.
fn partition(rows: &mut [usize], input: &[f64], threshold: f64) -> usize {
    let mut middle = 0;
    for place in 0..rows.len() {
        if input[rows[place]] <= threshold {
            rows.swap(middle, place);
            middle += 1;
        }
    }
    middle
}

/// The cut that lowers the sums of squares of the outputs most; none where parts would be too small.
fn best_cut(inputs: &[&[f64]], outputs: &[Vec<f64>], rows: &[usize], rng: &mut Rng) -> Option<Cut> {
    if rows.len() < 2 * LEAF {
        return None;
    }
    let totals: Vec<f64> = outputs.iter().map(|output| rows.iter().map(|&row| output[row]).sum()).collect();
    let mut best: Option<Cut> = None;
    for (k, input) in inputs.iter().enumerate() {
        for _ in 0..THRESHOLDS {
            let threshold = input[rows[rng.random_range(0..rows.len())]];
            let gain = gain(input, threshold, outputs, rows, &totals);
            if gain > best.as_ref().map_or(0.0, |best| best.gain) {
                best = Some(Cut { input: k, threshold, gain });
            }
        }
    }
    best
}

/// By how much a cut lowers the sums of squares; 0 where a part would be too small.
fn gain(input: &[f64], threshold: f64, outputs: &[Vec<f64>], rows: &[usize], totals: &[f64]) -> f64 {
    let below: Vec<usize> = rows.iter().copied().filter(|&row| input[row] <= threshold).collect();
    let (n, first) = (rows.len(), below.len());
    if first < LEAF || n - first < LEAF {
        return 0.0;
    }
    let (n, first) = (n as f64, first as f64);
    let of = |(output, total): (&Vec<f64>, &f64)| {
        let sum: f64 = below.iter().map(|&row| output[row]).sum();
        sum * sum / first + (total - sum).powi(2) / (n - first) - total * total / n
    };
    outputs.iter().zip(totals).map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    #[test]
    fn leaves_are_small_and_hold_rows_that_are_alike() {
        let mut rng = Seed(1).stream("test");
        let x: Vec<f64> = (0..200).map(|k| f64::from(k * 37 % 200)).collect();
        let steps: Vec<f64> = x.iter().map(|x| f64::from(u8::from(*x >= 100.0))).collect();
        let noise: Vec<f64> = (0..200).map(|k| f64::from(k * 53 % 200)).collect();
        let inputs: Vec<&[f64]> = vec![&noise, &x];
        let tree = Tree::grow(&inputs, std::slice::from_ref(&steps), (0..200).collect(), &mut rng);
        for row in 0..200 {
            let donor = tree.donor(&inputs, row, &mut rng);
            // One threshold may fall beside the step.
            assert!(steps[donor] == steps[row] || (x[row] - 100.0).abs() < 15.0, "{row} {donor}");
        }
        assert!(tree.nodes.iter().all(|node| match node {
            Node::Leaf(range) => range.len() >= LEAF,
            Node::Cut { .. } => true,
        }));
    }

    #[test]
    fn equal_inputs_are_never_cut() {
        let constant = vec![1.0; 30];
        let output: Vec<f64> = (0..30).map(f64::from).collect();
        let tree = Tree::grow(&[&constant], &[output], (0..30).collect(), &mut Seed(0).stream("test"));
        assert_eq!(tree.nodes.len(), 1);
    }
}
