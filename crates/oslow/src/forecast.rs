//! What a run will need, said before it starts.

use oslow_core::{
    Event, Forecast, ForgetfulCheckpoint, Observer, Prepared, Result, Run, Sample, Seed, Silent,
};

use crate::DiscoverOptions;
use crate::bootstrap::check_number;
use crate::plan::Plan;
use crate::pool::with_threads;

/// What [`discover`](crate::discover) will need, and on how many threads; `None` where the method cannot tell. Learning is counted, pruning is not.
///
/// ```
/// use oslow::prelude::*;
///
/// let table = oslow::data::load("sachs")?;
/// let one_thread = DiscoverOptions { threads: Some(1), ..DiscoverOptions::default() };
/// let (needs, threads) = oslow::forecast(&table.sample, &one_thread)?.expect("`exact` can tell");
/// assert!(threads == 1 && needs.seconds.is_some());
/// # Ok::<(), Error>(())
/// ```
pub fn forecast(sample: &Sample, options: &DiscoverOptions) -> Result<Option<(Forecast, usize)>> {
    let plan = Plan::of(sample, options)?;
    options.bootstrap.map_or(Ok(()), check_number)?;
    let prepared = Prepared::new(sample, options.preparing())?;
    with_threads(options.threads, &Silent.stop(), |threads| {
        Ok(of_discovery(&plan, &prepared, options.bootstrap, threads).map(|needs| (needs, threads)))
    })
}

/// Tells the observer what `work` will need on these threads, if it is known. Whether to stop is asked at the
/// first step of the work itself.
pub(crate) fn announce(work: Option<Forecast>, threads: usize, observer: &mut dyn Observer) {
    if let Some(needs) = &work {
        let _ = observer.on_event(&Event::Forecast { needs, threads });
    }
}

/// Learning once on all threads and then, with a bootstrap, once per resample, one thread each.
pub(crate) fn of_discovery(
    plan: &Plan,
    sample: &Prepared,
    resamples: Option<usize>,
    threads: usize,
) -> Option<Forecast> {
    let answer = of_learning(plan, sample, threads)?;
    let Some(resamples) = resamples else { return Some(answer) };
    Some(answer.then(of_resamples(plan, sample, resamples, threads)?))
}

/// Learning once per resample, one thread each.
pub(crate) fn of_resamples(
    plan: &Plan,
    sample: &Prepared,
    resamples: usize,
    threads: usize,
) -> Option<Forecast> {
    Some(of_learning(plan, sample, 1)?.repeated(resamples, threads))
}

fn of_learning(plan: &Plan, sample: &Prepared, threads: usize) -> Option<Forecast> {
    let (observer, checkpoint) = (&mut Silent, &mut ForgetfulCheckpoint);
    // No randomness is needed to tell how long a run will take.
    let run = Run { seed: Seed(0), knowledge: &plan.knowledge, threads, observer, checkpoint };
    plan.learner.forecast(sample, &run)
}
