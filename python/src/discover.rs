//! `discover`, `prune` and the files of a run.

use std::path::Path;

use numpy::PyReadonlyArray2;
use oslow::{
    DiscoverOptions, Discovery, Observer, Ordering, ReadConfig, Resamples, Result, RunConfig, RunFiles,
    Sample, TableEvidence, report_page,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{raised, unreadable};
use crate::listen::work;
use crate::remedy::worded;
use crate::table;

/// The options of a run from its configuration in JSON, which has the keys of a run folder's `config.toml`.
fn options(config: &str, threads: Option<usize>) -> Result<DiscoverOptions> {
    let config: RunConfig = serde_json::from_str(config).map_err(unreadable)?;
    Ok(DiscoverOptions { threads, ..config.options()? })
}

/// Learns order and graph of a table (`typing`: see [`table::sample`]); the files of the run folder by name, `run.json` among them. Resamples that were done
/// elsewhere are not done again.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "the face calls it by position; each is one thing a user may say"
)]
#[pyo3(signature = (values, names, typing, config, threads, budget, listener, resamples))]
pub fn discover<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'py, f64>,
    names: Vec<String>,
    typing: &str,
    config: &str,
    threads: Option<usize>,
    budget: Option<f64>,
    listener: Option<Py<PyAny>>,
    resamples: Vec<Vec<u8>>,
) -> PyResult<Bound<'py, PyDict>> {
    let sample = table::sample(py, &values, names, typing)?;
    let options = options(config, threads).map_err(|e| raised(py, e))?;
    let files = work(py, listener, budget, |observer| {
        tell_doubts(&sample, observer)?;
        let mut done = Resamples::none(&sample, &options)?;
        resamples.iter().try_for_each(|part| done.join(part))?;
        files(&sample, &done.discover(&sample, &options, observer)?, &options)
    })?;
    by_name(py, &files)
}

/// Refuses what [`discover`] would refuse before work starts.
#[pyfunction]
pub fn check_options(
    py: Python<'_>,
    values: PyReadonlyArray2<'_, f64>,
    names: Vec<String>,
    typing: &str,
    config: &str,
) -> PyResult<()> {
    let sample = table::sample(py, &values, names, typing)?;
    let check = || oslow::check_options(&sample, &options(config, None)?);
    check().map_err(|e| raised(py, e))
}

/// Does some resamples of a bootstrap on one thread: those from `first` on, before `end`. What [`discover`] takes.
#[pyfunction]
pub fn resamples<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'py, f64>,
    names: Vec<String>,
    typing: &str,
    config: &str,
    first: usize,
    end: usize,
) -> PyResult<Bound<'py, PyBytes>> {
    let sample = table::sample(py, &values, names, typing)?;
    let options = options(config, Some(1)).map_err(|e| raised(py, e))?;
    let done =
        work(py, None, None, |observer| Resamples::of(&sample, &options, first..end, observer)?.to_json())?;
    Ok(PyBytes::new(py, &done))
}

/// What [`discover`] will need: seconds, bytes, and the threads that this holds for.
type Needs = (Option<f64>, Option<u64>, usize);

/// Tells what [`discover`] will need, where the method can tell.
#[pyfunction]
pub fn forecast(
    py: Python<'_>,
    values: PyReadonlyArray2<'_, f64>,
    names: Vec<String>,
    typing: &str,
    config: &str,
    threads: Option<usize>,
) -> PyResult<Option<Needs>> {
    let sample = table::sample(py, &values, names, typing)?;
    let told = || oslow::forecast(&sample, &options(config, threads)?);
    let told = py.detach(told).map_err(|e| raised(py, e))?;
    Ok(told.map(|(needs, threads)| (needs.seconds, needs.bytes, threads)))
}

/// Makes the graph of a known order; the files of the run folder by name.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "the face calls it by position; each is one thing a user may say"
)]
#[pyo3(signature = (values, names, typing, order, config, threads, listener))]
pub fn prune<'py>(
    py: Python<'py>,
    values: PyReadonlyArray2<'py, f64>,
    names: Vec<String>,
    typing: &str,
    order: Vec<String>,
    config: &str,
    threads: Option<usize>,
    listener: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let sample = table::sample(py, &values, names, typing)?;
    let options = options(config, threads).map_err(|e| raised(py, e))?;
    let files = work(py, listener, None, |observer| {
        tell_doubts(&sample, observer)?;
        let named: Vec<&str> = order.iter().map(String::as_str).collect();
        let order = Ordering::from_names(&named, sample.names())?;
        files(&sample, &oslow::prune(&sample, &order, &options, observer)?, &options)
    })?;
    by_name(py, &files)
}

/// Warns of columns that look doubtful, as a reader of files does.
fn tell_doubts(sample: &Sample, observer: &mut dyn Observer) -> Result<()> {
    for doubt in oslow::data::doubts(sample)? {
        // Whether to stop is asked again when the work begins.
        let _ = observer.on_event(&oslow::Event::Warning(&doubt.worded(worded)));
    }
    Ok(())
}

fn files(sample: &Sample, found: &Discovery, options: &DiscoverOptions) -> Result<RunFiles> {
    RunFiles::new(found, &RunConfig::resolved(found, options, &ReadConfig::default())?)?
        .with_evidence(&TableEvidence::new(sample, found, options)?)
}

fn by_name<'py>(py: Python<'py>, files: &RunFiles) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (name, bytes) in files.iter() {
        all.set_item(name, PyBytes::new(py, bytes))?;
    }
    Ok(all)
}

/// Writes the files of a run into a folder, whole or not at all.
#[pyfunction]
pub fn write_run(py: Python<'_>, folder: &str, files: Vec<(String, Vec<u8>)>) -> PyResult<()> {
    let written = || RunFiles::from_parts(files)?.with_report()?.write(Path::new(folder));
    written().map_err(|e| raised(py, e))
}

/// The files of a run as one HTML page.
#[pyfunction]
pub fn report(py: Python<'_>, files: Vec<(String, Vec<u8>)>) -> PyResult<String> {
    py.detach(|| RunFiles::from_parts(files).and_then(|files| report_page(&files))).map_err(|e| raised(py, e))
}
