//! Tables across the border.

use std::collections::BTreeMap;

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use oslow::data::{self, Cells, ReadOptions, Table};
use oslow::{ColumnType, Conditions, Error, ReadConfig, Result, Sample};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

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
    /// The column that names the condition of each row, …
    condition: Option<String>,
    /// … or what was set in it.
    targets: Option<String>,
    /// The conditions of rows that were read from a file.
    conditions: Option<Said>,
}

/// What a column of a file said of the condition of each row.
#[derive(Deserialize, Serialize)]
struct Said {
    column: String,
    of_row: Vec<String>,
    targets: bool,
}

impl Said {
    fn of(conditions: &Conditions) -> Self {
        let names = conditions.names();
        Self {
            column: conditions.column().into(),
            of_row: conditions.of_row().iter().map(|&of_row| names[of_row].clone()).collect(),
            targets: conditions.are_targets(),
        }
    }

    fn conditions(&self) -> Result<Conditions> {
        let new = if self.targets { Conditions::of_targets } else { Conditions::new };
        new(&self.column, &self.of_row)
    }
}

impl Typing {
    fn options(&self) -> Result<ReadOptions> {
        let config = ReadConfig {
            missing: self.missing.clone(),
            types: self.types.clone(),
            condition: self.condition.clone(),
            targets: self.targets.clone(),
            ..ReadConfig::default()
        };
        config.options()
    }

    /// The table with the conditions of its rows, where a file told them.
    fn with_conditions(&self, sample: Sample) -> Result<Sample> {
        let Some(said) = &self.conditions else { return Ok(sample) };
        if said.of_row.len() != sample.rows() {
            return Err(Error::internal("rows were dropped after their conditions were read"));
        }
        Ok(sample.with_conditions(Some(said.conditions()?)))
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
    let has_conditions = typing.condition.is_some() || typing.targets.is_some();
    let plain = typing.types.is_empty() && typing.words.is_empty() && !has_conditions;
    let read = || match plain && (typing.missing.is_none() || numbers.iter().all(|number| number.is_finite()))
    {
        true => Sample::new(names, numbers.to_vec()),
        false => {
            let columns = typing.columns(&names, numbers);
            Ok(data::table_of_columns(names, &columns, &typing.options()?)?.sample)
        }
    };
    read().and_then(|sample| typing.with_conditions(sample)).map_err(|e| raised(py, e))
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
    let conditions = sample.conditions().map(Said::of);
    let typing = serde_json::json!({ "types": types, "words": words, "conditions": conditions }).to_string();
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
