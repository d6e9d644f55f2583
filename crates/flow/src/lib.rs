//! Masked autoregressive flows over permutations: one network that models every causal order.
//!
//! This is the only crate that knows how numbers are crunched. A [`FlowConfig`] gives the shape, a [`Layout`]
//! the place of each parameter, a [`Mask`] the order; the [`Engine`] evaluates and differentiates.

mod base;
mod conditioner;
mod config;
mod engine;
mod init;
mod invert;
pub mod kernel;
mod layout;
mod mask;
mod optimizer;
mod real;
pub mod reference;
mod transform;

pub use config::{Activation, Base, FlowConfig, Head, ScaleModel};
pub use engine::{Engine, Evaluation, MaskGradient};
pub use invert::invert;
pub use layout::{LayerLayout, Layout, NetLayout, TransformLayout};
pub use mask::Mask;
pub use optimizer::{AdamW, AdamWConfig};
pub use real::Real;
