//! The smooth functions of every column, made once and shared by all regressions.

use std::sync::OnceLock;

use oslow_core::{Error, Result, Sample};
use oslow_math::{SmoothBasis, ThinPlate};
use rayon::prelude::*;

/// Columns, and bases of smooth functions of them.
pub(super) struct Bases<'a> {
    sample: &'a Sample,
    columns: Vec<Vec<f64>>,
    /// Of the columns that are a candidate cause of any.
    plates: Vec<Option<ThinPlate>>,
    /// By column and number of coefficients; most are never asked for.
    made: Vec<Vec<OnceLock<Option<SmoothBasis>>>>,
}

impl<'a> Bases<'a> {
    /// What bases with up to `k` coefficients need, for the candidates of these nodes.
    pub fn new(sample: &'a Sample, k: usize, nodes: &[usize], candidates: &[Vec<usize>]) -> Result<Self> {
        let columns: Vec<Vec<f64>> = (0..sample.columns()).map(|j| sample.column(j).collect()).collect();
        let wanted = |j: usize| nodes.iter().any(|&node| candidates[node].contains(&j));
        let plate = |j: usize| if wanted(j) { ThinPlate::new(&columns[j], k) } else { None };
        let plates = (0..columns.len()).into_par_iter().map(plate).collect();
        let made = (0..columns.len()).map(|_| (0..=k).map(|_| OnceLock::new()).collect()).collect();
        Ok(Self { sample, columns, plates, made })
    }

    pub fn rows(&self) -> usize {
        self.sample.rows()
    }

    pub fn column(&self, node: usize) -> &[f64] {
        &self.columns[node]
    }

    pub fn name(&self, node: usize) -> &str {
        &self.sample.names()[node]
    }

    /// The bases of some columns with k coefficients each.
    pub fn of(&self, nodes: &[usize], k: usize) -> Result<Vec<&SmoothBasis>> {
        nodes.iter().map(|&node| self.basis(node, k)).collect()
    }

    fn basis(&self, node: usize, k: usize) -> Result<&SmoothBasis> {
        let basis = self.made[node][k].get_or_init(|| self.plates[node].as_ref()?.basis(k));
        basis.as_ref().ok_or_else(|| {
            Error::input(format!("column `{}` has no spline: its values are too far apart", self.name(node)))
                .with_hint("look for outliers, or take logarithms")
        })
    }
}
