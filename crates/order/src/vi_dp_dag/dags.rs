//! A distribution over graphs without cycles: an order, and edges that follow it.

use std::collections::BTreeMap;

use oslow_core::{Dag, Knowledge, Precedence, Result, Rng};
use oslow_perm::permutation_matrix;
use rand::seq::IndexedRandom;

use super::edges::{EdgeDraw, Edges};
use super::permutations::{Parametrisation, Permutations};

/// A = E ∘ (S·U·Sᵀ) with random edges E, a random permutation matrix S (variable by position) and U strictly upper triangular.
pub(super) struct Dags<'a> {
    pub edges: Edges,
    pub permutations: Permutations,
    precedence: &'a Precedence,
}

/// One draw, and what its gradient needs.
pub(super) struct Draw {
    edges: EdgeDraw,
    scores: Vec<f64>,
    matrix: Vec<f64>,
    /// S·U·Sᵀ.
    before: Vec<f64>,
    /// A, row → column.
    pub adjacency: Vec<f64>,
}

/// The gradient of a loss in the parameters.
pub(super) struct DagGradient {
    pub edges: Vec<f64>,
    pub permutations: Vec<f64>,
}

impl<'a> Dags<'a> {
    /// About half of all edges, in any order that the knowledge admits.
    pub fn new(knowledge: &'a Knowledge, parametrisation: Parametrisation, rng: &mut Rng) -> Self {
        Self {
            edges: Edges::new(knowledge, rng),
            permutations: Permutations::new(knowledge.len(), parametrisation),
            precedence: knowledge.precedence(),
        }
    }

    /// A random graph.
    pub fn draw(&self, rng: &mut Rng) -> Result<Draw> {
        let mut scores = self.permutations.scores();
        scores.iter_mut().zip(self.permutations.noise(rng)).for_each(|(score, noise)| *score += noise);
        let matrix = self.hard_matrix(&scores)?;
        Ok(Draw::new(self.edges.smooth(&self.edges.noise(rng)).hardened(), scores, matrix))
    }

    /// The graph of all edges that are more likely than not and follow the order without noise.
    pub fn likely(&self) -> Result<Vec<f64>> {
        let matrix = self.hard_matrix(&self.permutations.scores())?;
        Ok(product(&self.edges.likely(), &before(&matrix)))
    }

    fn hard_matrix(&self, scores: &[f64]) -> Result<Vec<f64>> {
        let order = self.permutations.order(scores)?;
        let admitted = if self.precedence.is_free() { order } else { self.precedence.project(&order) };
        Ok(permutation_matrix(&admitted))
    }

    /// The gradient in the parameters, given that in A: as if edges and matrix were the smooth ones behind them.
    pub fn pull_back(&self, draw: &Draw, d_adjacency: &[f64]) -> DagGradient {
        let d_edges = product(d_adjacency, &draw.before);
        let d_before = product(d_adjacency, &draw.edges.values);
        let d_matrix = before_pull_back(&draw.matrix, &d_before);
        DagGradient {
            edges: product(&d_edges, &draw.edges.slopes),
            permutations: self.permutations.pull_back(&draw.scores, &d_matrix),
        }
    }

    /// The most frequent of so many random graphs; of several equally frequent ones, one by draw.
    pub fn most_frequent(&self, draws: usize, rng: &mut Rng) -> Result<Dag> {
        let mut counts = BTreeMap::<Vec<bool>, usize>::new();
        for _ in 0..draws {
            let drawn = self.draw(rng)?.adjacency.iter().map(|&edge| edge > 0.5).collect();
            *counts.entry(drawn).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or_default();
        let modes: Vec<&Vec<bool>> = counts.iter().filter(|(_, n)| **n == most).map(|(dag, _)| dag).collect();
        let mode = modes.choose(rng).expect("something was drawn");
        let d = mode.len().isqrt();
        let edges: Vec<_> = (0..d * d).filter(|&k| mode[k]).map(|k| (k / d, k % d)).collect();
        Dag::new(d, &edges)
    }
}

impl Draw {
    fn new(edges: EdgeDraw, scores: Vec<f64>, matrix: Vec<f64>) -> Self {
        let before = before(&matrix);
        let adjacency = product(&edges.values, &before);
        Self { edges, scores, matrix, before, adjacency }
    }
}

/// Number by number.
fn product(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a * b).collect()
}

/// S·U·Sᵀ: entry (i, j) is Σₚ S(i, p)·Σ over q > p of S(j, q), 1 where i comes before j.
fn before(matrix: &[f64]) -> Vec<f64> {
    let d = matrix.len().isqrt();
    let later = later(matrix, d);
    let row_product = |k: usize| {
        let (of_cause, of_effect) = (&matrix[k / d * d..][..d], &later[k % d * d..][..d]);
        of_cause.iter().zip(of_effect).map(|(a, b)| a * b).sum()
    };
    (0..d * d).map(row_product).collect()
}

/// The gradient in S, given that in S·U·Sᵀ.
fn before_pull_back(matrix: &[f64], d_before: &[f64]) -> Vec<f64> {
    let d = matrix.len().isqrt();
    let (earlier, later) = (earlier(matrix, d), later(matrix, d));
    let mut gradient = vec![0.0; d * d];
    for i in 0..d {
        for j in 0..d {
            let (as_cause, as_effect) = (d_before[i * d + j], d_before[j * d + i]);
            for p in 0..d {
                gradient[i * d + p] += as_cause * later[j * d + p] + as_effect * earlier[j * d + p];
            }
        }
    }
    gradient
}

