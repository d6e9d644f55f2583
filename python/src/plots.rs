//! Pictures of curves.

use oslow::report::{Curve, LinePlot};
use pyo3::prelude::*;

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
