//! What a set of causes costs besides its score: a price for each cause, and one for the shape of the model.

use crate::{Family, LocalConfig};

impl LocalConfig {
    /// What each cause costs in a table of so many rows, in nats per row.
    pub fn price(&self, rows: usize) -> f64 {
        if self.price > 0.0 { self.price } else { 0.5 * (rows as f64).ln() / rows as f64 }
    }

    /// What the shape of a family costs in a table of so many rows, in nats per row.
    pub(crate) fn family_price(&self, family: &Family, rows: usize) -> f64 {
        self.shape_price * self.price(rows) * family.complexity()
    }

    /// What a node costs with so many parents, whose family has this score.
    pub(crate) fn cost(&self, nll: f64, parents: usize, family: &Family, rows: usize) -> f64 {
        nll + self.price(rows) * parents as f64 + self.family_price(family, rows)
    }
}
