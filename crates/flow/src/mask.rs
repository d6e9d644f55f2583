//! Which variable's units may feed which: the order and the knowledge, as blocks.

use std::ops::Range;

use oslow_core::{Knowledge, Ordering};

/// The block masks of one order: `hidden` between hidden layers (and from the inputs), `output` before the
/// outputs. A matrix of numbers per pair of variables, never of units.
///
/// Without knowledge block (i ← j) exists in hidden layers iff j stands at or before i, and before the
/// outputs iff j stands strictly before i. With forbidden edges j feeds output i only if j → i is allowed,
/// and hidden block i takes from block k only if every output that reads i may also depend on k. Subsets
/// nest, so no path through the layers can smuggle a forbidden cause into an output.
#[derive(Clone, Debug)]
pub struct Mask {
    d: usize,
    pub(crate) hidden: Blocks,
    pub(crate) output: Blocks,
    /// Variables whose hidden blocks some output reads.
    pub(crate) active: Vec<Range<usize>>,
    /// Whether the gradient with respect to the mask itself is wanted.
    pub(crate) differentiable: bool,
}

/// A run of consecutive input variables with a common factor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BlockRun {
    pub start: usize,
    pub end: usize,
    pub factor: f64,
}

/// A d × d matrix of block factors, and its rows and columns as runs of non-zero entries.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    /// `factors[i * d + j]`: of block (i ← j).
    pub factors: Vec<f64>,
    /// For each output i the inputs j.
    pub into: Vec<Vec<BlockRun>>,
    /// For each input j the outputs i.
    pub from: Vec<Vec<BlockRun>>,
}

impl Mask {
    /// The masks of a hard order, with the parents that knowledge allows.
    pub fn hard(order: &Ordering, knowledge: &Knowledge) -> Self {
        let d = order.len();
        let positions = order.positions();
        let feeds = |j: usize, i: usize| positions[j] < positions[i] && knowledge.allows(j, i);
        let passes = |k: usize, i: usize| {
            positions[k] <= positions[i] && (0..d).all(|reader| !feeds(i, reader) || feeds(k, reader))
        };
        let table = |keep: &dyn Fn(usize, usize) -> bool| -> Vec<f64> {
            (0..d * d).map(|x| f64::from(u8::from(keep(x % d, x / d)))).collect()
        };
        let active: Vec<bool> = (0..d).map(|j| (0..d).any(|i| feeds(j, i))).collect();
        Self {
            d,
            hidden: Blocks::new(d, table(&passes)),
            output: Blocks::new(d, table(&feeds)),
            active: ranges(&active),
            differentiable: false,
        }
    }

    /// The masks P·L·Pᵀ (hidden) and P·(L − I)·Pᵀ (output) of a doubly stochastic matrix, L lower triangular;
    /// rows of P are variables, columns positions. With such masks the flow is no longer autoregressive: it
    /// can cheat. Knowledge cuts blocks as in [`Mask::hard`] as far as that is possible without an order.
    pub fn soft(p: &[f64], knowledge: &Knowledge) -> Self {
        let d = knowledge.len();
        let passes = |k: usize, i: usize| {
            (0..d).all(|reader| reader == k || !knowledge.allows(i, reader) || knowledge.allows(k, reader))
        };
        let (mut hidden, mut output) = (vec![0.0; d * d], vec![0.0; d * d]);
        for i in 0..d {
            for j in 0..d {
                for a in 0..d {
                    for b in 0..=a {
                        let weight = p[i * d + a] * p[j * d + b];
                        hidden[i * d + j] += if i == j || passes(j, i) { weight } else { 0.0 };
                        output[i * d + j] +=
                            if a > b && (i == j || knowledge.allows(j, i)) { weight } else { 0.0 };
                    }
                }
            }
        }
        Self {
            d,
            hidden: Blocks::new(d, hidden),
            output: Blocks::new(d, output),
            active: std::iter::once(0..d).collect(),
            differentiable: false,
        }
    }

    /// The same masks, asking for their gradient: then every block is computed on the way back.
    #[must_use]
    pub fn differentiable(mut self) -> Self {
        self.active = std::iter::once(0..self.d).collect();
        self.differentiable = true;
        self
    }

    /// The number of variables.
    pub fn len(&self) -> usize {
        self.d
    }

    /// Whether there are no variables.
    pub fn is_empty(&self) -> bool {
        self.d == 0
    }

