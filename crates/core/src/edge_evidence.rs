//! What a method knows of an edge of its graph.

use crate::Edge;

/// What a cause does to its effect, the other causes being what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectShape {
    /// More of the cause, more of the effect.
    Rising,
    /// More of the cause, less of the effect.
    Falling,
    /// It rises and falls.
    Bent,
    /// Only the spread of the effect changes.
    Spread,
    /// It differs from category to category.
    Levels,
}

impl std::fmt::Display for EffectShape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Rising => "rising",
            Self::Falling => "falling",
            Self::Bent => "bent",
            Self::Spread => "spread",
            Self::Levels => "levels",
        })
    }
}

/// How strong an edge is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeEvidence {
    /// Cause and effect.
    pub edge: Edge,
    /// What the cause gains beside the other causes, in nats per held-out row.
    pub gain: f64,
    /// The standard error of that over rows.
    pub gain_error: f64,
    /// What the cause does.
    pub effect: EffectShape,
}
