//! Interventions by name, of a fitted flow and of a true model alike.

use numpy::PyArray2;
use oslow::{Intervention, Interventional, Result, Seed};
use pyo3::prelude::*;

use crate::errors::raised;
use crate::table;

/// What is set to what, by name.
pub type Do = Vec<(String, f64)>;
/// Target, mean, and where its 99 % Monte-Carlo interval begins and ends.
pub type Effect = (String, f64, f64, f64);

/// The interventions that names and values mean.
pub fn interventions(names: &[String], set: &Do) -> Result<Vec<Intervention>> {
    let found = |(name, value): &(String, f64)| {
        let node = names.iter().position(|known| known == name).ok_or_else(|| {
            oslow::Error::input(format!("do: there is no variable `{name}`"))
                .with_hint(oslow::suggestion(name, names.iter().map(String::as_str)))
        })?;
        Ok(Intervention { node, value: *value })
    };
    set.iter().map(found).collect()
}

/// The means of all that is not set.
pub fn effects(model: &dyn Interventional, set: &Do, rows: usize, seed: u64) -> Result<Vec<Effect>> {
    let found = oslow::effects(model, &interventions(model.names(), set)?, rows, Seed(seed))?;
    Ok(found.iter().map(|effect| named(model, effect)).collect())
}

/// The same at each value of a grid of one variable.
pub fn curve(
    model: &dyn Interventional,
    variable: &str,
    grid: &[f64],
    set: &Do,
    rows: usize,
    seed: u64,
) -> Result<Vec<Vec<Effect>>> {
    let node = interventions(model.names(), &vec![(variable.to_string(), 0.0)])?[0].node;
    let held = interventions(model.names(), set)?;
    let points = oslow::effect_curve(model, node, grid, &held, rows, Seed(seed))?;
    Ok(points.iter().map(|point| point.iter().map(|effect| named(model, effect)).collect()).collect())
}

fn named(model: &dyn Interventional, effect: &oslow::Effect) -> Effect {
    (model.names()[effect.target].clone(), effect.mean.mean, effect.mean.low, effect.mean.high)
}

/// Rows under interventions.
pub fn draw<'py>(
    py: Python<'py>,
    model: &(dyn Interventional + Sync),
    rows: usize,
    set: &Do,
    seed: u64,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let drawn = py.detach(|| {
        let set = interventions(model.names(), set)?;
        model.draw(rows, &set, &mut Seed(seed).stream("oslow/sample"))
    });
    table::array(py, drawn.map_err(|e| raised(py, e))?, model.names().len())
}