    /// Block (i ← j) of the hidden layers.
    pub fn hidden(&self, i: usize, j: usize) -> f64 {
        self.hidden.factors[i * self.d + j]
    }

    /// Block (i ← j) before the outputs.
    pub fn output(&self, i: usize, j: usize) -> f64 {
        self.output.factors[i * self.d + j]
    }

    /// Carries gradients of the masks (d × d each) to the doubly stochastic matrix P they are made of.
    pub fn pull_back(p: &[f64], d_hidden: &[f64], d_output: &[f64]) -> Vec<f64> {
        let d = (p.len() as f64).sqrt().round() as usize;
        let mut gradient = vec![0.0; d * d];
        for i in 0..d {
            for j in 0..d {
                let (hidden, output) = (d_hidden[i * d + j], d_output[i * d + j]);
                for a in 0..d {
                    for b in 0..=a {
                        let weight = hidden + if a > b { output } else { 0.0 };
                        gradient[i * d + a] += weight * p[j * d + b];
                        gradient[j * d + b] += weight * p[i * d + a];
                    }
                }
            }
        }
        gradient
    }
}

impl Blocks {
    /// Every block, whatever the mask.
    pub fn dense(d: usize) -> Self {
        Self::new(d, vec![1.0; d * d])
    }

    fn new(d: usize, factors: Vec<f64>) -> Self {
        let into = (0..d).map(|i| runs((0..d).map(|j| factors[i * d + j]))).collect();
        let from = (0..d).map(|j| runs((0..d).map(|i| factors[i * d + j]))).collect();
        Self { factors, into, from }
    }
}

/// Consecutive equal non-zero factors.
fn runs(factors: impl Iterator<Item = f64>) -> Vec<BlockRun> {
    let mut runs: Vec<BlockRun> = Vec::new();
    for (index, factor) in factors.enumerate() {
        match runs.last_mut() {
            Some(run) if run.end == index && run.factor == factor => run.end += 1,
            _ if factor != 0.0 => runs.push(BlockRun { start: index, end: index + 1, factor }),
            _ => {}
        }
    }
    runs
}

/// Consecutive indices that are set.
fn ranges(set: &[bool]) -> Vec<Range<usize>> {
    runs(set.iter().map(|&b| f64::from(u8::from(b)))).iter().map(|run| run.start..run.end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_without_knowledge_gives_triangles() {
        let order = Ordering::new(vec![1, 2, 0]).unwrap();
        let mask = Mask::hard(&order, &Knowledge::none(3));
        assert_eq!(mask.hidden.factors, [1., 1., 1., 0., 1., 0., 0., 1., 1.]);
        assert_eq!(mask.output.factors, [0., 1., 1., 0., 0., 0., 0., 1., 0.]);
        // Node 0 comes last: nobody reads it.
        assert!(mask.active.iter().cloned().flatten().eq([1, 2]));
        let p = [0., 0., 1., 1., 0., 0., 0., 1., 0.];
        let soft = Mask::soft(&p, &Knowledge::none(3));
        assert_eq!((soft.hidden.factors, soft.output.factors), (mask.hidden.factors, mask.output.factors));
    }

    #[test]
    fn forbidden_causes_reach_no_output_through_any_depth() {
        let columns: Vec<String> = (0..5).map(|j| format!("x{j}")).collect();
        let knowledge = Knowledge::from_toml(
            "forbidden = [['x0','x3'],['x1','x4']]\nroots = ['x2']\nleaves = ['x3']",
            &columns,
        )
        .unwrap();
        let mut rng = oslow_core::Seed(3).stream("test");
        for _ in 0..50 {
            let order = Ordering::random(5, &mut rng);
            let positions = order.positions();
            let mask = Mask::hard(&order, &knowledge);
            // Reachability over three hidden layers.
            let mut reach: Vec<bool> = (0..25).map(|x| x / 5 == x % 5).collect();
            for _ in 0..3 {
                let last = reach.clone();
                for i in 0..5 {
                    for j in 0..5 {
                        reach[i * 5 + j] = (0..5).any(|k| mask.hidden(i, k) != 0.0 && last[k * 5 + j]);
                    }
                }
            }
            for i in 0..5 {
                for j in 0..5 {
                    let depends = (0..5).any(|k| mask.output(i, k) != 0.0 && reach[k * 5 + j]);
                    let may = positions[j] < positions[i] && knowledge.allows(j, i);
                    assert_eq!(depends, may, "{order:?}: {j} → {i}");
                }
            }
        }
    }
}
