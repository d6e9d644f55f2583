//! Simulated data with its truth.

use numpy::PyArray2;
use oslow::scm::{Scm, Simulated, Spec};
use oslow::{Result, Seed, Settings};
use pyo3::prelude::*;

use crate::errors::{raised, unreadable};
use crate::interventions::{Do, Effect, curve, draw, effects};
use crate::table;

/// A true model: what its data would be under interventions.
#[pyclass(module = "oslow._oslow", frozen)]
pub struct Model(Scm);

/// Names, numbers, edges and the model.
type Drawn<'py> = (Vec<String>, Bound<'py, PyArray2<f64>>, Vec<(usize, usize)>, Model);

fn handed_over<'py>(py: Python<'py>, drawn: Result<Simulated>) -> PyResult<Drawn<'py>> {
    let Simulated { sample, scm, dag } = drawn.map_err(|e| raised(py, e))?;
    let names = sample.names().to_vec();
    let values = table::array(py, sample.values().to_vec(), names.len())?;
    Ok((names, values, dag.edges(), Model(scm)))
}

/// Draws a model of a family, and rows of it. The family is JSON with the keys of `oslow simulate --set`, and
/// `family` for a ready-made one.
#[pyfunction]
pub fn simulate<'py>(py: Python<'py>, family: &str, rows: usize, seed: u64) -> PyResult<Drawn<'py>> {
    let drawn = py.detach(|| {
        let settings: Settings = serde_json::from_str(family).map_err(unreadable)?;
        oslow::scm::simulate(&Spec::from_settings(&settings)?, rows, Seed(seed))
    });
    handed_over(py, drawn)
}

/// Draws rows of a ready-made model.
#[pyfunction]
pub fn simulate_problem<'py>(py: Python<'py>, name: &str, rows: usize, seed: u64) -> PyResult<Drawn<'py>> {
    handed_over(py, py.detach(|| oslow::scm::simulate_problem(name, rows, Seed(seed))))
}

#[pymethods]
impl Model {
    fn draw<'py>(
        &self,
        py: Python<'py>,
        rows: usize,
        set: Do,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        draw(py, &self.0, rows, &set, seed)
    }

    fn effects(&self, py: Python<'_>, set: Do, rows: usize, seed: u64) -> PyResult<Vec<Effect>> {
        py.detach(|| effects(&self.0, &set, rows, seed)).map_err(|e| raised(py, e))
    }

    fn effect_curve(
        &self,
        py: Python<'_>,
        variable: &str,
        grid: Vec<f64>,
        set: Do,
        rows: usize,
        seed: u64,
    ) -> PyResult<Vec<Vec<Effect>>> {
        py.detach(|| curve(&self.0, variable, &grid, &set, rows, seed)).map_err(|e| raised(py, e))
    }
}
