//! Formulas that several methods share.

mod cholesky;
mod optimizer;
mod real;

pub use cholesky::{NotPositiveDefinite, cholesky, solve_transposed};
pub use optimizer::{AdamW, AdamWConfig};
pub use real::Real;
