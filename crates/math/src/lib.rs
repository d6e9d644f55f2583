//! Formulas that several methods share.

mod additive;
mod blocked_cholesky;
mod central_range;
mod cholesky;
mod column_steps;
mod dense_product;
mod entropy;
mod exponentials;
mod extra_tree;
mod fused;
mod gaussian_process;
mod half_ln_tau;
mod hsic;
mod kci;
mod matrix_exponential;
mod optimizer;
mod products;
mod r_squared;
mod ranks;
mod real;
mod rms_prop;
mod simd;
mod stein;
mod symmetric_eigen;
mod variances;

pub use additive::{
    AdditiveFit, FEWEST_COEFFICIENTS, SmoothBases, SmoothBasis, SmoothTerm, Smoothing, ThinPlate,
    coefficients, fit_additive, select_terms,
};
pub use central_range::central_range;
pub use cholesky::{NotPositiveDefinite, cholesky, solve_factored, solve_transposed};
pub use dense_product::cross_products;
pub use entropy::entropy;
pub use exponentials::exponentials;
pub use extra_tree::extra_tree_importances;
pub use fused::{fused, fused_exponential};
pub use gaussian_process::{GaussianProcess, Smoothness, add_squared_distances, squared_distances};
pub use half_ln_tau::HALF_LN_TAU;
pub use hsic::hsic;
pub use kci::{Kci, KciResult, kci_test};
pub use matrix_exponential::matrix_exponential;
pub use optimizer::{AdamW, AdamWConfig};
pub use products::{row_products, row_products_with};
pub use r_squared::r_squared;
pub use ranks::{mean_ranks, ranks};
pub use real::Real;
pub use rms_prop::RmsProp;
pub use simd::{simd, simd_name};
pub use stein::stein_hessian;
pub use symmetric_eigen::{SymmetricEigen, symmetric_eigen};
pub use variances::variances;
