//! What is known of an edge besides its ends.

use oslow_core::Edge;

/// The numbers that stand beside an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EdgeAttributes {
    /// The p-value of the test that kept it.
    pub p_value: Option<f64>,
    /// How often a bootstrap found it, in [0, 1].
    pub confidence: Option<f64>,
}

impl EdgeAttributes {
    /// The names of all attributes, in the order in which they are written.
    pub(crate) const NAMES: [&'static str; 2] = ["p_value", "confidence"];

    /// The values beside [`Self::NAMES`].
    pub(crate) fn values(&self) -> [Option<f64>; 2] {
        [self.p_value, self.confidence]
    }

    /// The attributes that are there, by name.
    pub(crate) fn present(&self) -> impl Iterator<Item = (&'static str, f64)> {
        Self::NAMES.into_iter().zip(self.values()).filter_map(|(name, value)| Some((name, value?)))
    }

    /// Those of one edge; an edge that is not listed has none.
    pub(crate) fn of(edge: Edge, known: &[(Edge, Self)]) -> Self {
        known.iter().find(|(other, _)| *other == edge).map(|(_, attributes)| *attributes).unwrap_or_default()
    }
}
