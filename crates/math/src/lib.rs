//! Formulas that several methods share.

mod additive;
mod cholesky;
mod dense_product;
mod kci;
mod optimizer;
mod products;
mod r_squared;
mod ranks;
mod real;
mod symmetric_eigen;
mod variances;

pub use additive::{AdditiveFit, SmoothBasis, SmoothTerm, Smoothing, ThinPlate, fit_additive};
pub use cholesky::{NotPositiveDefinite, cholesky, solve_transposed};
pub use kci::{Kci, KciResult, kci_test};
pub use optimizer::{AdamW, AdamWConfig};
pub use products::{row_products, row_products_with};
pub use r_squared::r_squared;
pub use ranks::ranks;
pub use real::Real;
pub use symmetric_eigen::{SymmetricEigen, symmetric_eigen};
pub use variances::variances;
