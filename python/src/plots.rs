//! Pictures of curves.

use oslow::Ordering;
use oslow::report::{BirkhoffPicture, Curve, LinePlot};
use pyo3::prelude::*;

use crate::errors::raised;

/// Name, points, band (or nothing) and whether it is dashed.
type Drawn = (String, Vec<(f64, f64)>, Vec<(f64, f64)>, bool);

/// A line plot as SVG.
#[pyfunction]
#[pyo3(signature = (title, x_label, y_label, curves, shaded))]
pub fn line_plot(
    title: String,
    x_label: String,
    y_label: String,
    curves: Vec<Drawn>,
    shaded: Option<(f64, f64, String)>,
) -> String {
    let curve = |(name, points, band, dashed): Drawn| Curve {
        name,
        points,
        band: (!band.is_empty()).then_some(band),
        dashed,
    };
    LinePlot { title, x_label, y_label, curves: curves.into_iter().map(curve).collect(), shaded }.to_svg()
}

/// The loss over the polytope of all orders of three or four variables, as SVG.
#[pyfunction]
pub fn order_plot(py: Python<'_>, names: Vec<String>, losses: Vec<(Vec<String>, f64)>) -> PyResult<String> {
    let read = |(order, loss): (Vec<String>, f64)| {
        let named: Vec<&str> = order.iter().map(String::as_str).collect();
        Ok((Ordering::from_names(&named, &names)?, loss))
    };
    let losses = losses.into_iter().map(read).collect::<oslow::Result<_>>();
    losses
        .and_then(|losses| BirkhoffPicture { names: names.clone(), losses }.to_svg())
        .map_err(|e| raised(py, e))
}
