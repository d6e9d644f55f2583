//! The binding: numbers and words across the border, nothing else. The face that users see is written in Python beside it.

#![forbid(unsafe_code)]

mod bench;
mod discover;
mod effects;
mod errors;
mod flow;
mod interventions;
mod judge;
mod listen;
mod plots;
mod remedy;
mod simulate;
mod table;

use pyo3::prelude::*;

/// What `oslow` is built on; use `oslow` itself.
#[pymodule]
mod _oslow {
    use super::errors::raised;
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::bench::{bench, bench_cells, shard_file, shard_of_file};
    #[pymodule_export]
    use super::discover::{check_options, discover, forecast, prune, report, resamples, write_run};
    #[pymodule_export]
    use super::effects::mean_effect;
    #[pymodule_export]
    use super::flow::{FittedFlow, fit_flow};
    #[pymodule_export]
    use super::judge::{judge, sortability};
    #[pymodule_export]
    use super::plots::{line_plot, order_plot};
    #[pymodule_export]
    use super::simulate::{Model, simulate, simulate_problem};
    #[pymodule_export]
    use super::table::{load_dataset, read_table};

    /// Everything that is registered, as JSON.
    #[pyfunction]
    fn catalogue(py: Python<'_>) -> PyResult<String> {
        let all = oslow::catalogue::everything().map_err(|e| raised(py, e))?;
        Ok(serde_json::Value::Object(all).to_string())
    }

    /// The known name that a mistyped one was meant for, if any is near.
    #[pyfunction]
    fn nearest(name: &str, known: Vec<String>) -> Option<String> {
        oslow::nearest(name, known.iter().map(String::as_str)).map(String::from)
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        oslow::simd_name().map_err(|e| raised(module.py(), e))?;
        module.add("__version__", oslow::VERSION)
    }
}
