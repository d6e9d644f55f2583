//! Location-scale regression of one variable on some others: y = m(x) + exp(s(x))·u.
//!
//! # Model
//! m and s are each a sum of smooth units and of fixed terms ([`Network`]). Both are fitted together to the penalised
//! likelihood by Levenberg–Marquardt steps; how strong the penalties are is decided by the evidence (MacKay), so that nothing is
//! stopped early and nothing is tuned on rows that are scored.
//!
//! A prediction carries the uncertainty of its parameters (Laplace's approximation): where training rows are few, the density is
//! wider. Without that a single row outside of them can cost more than all others together.

mod inputs;
mod kernel;
mod location_scale;
mod masses;
mod network;
mod process;
mod steps;

pub(crate) use inputs::{Basis, Inputs};
pub(crate) use location_scale::{Effort, Fit, average};
pub(crate) use masses::{MassFit, MassModel};
pub(crate) use process::{ScaledRows, process_held_out};
