//! A flow for one known order: densities, draws, interventions and counterfactuals.

use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use oslow::{Dag, FitOptions, Interventional, Ordering, Seed, Settings};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Deserialize;

use crate::errors::{raised, unreadable};
use crate::interventions::{Do, Effect, curve, draw, effects, interventions};
use crate::listen::work;
use crate::table;

/// A fitted flow.
#[pyclass(module = "oslow._oslow", frozen)]
pub struct FittedFlow(oslow::FittedFlow);

/// Settings of a fit.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FitConfig {
    standardize: Option<String>,
    settings: Settings,
    knowledge: Settings,
    /// The graph that the flow is to follow, by name.
    edges: Option<Vec<(String, String)>>,
    seed: u64,
}

/// Fits a flow to a table whose order is known. The configuration is JSON with the keys `standardize`, `settings`, `knowledge`, `edges`, `seed`.
#[pyfunction]
#[pyo3(signature = (values, names, typing, order, config, threads, budget, listener))]
#[expect(
    clippy::too_many_arguments,
    reason = "the face calls it by position; each is one thing a user may say"
)]
pub fn fit_flow<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'py, f64>,
    names: Vec<String>,
    typing: &str,
    order: Vec<String>,
    config: &str,
    threads: Option<usize>,
    budget: Option<f64>,
    listener: Option<Py<PyAny>>,
) -> PyResult<FittedFlow> {
    let sample = table::sample(py, &values, names, typing)?;
    let fitted = work(py, listener, budget, |observer| {
        let config: FitConfig = serde_json::from_str(config).map_err(unreadable)?;
        let named: Vec<&str> = order.iter().map(String::as_str).collect();
        let order = || Ordering::from_names(&named, sample.names());
        let base = match &config.edges {
            Some(edges) => {
                let ends = |(from, to): &(String, String)| Ok((sample.index_of(from)?, sample.index_of(to)?));
                let edges = edges.iter().map(ends).collect::<oslow::Result<Vec<_>>>()?;
                let order = if named.is_empty() { None } else { Some(order()?) };
                FitOptions::of_graph(Dag::new(sample.columns(), &edges)?, order)
            }
            None => FitOptions::new(order()?),
        };
        let options = FitOptions {
            settings: config.settings,
            standardize: config.standardize.as_deref().map(str::parse).transpose()?.unwrap_or_default(),
            knowledge: config.knowledge,
            seed: Seed(config.seed),
            threads,
            ..base
        };
        oslow::fit(&sample, &options, observer)
    })?;
    Ok(FittedFlow(fitted.flow))
}

#[pymethods]
impl FittedFlow {
    /// The flow that a safetensors file holds.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        oslow::FittedFlow::from_bytes(bytes).map(Self).map_err(|e| raised(py, e))
    }

    /// The flow as a safetensors file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.0.to_bytes()).map_err(|e| raised(py, e))?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.names().to_vec()
    }

    #[getter]
    fn order(&self) -> Vec<String> {
        self.0.order().names(self.0.names()).into_iter().map(String::from).collect()
    }

    #[getter]
    fn nll(&self) -> Option<f64> {
        self.0.nll()
    }

    /// The central 99 % of each variable in the data.
    #[getter]
    fn observed(&self) -> Vec<(f64, f64)> {
        (0..self.0.names().len()).map(|node| self.0.observed(node)).collect()
    }

    fn log_prob<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray2<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let rows = table::rows(&values, self.0.names().len()).map_err(|e| raised(py, e))?;
        Ok(PyArray1::from_vec(py, py.detach(|| self.0.log_prob(&rows))))
    }

    fn draw<'py>(
        &self,
        py: Python<'py>,
        rows: usize,
        set: Do,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        draw(py, &self.0, rows, &set, seed)
    }

    fn counterfactual<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray2<'py, f64>,
        set: Do,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = table::rows(&values, self.0.names().len()).map_err(|e| raised(py, e))?;
        let found = py.detach(|| self.0.counterfactual(&rows, &interventions(self.0.names(), &set)?));
        table::array(py, found.map_err(|e| raised(py, e))?, self.0.names().len())
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

    /// Variables that lie far outside the data in some rows, in words.
    fn far_rows(&self, py: Python<'_>, values: PyReadonlyArray2<'_, f64>) -> PyResult<Vec<String>> {
        let rows = table::rows(&values, self.0.names().len()).map_err(|e| raised(py, e))?;
        Ok(oslow::far_rows(&self.0, &rows))
    }

    /// What of these lies outside the data, in words.
    fn extrapolations(&self, py: Python<'_>, set: Do) -> PyResult<Vec<String>> {
        let set = interventions(self.0.names(), &set).map_err(|e| raised(py, e))?;
        Ok(oslow::extrapolations(&self.0, &set).iter().map(ToString::to_string).collect())
    }
}
