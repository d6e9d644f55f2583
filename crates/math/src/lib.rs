//! Formulas that several methods share.

mod cholesky;

pub use cholesky::{NotPositiveDefinite, cholesky};
