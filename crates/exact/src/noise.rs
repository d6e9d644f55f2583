//! The kinds of density that the noise of a node may have.

use serde::{Deserialize, Serialize};

/// A kind of density.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Noise {
    /// Normal.
    Gaussian,
    /// Two-sided exponential.
    Laplace,
    /// Of any shape: a mixture of normal densities, fitted together with location and scale.
    Mixture,
}