/// Σ over q > p of S(j, q).
fn later(matrix: &[f64], d: usize) -> Vec<f64> {
    let mut sums = vec![0.0; d * d];
    for (row, sums) in matrix.chunks_exact(d).zip(sums.chunks_exact_mut(d)) {
        (1..d).rev().for_each(|q| sums[q - 1] = sums[q] + row[q]);
    }
    sums
}

/// Σ over q < p of S(j, q).
fn earlier(matrix: &[f64], d: usize) -> Vec<f64> {
    let mut sums = vec![0.0; d * d];
    for (row, sums) in matrix.chunks_exact(d).zip(sums.chunks_exact_mut(d)) {
        (1..d).for_each(|p| sums[p] = sums[p - 1] + row[p - 1]);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;
    use oslow_perm::{Sinkhorn, SoftSort};

    fn parametrisations() -> [Parametrisation; 2] {
        [
            Parametrisation::Sinkhorn(Sinkhorn { temperature: 1.0, iterations: 20 }),
            Parametrisation::TopK(SoftSort { temperature: 1.0 }),
        ]
    }

    fn columns(d: usize) -> Vec<String> {
        (0..d).map(|j| format!("X{j}")).collect()
    }

    /// The draw with nothing hardened.
    fn smooth(dags: &Dags<'_>, edge_noise: &[f64], order_noise: &[f64]) -> Draw {
        let scores: Vec<f64> =
            dags.permutations.scores().iter().zip(order_noise).map(|(s, e)| s + e).collect();
        let matrix = dags.permutations.smooth(&scores);
        Draw::new(dags.edges.smooth(edge_noise), scores, matrix)
    }

    #[test]
    fn the_gradient_is_that_of_the_smooth_graph() {
        let knowledge = Knowledge::new(&columns(4), &[], &[(0, 3)], &[(2, 1)], &[], &[]).unwrap();
        for parametrisation in parametrisations() {
            let rng = &mut Seed(3).stream("test");
            let mut dags = Dags::new(&knowledge, parametrisation, rng);
            dags.permutations.weights = dags.permutations.noise(rng);
            let (edge_noise, order_noise) = (dags.edges.noise(rng), dags.permutations.noise(rng));
            let cotangent: Vec<f64> = (0..16).map(|k| (1.0 + f64::from(k)).sin()).collect();
            let draw = smooth(&dags, &edge_noise, &order_noise);
            let gradient = dags.pull_back(&draw, &cotangent);
            let value = |dags: &Dags<'_>| -> f64 {
                product(&smooth(dags, &edge_noise, &order_noise).adjacency, &cotangent).iter().sum()
            };
            let mut parameter = |of: for<'b> fn(&'b mut Dags<'_>) -> &'b mut Vec<f64>, k: usize| {
                let mut at = |step: f64| {
                    of(&mut dags)[k] += step;
                    let value = value(&dags);
                    of(&mut dags)[k] -= step;
                    value
                };
                (at(1e-6) - at(-1e-6)) / 2e-6
            };
            for (k, slope) in gradient.edges.iter().enumerate() {
                assert!((parameter(|dags| &mut dags.edges.logits, k) - slope).abs() < 1e-8, "edge {k}");
            }
            for (k, slope) in gradient.permutations.iter().enumerate() {
                assert!(
                    (parameter(|dags| &mut dags.permutations.weights, k) - slope).abs() < 1e-8,
                    "order {k}"
                );
            }
        }
    }

    #[test]
    fn draws_follow_the_order_and_what_is_known() {
        let knowledge =
            Knowledge::new(&columns(5), &[vec![4], vec![1]], &[(3, 0)], &[(4, 2)], &[], &[]).unwrap();
        for parametrisation in parametrisations() {
            let rng = &mut Seed(5).stream("test");
            let dags = Dags::new(&knowledge, parametrisation, rng);
            for _ in 0..200 {
                let drawn = dags.draw(rng).unwrap();
                assert_eq!(drawn.before.iter().sum::<f64>(), 10.0);
                assert_eq!(
                    (drawn.before[4 * 5 + 1], drawn.adjacency[3 * 5], drawn.adjacency[4 * 5 + 2]),
                    (1.0, 1.0, 0.0)
                );
            }
        }
    }

    #[test]
    fn the_mode_is_that_of_the_distribution_and_ties_are_drawn() {
        let none = Knowledge::none(2);
        for parametrisation in parametrisations() {
            let rng = &mut Seed(7).stream("test");
            let mut dags = Dags::new(&none, parametrisation, rng);
            dags.edges.logits.fill(3.0);
            // The last variable comes first.
            dags.permutations.weights = match parametrisation {
                Parametrisation::Sinkhorn(_) => vec![-3.0, 3.0, 3.0, -3.0],
                Parametrisation::TopK(_) => vec![-1.0, 1.0],
            };
            assert_eq!(dags.most_frequent(200, rng).unwrap().edges(), [(1, 0)]);
            assert_eq!(dags.likely().unwrap(), [0.0, 0.0, 1.0, 0.0]);
            dags.permutations.weights.fill(0.0);
            dags.edges.logits.fill(30.0);
            let first = (0..60).filter(|_| dags.most_frequent(1, rng).unwrap().has(0, 1)).count();
            assert!((15..=45).contains(&first), "{first}");
        }
    }
}
