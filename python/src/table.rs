//! Tables across the border.

use std::collections::BTreeMap;

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use oslow::data::{self, Cells, ReadOptions, Table};
use oslow::{ColumnType, ReadConfig, Result, Sample};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::errors::{raised, unreadable};
use crate::remedy::worded;

/// What Python says of the columns besides their numbers.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Typing {
    /// What to do where numbers are NaN.
    missing: Option<String>,
    /// Types by name, as users give them.
    types: BTreeMap<String, String>,
    /// What the numbers 0, 1, 2… of a column stand for.
    words: BTreeMap<String, Vec<String>>,
}

impl Typing {
    fn options(&self) -> Result<ReadOptions> {
        let config =
            ReadConfig { missing: self.missing.clone(), types: self.types.clone(), ..ReadConfig::default() };
        config.options()
    }

    /// The columns of numbers, words in the place of numbers that stand for some.
    fn columns(&self, names: &[String], numbers: &[f64]) -> Vec<Cells> {
        let of = |(j, name): (usize, &String)| {
            let column = numbers[j..].iter().step_by(names.len()).copied();
            match self.words.get(name) {
                None => Cells::Numbers(column.collect()),
                Some(words) => Cells::Words(
                    column.map(|code| words.get(code as usize).filter(|_| !code.is_nan()).cloned()).collect(),
                ),
            }
        };
        names.iter().enumerate().map(of).collect()
    }
}

/// A table of the numbers of an array, which must be contiguous, row by row. It is copied: another thread of Python may write into the array while we work without the interpreter's lock. `typing` is JSON.
pub fn sample(
    py: Python<'_>,
    values: &PyReadonlyArray2<'_, f64>,
    names: Vec<String>,
    typing: &str,
) -> PyResult<Sample> {
    let numbers = values.as_slice()?;
    let typing: Typing = serde_json::from_str(typing).map_err(|e| raised(py, unreadable(e)))?;
    let plain = typing.types.is_empty() && typing.words.is_empty();
    if !plain || typing.missing.is_some() && numbers.iter().any(|number| !number.is_finite()) {
        let read = || {
            let table =
                data::table_of_columns(names.clone(), &typing.columns(&names, numbers), &typing.options()?)?;
            Ok(table.sample)
        };
        return read().map_err(|e: oslow::Error| raised(py, e));
    }
    Sample::new(names, numbers.to_vec()).map_err(|e| raised(py, e))
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

/// Names, numbers (NaN where there is none), types and words by column, and what the user should know.
type Read<'py> = (Vec<String>, Bound<'py, PyArray2<f64>>, String, Vec<String>);

fn handed_over<'py>(py: Python<'py>, table: Table) -> PyResult<Read<'py>> {
    let sample = &table.sample;
    let (names, d) = (sample.names().to_vec(), sample.columns());
    let number = |(k, &number): (usize, &f64)| if sample.is_gap(k / d, k % d) { f64::NAN } else { number };
    let values = array(py, sample.values().iter().enumerate().map(number).collect(), d)?;
    // What is recognised again need not be said.
    let given = |j: usize| match (sample.labels(j), sample.type_of(j)) {
        ([], kind) => (kind != ColumnType::recognise(sample.column(j))).then(|| kind.to_string()),
        (labels, ColumnType::Ordinal) => Some(format!("ordinal:{}", labels.join("<"))),
        _ => None,
    };
    let types: BTreeMap<&str, String> = (0..d).filter_map(|j| Some((names[j].as_str(), given(j)?))).collect();
    let words: BTreeMap<&str, &[String]> = (0..d)
        .filter(|&j| !sample.labels(j).is_empty())
        .map(|j| (names[j].as_str(), sample.labels(j)))
        .collect();
    let typing = serde_json::json!({ "types": types, "words": words }).to_string();
    Ok((names, values, typing, table.notes.iter().map(|note| note.worded(worded)).collect()))
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
