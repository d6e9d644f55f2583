//! Extremely randomised trees: how much each variable tells about another.

use oslow_core::Rng;
use rand::RngExt;
use rand::seq::SliceRandom;

/// Values that differ by no more than this are not told apart.
const SAME: f64 = 1e-7;

/// How much each column explains of the target in one extremely randomised tree, in shares that sum to 1; all 0 where the tree has no
/// split.
///
/// A node of the tree cuts its rows in two. For each column that varies in them a threshold is drawn uniformly between its smallest and
/// largest value; the column whose cut leaves the smallest sum of squares around the two means is taken, of several one by draw (two rows
/// are cut equally well by all columns). The tree grows until the target or all columns are constant in each leaf. A column is credited with the decrease of the sum of squares at its cuts.
///
/// Geurts, Ernst, Wehenkel: Extremely randomized trees. Machine Learning 63:3-42, 2006.
///
/// # Panics
///
/// If a column is shorter than the target.
pub fn extra_tree_importances(columns: &[&[f64]], target: &[f64], rng: &mut Rng) -> Vec<f64> {
    let n = target.len();
    let mean = target.iter().sum::<f64>() / n.max(1) as f64;
    let centred: Vec<f64> = target.iter().map(|y| y - mean).collect();
    let mut tree = Tree {
        columns,
        target: &centred,
        rows: (0..n).collect(),
        y: Vec::with_capacity(n),
        values: Vec::with_capacity(n),
        turns: (0..columns.len()).collect(),
        credit: vec![0.0; columns.len()],
    };
    let mut open = vec![(0, n)];
    while let Some((start, end)) = open.pop() {
        if let Some(middle) = tree.split(start..end, rng) {
            open.extend([(start, middle), (middle, end)]);
        }
    }
    let whole: f64 = tree.credit.iter().sum();
    if whole > 0.0 {
        tree.credit.iter_mut().for_each(|credit| *credit /= whole);
    }
    tree.credit
}

struct Tree<'a> {
    columns: &'a [&'a [f64]],
    target: &'a [f64],
    /// The rows, those of a node side by side.
    rows: Vec<usize>,
    /// The target in the rows of a node.
    y: Vec<f64>,
    /// A column in the rows of a node.
    values: Vec<f64>,
    /// The columns in the order in which they are tried.
    turns: Vec<usize>,
    credit: Vec<f64>,
}

/// A way to cut a node in two.
struct Cut {
    column: usize,
    threshold: f64,
    /// By how much it lowers the sum of squares.
    gain: f64,
}

impl Tree<'_> {
    /// Cuts a node, if it can be cut, and tells where its second part begins.
    fn split(&mut self, node: std::ops::Range<usize>, rng: &mut Rng) -> Option<usize> {
        if node.len() < 2 {
            return None;
        }
        let rows = &self.rows[node.clone()];
        self.y.clear();
        self.y.extend(rows.iter().map(|&row| self.target[row]));
        let n = rows.len() as f64;
        let sum: f64 = self.y.iter().sum();
        let squares: f64 = self.y.iter().map(|y| y * y).sum();
        if squares - sum * sum / n <= n * f64::EPSILON {
            return None;
        }
        let mut best: Option<Cut> = None;
        self.turns.shuffle(rng);
        for &index in &self.turns {
            let column = self.columns[index];
            self.values.clear();
            self.values.extend(rows.iter().map(|&row| column[row]));
            let smallest = self.values.iter().copied().fold(f64::INFINITY, f64::min);
            let largest = self.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            if largest <= smallest + SAME {
                continue;
            }
            let threshold = rng.random_range(smallest..largest);
            let (mut left, mut count) = (0.0, 0.0);
            for (value, y) in self.values.iter().zip(&self.y) {
                let below = f64::from(u8::from(*value <= threshold));
                left += below * y;
                count += below;
            }
            let right = sum - left;
            let gain = left * left / count + right * right / (n - count) - sum * sum / n;
            if best.as_ref().is_none_or(|best| gain > best.gain) {
                best = Some(Cut { column: index, threshold, gain });
            }
        }
        let Cut { column, threshold, gain } = best?;
        self.credit[column] += gain.max(0.0);
        let mut middle = node.start;
        for place in node {
            if self.columns[column][self.rows[place]] <= threshold {
                self.rows.swap(middle, place);
                middle += 1;
            }
        }
        Some(middle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    #[derive(serde::Deserialize)]
    struct Case {
        columns: Vec<Vec<f64>>,
        target: Vec<f64>,
        trees: usize,
        importances: Vec<f64>,
        deviations: Vec<f64>,
    }

    #[test]
    fn importances_are_those_of_scikit_learn_on_average() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/gran_dag/trees.json");
        let cases: Vec<Case> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert!(cases.len() >= 3);
        for Case { columns, target, trees, importances, deviations } in cases {
            let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
            let ours = 1000;
            let mut sums = vec![0.0; columns.len()];
            for tree in 0..ours {
                let found = extra_tree_importances(&columns, &target, &mut Seed(1).indexed("test", tree));
                sums.iter_mut().zip(found).for_each(|(sum, share)| *sum += share);
            }
            for ((sum, expected), deviation) in sums.iter().zip(importances).zip(deviations) {
                // Both sides are means over trees; four standard errors of their difference.
                let error = deviation * (1.0 / trees as f64 + 1.0 / ours as f64).sqrt();
                let mean = sum / ours as f64;
                assert!((mean - expected).abs() < 4.0 * error + 1e-12, "{mean} {expected} ± {error}");
            }
        }
    }

    #[test]
    fn a_constant_column_explains_nothing_and_a_constant_target_is_explained_by_nothing() {
        let x: Vec<f64> = (0..50).map(f64::from).collect();
        let constant = vec![3.0; 50];
        let rng = &mut Seed(2).stream("test");
        assert_eq!(extra_tree_importances(&[&x, &constant], &x, rng), [1.0, 0.0]);
        assert_eq!(extra_tree_importances(&[&x, &constant], &constant, rng), [0.0, 0.0]);
    }
}
