//! Structural causal models to simulate from.
//!
//! A [`Spec`] says what kind of model is wanted; [`simulate`] draws a graph, then, node by node along its
//! order, location, scale and noise: Xᵢ = g(t(parents) + s(parents)·Uᵢ). Noise can enter in other ways
//! ([`MIXES`]), columns can be changed before they are seen ([`SEEN`]), and common causes can be left out of the table.
//! What comes back is the sample, the true graph and the [`Scm`], which answers interventions exactly (up to
//! Monte Carlo error). [`simulate_problem`] does the same for a ready-made model.
//!
//! Graphs, mechanisms, noises, mixes, outputs, ways of seeing and problems are registries: a new member is one file
//! and one line in its folder's `mod.rs`. [`FAMILIES`] is a table of specs by name.

#![forbid(unsafe_code)]

/// Declares the modules of a folder and the list of their entries at once.
macro_rules! registry {
    ($(#[$doc:meta])* $list:ident: $entry:ty = { $($module:ident),+ $(,)? }) => {
        $(pub(crate) mod $module;)+

        $(#[$doc])*
        pub const $list: &[$entry] = &[$($module::ENTRY),+];
    };
}

mod combination;
mod discrete;
mod erlang;
mod experiment;
mod family;
mod function;
mod graph;
mod mechanism;
mod mix;
mod noise;
mod output;
mod problem;
mod scm;
mod seen;
mod simulate;
mod spec;
mod unit;

pub use experiment::{ExperimentKind, Experiments};
pub use family::{FAMILIES, Family};
pub use graph::{GRAPHS, GraphEntry};
pub use mechanism::{LocationScale, MECHANISMS, Mechanism, MechanismEntry, ParentRows};
pub use mix::{Causes, MIXES, Mix, MixEntry};
pub use noise::{NOISES, Noise, NoiseEntry};
pub use output::{Curve, OUTPUTS, OutputEntry};
pub use problem::{PROBLEMS, ProblemColumn, ProblemEntry, simulate_problem};
pub use scm::{Node, Scm};
pub use seen::{SEEN, Seen, SeenEntry, Sight};
pub use simulate::{Seeds, Simulated, simulate};
pub use spec::{EdgeProbability, Location, Members, Rule, Shift, Signs, Skew, Spec};
