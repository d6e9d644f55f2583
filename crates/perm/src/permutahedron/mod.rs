//! Sparse distributions over orders from one score a variable, and their derivatives.
//!
//! An order is the vector ρ of its positions, a corner of the permutahedron. Scores θ make it ⟨θ, ρ⟩ good: the best order is that by
//! ascending θ. Two operators spread this over several orders, so that the weights move smoothly with θ and most orders have none:
//! [`top_k_sparsemax`] is the sparsemax over the best k orders, [`sparse_map`] the Euclidean projection of θ onto the whole polytope.
//!
//! Equal scores leave the smaller variable first. Where that must not decide, draw θ with a little noise.
//!
//! Zantedeschi, Franceschi, Kaddour, Kusner, Niculae: DAG learning on the permutahedron. ICLR 2023.

mod k_best;
mod sparse_map;
mod sparsemax;

pub use k_best::k_best;
pub use sparse_map::sparse_map;
pub use sparsemax::{sparsemax, sparsemax_pull_back, top_k_sparsemax};

use oslow_core::Ordering;

use sparse_map::Face;

/// Some orders with weights above 0 that sum to 1.
#[derive(Clone, Debug)]
pub struct SparseOrders {
    /// The orders, each once.
    pub orders: Vec<Ordering>,
    /// Their weights.
    pub weights: Vec<f64>,
    origin: Origin,
}

/// What the weights come from.
#[derive(Clone, Debug)]
enum Origin {
    Sparsemax,
    SparseMap(Face),
}

impl SparseOrders {
    /// The mean of the orders' positions.
    pub fn mean(&self) -> Vec<f64> {
        combination(&self.orders, &self.weights)
    }

    /// The gradient in θ, given that in the weights.
    pub fn pull_back(&self, d_weights: &[f64]) -> Vec<f64> {
        let by_order = match &self.origin {
            Origin::Sparsemax => sparsemax_pull_back(&self.weights, d_weights),
            Origin::SparseMap(face) => face.pull_back(d_weights),
        };
        combination(&self.orders, &by_order)
    }
}

/// Σ aᵢ·ρᵢ.
fn combination(orders: &[Ordering], factors: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; orders.first().map_or(0, Ordering::len)];
    for (order, factor) in orders.iter().zip(factors) {
        for (position, &node) in order.nodes().iter().enumerate() {
            sum[node] += factor * position as f64;
        }
    }
    sum
}

/// ⟨θ, ρ⟩.
fn value(theta: &[f64], order: &Ordering) -> f64 {
    order.nodes().iter().enumerate().map(|(position, &node)| theta[node] * position as f64).sum()
}
