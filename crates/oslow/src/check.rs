//! Whether the data speak against what an answer assumes.

use oslow_core::{Check, Dag, ForgetfulCheckpoint, Observer, Prepared, Result, Sample};
use oslow_exact::{LocalConfig, LocalScores, Watch};

use crate::pool::with_threads;
use crate::{DiscoverOptions, discover};

/// Checks the assumptions of a graph of the table's columns; without one, those of the graph that the method of the options finds.
pub fn check(
    sample: &Sample,
    graph: Option<&Dag>,
    options: &DiscoverOptions,
    observer: &mut dyn Observer,
) -> Result<Vec<Check>> {
    let Some(graph) = graph else {
        return Ok(discover(sample, options, observer, &mut ForgetfulCheckpoint)?.checks);
    };
    let prepared = Prepared::new(sample, options.preparing())?;
    let config = LocalConfig::default();
    with_threads(options.threads, |_| {
        let watch = Watch { observer, checkpoint: &mut ForgetfulCheckpoint };
        let scores = LocalScores::of_graph(&prepared, graph, &config, options.seed, watch)?;
        scores.checks((graph, graph), sample.names(), &config, options.seed)
    })
}
