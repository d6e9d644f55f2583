//! What answers questions about interventions: the true mechanism and a fitted flow alike.

use crate::{Result, Rng};

/// A hard intervention: this variable is set to this value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Intervention {
    /// The variable.
    pub node: usize,
    /// Its value, in data units.
    pub value: f64,
}

/// A model that can be intervened upon.
pub trait Interventional {
    /// The variables' names.
    fn names(&self) -> &[String];

    /// `rows` independent draws under the interventions, row by row, in data units. Without interventions
    /// these are observational draws.
    fn draw(&self, rows: usize, interventions: &[Intervention], rng: &mut Rng) -> Result<Vec<f64>>;
}
