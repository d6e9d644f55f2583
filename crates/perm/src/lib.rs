//! Permutations and learning them.
//!
//! A square matrix Γ parameterises a distribution over orders: entry (i, p) says how much variable i belongs
//! at position p. [`matching`] turns scores into the best order, Gumbel noise makes it a draw, and a
//! [`Relaxation`] says how losses of draws become a gradient of Γ. [`minimize`] is the search on its own, for
//! any loss over orders.
//!
//! A vector of scores, one a variable, is the other way: see [`sparse_map`] and [`top_k_sparsemax`].

#![forbid(unsafe_code)]

mod gamma;
mod gumbel;
mod matching;
mod minimize;
mod permutahedron;
mod relaxation;
mod sinkhorn;
mod soft_sort;

pub use gamma::Gamma;
pub use gumbel::gumbel_noise;
pub use matching::{matching, permutation_matrix};
pub use minimize::{Minimize, Minimum, minimize};
pub use permutahedron::{SparseOrders, k_best, sparse_map, sparsemax, sparsemax_pull_back, top_k_sparsemax};
pub use relaxation::{
    Boltzmann, Draw, Feedback, Masking, Relaxation, SoftSinkhorn, StraightThroughSinkhorn, mode, weights,
};
pub use sinkhorn::Sinkhorn;
pub use soft_sort::{SoftSort, descending};
