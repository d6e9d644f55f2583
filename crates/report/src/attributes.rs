//! What is known of an edge besides its ends.

use oslow_core::Edge;

/// The numbers that stand beside an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EdgeAttributes {
    /// The p-value of the test that kept it.
    pub p_value: Option<f64>,
    /// How probable it is, or how often a bootstrap found it, in [0, 1].
    pub confidence: Option<f64>,
    /// How probable its direction is, given that there is an edge.
    pub direction_confidence: Option<f64>,
    /// Whether the data tell its direction, where that is known.
    pub decided: Option<bool>,
}

impl EdgeAttributes {
    /// The names of all numbers, in the order in which they are written.
    pub(crate) const NAMES: [&'static str; 3] = ["p_value", "confidence", "direction_confidence"];

    /// The values beside [`Self::NAMES`].
    pub(crate) fn values(&self) -> [Option<f64>; 3] {
        [self.p_value, self.confidence, self.direction_confidence]
    }

    /// What is said of the direction, where something is known of it.
    pub(crate) fn direction(&self) -> Option<&'static str> {
        self.decided.map(|decided| if decided { "decided" } else { "undecided" })
    }

    /// The confidence in what is drawn: in the edge, or, where its direction is undecided, in a link between the two.
    pub(crate) fn confidence_drawn(&self) -> Option<f64> {
        match self.direction_confidence {
            Some(direction) if self.is_undecided() && direction > 0.0 => {
                self.confidence.map(|confidence| (confidence / direction).min(1.0))
            }
            _ => self.confidence,
        }
    }

    /// Whether it may as well point the other way.
    pub(crate) fn is_undecided(&self) -> bool {
        self.decided == Some(false)
    }

    /// The numbers that are there, by name.
    pub(crate) fn present(&self) -> impl Iterator<Item = (&'static str, f64)> {
        Self::NAMES.into_iter().zip(self.values()).filter_map(|(name, value)| Some((name, value?)))
    }

    /// Those of one edge; an edge that is not listed has none.
    pub(crate) fn of(edge: Edge, known: &[(Edge, Self)]) -> Self {
        known.iter().find(|(other, _)| *other == edge).map(|(_, attributes)| *attributes).unwrap_or_default()
    }
}
