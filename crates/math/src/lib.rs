//! Formulas that several methods share.

mod cholesky;
mod optimizer;
mod real;

pub use cholesky::{NotPositiveDefinite, cholesky};
pub use optimizer::{AdamW, AdamWConfig};
pub use real::Real;
