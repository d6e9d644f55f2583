//! Judging an answer by every metric.

use oslow_core::{Dag, Error, Result, Stop};
use oslow_metrics::{Answer, METRICS, Metric};

use crate::pool::with_threads;

/// What one metric says.
#[derive(Clone, Copy, Debug)]
pub struct Judgement {
    /// The metric.
    pub metric: &'static Metric,
    /// Its value, `None` where it does not apply.
    pub value: Option<f64>,
}

/// Every metric in the order of [`METRICS`], on this many threads (`None`: one per core), which change nothing but the time.
///
/// ```
/// use oslow::{Dag, Ordering, evaluate, metrics::Answer};
/// let truth = Dag::new(3, &[(0, 1), (0, 2)])?;
/// let order = Ordering::new(vec![0, 2, 1])?;
/// let judged = evaluate(&truth, &Answer { order: Some(&order), graph: None }, None)?;
/// assert_eq!((judged[0].metric.name, judged[0].value), ("cbc", Some(0.0)));
/// assert_eq!((judged[1].metric.name, judged[1].value), ("accuracy", Some(1.0)));
/// assert_eq!((judged[2].metric.name, judged[2].value), ("shd", None));
/// # Ok::<(), oslow::Error>(())
/// ```
///
/// # Errors
///
/// Where truth and answer have different numbers of nodes.
pub fn evaluate(truth: &Dag, answer: &Answer<'_>, threads: Option<usize>) -> Result<Vec<Judgement>> {
    let sizes = [answer.order.map(|order| order.len()), answer.graph.map(|graph| graph.nodes())];
    if let Some(size) = sizes.into_iter().flatten().find(|&size| size != truth.nodes()) {
        return Err(Error::input(format!("the truth has {} nodes, the answer {size}", truth.nodes()))
            .with_hint("judge answers about the truth's own nodes"));
    }
    let judge = |metric| Judgement { metric, value: (metric.measure)(truth, answer) };
    with_threads(threads, &Stop::never(), |_| Ok(METRICS.iter().map(judge).collect()))
}
