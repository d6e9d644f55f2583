//! How a node follows from its parents: X = g(t(parents) + s(parents)·U).

use oslow_core::{Named, Result, Rng};

use crate::Spec;

registry! {
    /// The mechanisms.
    MECHANISMS: MechanismEntry = {
        linear, sinusoid, polynomial, gaussian_process, intervention, mlp, fourier, steps, sigmoids, cubics, sines,
        any
    }
}

pub(crate) mod root;
pub(crate) mod shaped;

/// Location and scale of a node, given its parents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocationScale {
    /// t, what is added to the noise.
    pub location: f64,
    /// s > 0, what the noise is multiplied by.
    pub scale: f64,
}

/// The mechanism of one node, its coefficients drawn.
pub trait Mechanism: std::fmt::Debug + Send + Sync {
    /// Location and scale in every row; refuses rows for which the mechanism is not defined.
    fn evaluate(&self, parents: &ParentRows) -> Result<Vec<LocationScale>>;
}

/// A registered mechanism.
#[derive(Debug)]
pub struct MechanismEntry {
    /// The name users type.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Whether each node is standardised along the order before its children see it.
    pub standardized: bool,
    /// Draws the mechanism of one node. The rows are those of the sample to be simulated; they matter
    /// only to a mechanism that is made of them.
    pub draw: fn(&Spec, &ParentRows, &mut Rng) -> Result<Box<dyn Mechanism>>,
}

impl Named for MechanismEntry {
    fn name(&self) -> &'static str {
        self.name
    }
}

/// The values of a node's parents, row by row; a root has rows without values.
#[derive(Clone, Debug, PartialEq)]
pub struct ParentRows {
    rows: usize,
    parents: usize,
    values: Vec<f64>,
}

impl ParentRows {
    /// The columns of these parents in a table with `d` columns.
    pub(crate) fn of(table: &[f64], d: usize, parents: &[usize]) -> Self {
        let values = table.chunks_exact(d).flat_map(|row| parents.iter().map(|&j| row[j])).collect();
        Self { rows: table.len() / d, parents: parents.len(), values }
    }

    /// Other values, made of the place of each cause and its value.
    pub(crate) fn mapped(&self, to: impl Fn(usize, f64) -> f64) -> Self {
        let values = self.values.iter().enumerate().map(|(k, &value)| to(k % self.parents, value)).collect();
        Self { values, ..*self }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of parents.
    pub fn parents(&self) -> usize {
        self.parents
    }

    /// The parents' values, row by row.
    pub fn iter(&self) -> impl Iterator<Item = &[f64]> {
        (0..self.rows).map(|i| self.row(i))
    }

    /// One row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.parents..(i + 1) * self.parents]
    }
}
