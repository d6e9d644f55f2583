//! Masked autoregressive flows over permutations: one network that models every causal order.
//!
//! This is the crate where numbers are crunched. A [`FlowConfig`] gives the shape, a [`Layout`]
//! the place of each parameter, a [`Mask`] the order; the [`Engine`] evaluates and differentiates.

mod base;
mod conditioner;
mod config;
mod engine;
mod fit;
mod fitted;
mod init;
mod invert;
pub mod kernel;
mod layout;
mod mask;
mod mixture;
pub mod reference;
mod store;
mod transform;

pub use config::{Activation, Base, FlowConfig, Head, ScaleModel};
pub use engine::{Engine, Evaluation, MaskGradient};
pub use fit::{FitConfig, cosine_rate, gather, split_rows};
pub use fitted::FittedFlow;
pub use invert::invert;
pub use layout::{LayerLayout, Layout, NetLayout, TransformLayout};
pub use mask::Mask;

/// A number that a flow can be made of: f32 for training, f64 for checks and statistics.
pub trait Real: oslow_math::Real + kernel::product::Multiply {}

impl<T: oslow_math::Real + kernel::product::Multiply> Real for T {}
