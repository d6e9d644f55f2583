//! The shape of a flow.

use oslow_core::{Result, layers, positive, within};
use serde::{Deserialize, Serialize};

/// The nonlinearity of hidden layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    /// max(x, 0.01·x), as in the public code.
    LeakyRelu,
    /// tanh x.
    Tanh,
    /// x·σ(x): smooth.
    #[default]
    Silu,
}

/// How the last layer's number h becomes the log-scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Head {
    /// log s = h.
    Raw,
    /// log s = b·tanh(h/a), which keeps the scale within e^±b.
    Bounded {
        /// Softness of the limit.
        a: f64,
        /// The limit.
        b: f64,
    },
}

impl Default for Head {
    fn default() -> Self {
        Self::Bounded { a: 2.0, b: 5.0 }
    }
}

/// What the scale may depend on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScaleModel {
    /// The scale is a function of the preceding variables (location-scale noise).
    #[default]
    Affine,
    /// The scale is constant in x and depends on the order alone (additive noise): the scale network is
    /// evaluated at zero input.
    Additive,
}

/// The density of the exogenous noise. The scale of a fixed one is 1: the flow's scale does the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Base {
    /// Standard normal.
    #[default]
    Gaussian,
    /// Laplace with scale 1.
    Laplace,
    /// Logistic with scale 1.
    Logistic,
    /// Student's t with this many degrees of freedom and scale 1.
    StudentT {
        /// Degrees of freedom.
        nu: f64,
    },
    /// A density of any shape for each variable, learned together with the flow: a mixture of five normal densities, and
    /// one of Student's t that is fixed, wide and rare.
    Learned,
}

/// The shape of a flow; [`Default`] is what we recommend for order learning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FlowConfig {
    /// Units per variable in each hidden layer, at least one layer. The paper names none; the public code has
    /// `[128, 64, 128]`, which costs some 58 times the multiplications of `[16, 16]`.
    pub hidden: Vec<usize>,
    /// Nonlinearity of hidden layers. The paper does not name it.
    pub activation: Activation,
    /// Whether hidden layers of equal width add their input to their output.
    pub residual: bool,
    /// Whether outputs also get a masked linear function of the inputs.
    pub skip: bool,
    /// How the log-scale is bounded (paper, "Numerical Stability": b·tanh(h/a) without values).
    pub head: Head,
    /// Location-scale or additive noise.
    pub scale: ScaleModel,
    /// Stacked transforms, at least 1. With one the flow is a location-scale model, as identifiability needs.
    pub transforms: usize,
    /// Whether each transform is followed by a learned shift and scale per variable.
    pub actnorm: bool,
    /// The density of the exogenous noise: `gaussian`, `laplace`, `logistic`, `student-t` with its `nu`, or `learned`. A fixed one is the same for all
    /// variables; a learned one is each variable's own. The paper knows the density beforehand.
    pub base: Base,
}

impl Default for FlowConfig {
    fn default() -> Self {
        Self {
            hidden: vec![16, 16],
            activation: Activation::default(),
            residual: false,
            skip: false,
            head: Head::default(),
            scale: ScaleModel::default(),
            transforms: 1,
            actnorm: false,
            base: Base::default(),
        }
    }
}

impl FlowConfig {
    /// Refuses shapes that make no sense.
    pub fn check(&self) -> Result<()> {
        layers("flow.hidden", &self.hidden, 4096)?;
        within("flow.transforms", self.transforms, 1..=64)?;
        if let Head::Bounded { a, b } = self.head {
            positive("flow.head.bounded.a", a, 1e6)?;
            positive("flow.head.bounded.b", b, 80.0)?;
        }
        if let Base::StudentT { nu } = self.base {
            positive("flow.base.student-t.nu", nu, 1e6)?;
        }
        Ok(())
    }
}
