//! Tables across the border.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use oslow::data::{self, Table};
use oslow::{ReadConfig, Result, Sample};
use pyo3::prelude::*;

use crate::errors::{raised, unreadable};
use crate::remedy::worded;

/// A table of the numbers of an array, copied: another thread of Python may write into the array while we work without the interpreter's
/// lock. The array must be contiguous, row by row.
pub fn sample(py: Python<'_>, values: &PyReadonlyArray2<'_, f64>, names: Vec<String>) -> PyResult<Sample> {
    Sample::new(names, values.as_slice()?.to_vec()).map_err(|e| raised(py, e))
}

/// Numbers as an array with this many columns.
pub fn array<'py>(py: Python<'py>, values: Vec<f64>, columns: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows = values.len() / columns;
    PyArray1::from_vec(py, values).reshape([rows, columns])
}

/// The rows of an array, which need not be a table: a single row will do.
pub fn rows(values: &PyReadonlyArray2<'_, f64>, columns: usize) -> Result<Vec<f64>> {
    let found = values.shape()[1];
    if found != columns {
        return Err(oslow::Error::input(format!("{found} columns: the model has {columns}")));
    }
    let rows = values.as_array().iter().copied().collect::<Vec<f64>>();
    match rows.iter().position(|value| !value.is_finite()) {
        None => Ok(rows),
        Some(k) => {
            let (row, column) = (k / columns + 1, k % columns + 1);
            Err(oslow::Error::input(format!(
                "row {row}, column {column}: {} is not a finite number",
                rows[k]
            )))
        }
    }
}

/// Names, numbers and what the user should know.
type Read<'py> = (Vec<String>, Bound<'py, PyArray2<f64>>, Vec<String>);

fn handed_over<'py>(py: Python<'py>, table: Table) -> PyResult<Read<'py>> {
    let names = table.sample.names().to_vec();
    let values = array(py, table.sample.values().to_vec(), names.len())?;
    Ok((names, values, table.notes.iter().map(|note| note.worded(worded)).collect()))
}

/// Reads a file, or a built-in data set by its name.
#[pyfunction]
pub fn read_table<'py>(py: Python<'py>, source: &str, options: &str) -> PyResult<Read<'py>> {
    let read = || -> Result<Table> {
        let config: ReadConfig = serde_json::from_str(options).map_err(unreadable)?;
        data::open(source, &config.options()?)
    };
    handed_over(py, py.detach(read).map_err(|e| raised(py, e))?)
}

/// The edges of a built-in data set, cause and effect by name, where they are known.
type Edges = Option<Vec<(&'static str, &'static str)>>;

/// A built-in data set and its edges.
#[pyfunction]
pub fn load_dataset<'py>(py: Python<'py>, name: &str) -> PyResult<(Read<'py>, Edges)> {
    let found = oslow::find("data set", name, data::datasets()).map_err(|e| raised(py, e))?;
    let table = data::load(name).map_err(|e| raised(py, e))?;
    Ok((handed_over(py, table)?, found.truth()))
}
