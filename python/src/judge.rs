//! Metrics.

use numpy::PyReadonlyArray2;
use oslow::metrics::{Answer, METRICS, r2_sortability, var_sortability};
use oslow::{Dag, Ordering, Prepared, Preparing, Result};
use pyo3::prelude::*;

use crate::errors::raised;
use crate::table;

/// An edge, cause and effect by number.
type Edges = Vec<(usize, usize)>;

/// What one metric says of a graph or an order over `nodes` nodes; `None` where it does not apply.
#[pyfunction]
#[pyo3(signature = (metric, nodes, truth, graph, order))]
pub fn judge(
    py: Python<'_>,
    metric: &str,
    nodes: usize,
    truth: Edges,
    graph: Option<Edges>,
    order: Option<Vec<usize>>,
) -> PyResult<Option<f64>> {
    let judged = || -> Result<Option<f64>> {
        let metric = oslow::find("metric", metric, METRICS)?;
        let truth = Dag::new(nodes, &truth).map_err(|e| e.at("truth"))?;
        let graph = graph.map(|edges| Dag::new(nodes, &edges)).transpose().map_err(|e| e.at("guess"))?;
        let order = order.map(Ordering::new).transpose()?;
        if let Some(order) = order.as_ref().filter(|order| order.len() != nodes) {
            let found = order.len();
            return Err(oslow::Error::input(format!("the truth has {nodes} nodes, the order {found}")));
        }
        Ok((metric.measure)(&truth, &Answer { order: order.as_ref(), graph: graph.as_ref() }))
    };
    py.detach(judged).map_err(|e| raised(py, e))
}

/// How far sorting columns by `variance` or by `r2` agrees with the truth; `None` where there is no edge.
#[pyfunction]
pub fn sortability<'py>(
    py: Python<'py>,
    by: &str,
    values: PyReadonlyArray2<'py, f64>,
    names: Vec<String>,
    truth: Edges,
) -> PyResult<Option<f64>> {
    let sample = table::sample(py, &values, names, "{}")?;
    let judged = || -> Result<Option<f64>> {
        let truth = Dag::new(sample.columns(), &truth).map_err(|e| e.at("truth"))?;
        let sample = Prepared::new(&sample, Preparing::as_given())?;
        if by == "r2" { r2_sortability(&truth, &sample) } else { Ok(var_sortability(&truth, &sample)) }
    };
    py.detach(judged).map_err(|e| raised(py, e))
}
