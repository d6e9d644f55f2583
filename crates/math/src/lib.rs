//! Formulas that several methods share.

mod cholesky;
mod kci;
mod optimizer;
mod product;
mod r_squared;
mod ranks;
mod real;
mod variances;

pub use cholesky::{NotPositiveDefinite, cholesky, solve_transposed};
pub use kci::{Kci, KciResult, kci_test};
pub use optimizer::{AdamW, AdamWConfig};
pub use r_squared::r_squared;
pub use ranks::ranks;
pub use real::Real;
pub use variances::variances;
