//! Resamples that were finished elsewhere: in another process, or on another machine.

use std::ops::Range;

use oslow_core::{
    Checkpoint, Error, ForgetfulCheckpoint, MemoryCheckpoint, Observer, Prepared, Result, Sample,
};
use serde::{Deserialize, Serialize};

use crate::bootstrap::{Finished, check_number, run_resamples};
use crate::parted_checkpoint::{PartedCheckpoint, unwritable};
use crate::plan::Plan;
use crate::pool::with_threads;
use crate::{DiscoverOptions, Discovery, Identity, discover};

/// Finished resamples of a run, by number.
///
/// A resample depends on the table, the options and its number alone. So batches of them may be done anywhere, in any order and more than once, and the
/// answer that they are joined to ([`Resamples::discover`]) is that of [`discover`].
///
/// ```
/// use oslow::prelude::*;
/// use oslow::Resamples;
///
/// let table = oslow::data::load("sachs")?.sample;
/// let options =
///     DiscoverOptions { method: "r2-sort".into(), prune: "none".into(), bootstrap: Some(20), ..DiscoverOptions::default() };
/// let parts = [10..20, 0..10].map(|batch| Resamples::of(&table, &options, batch, &mut Silent)?.to_json());
/// let mut all = Resamples::none(&table, &options)?;
/// for part in parts {
///     all.join(&part?)?;
/// }
/// let found = all.discover(&table, &options, &mut Silent)?;
/// assert_eq!(found.confidence, discover(&table, &options, &mut Silent, &mut ForgetfulCheckpoint)?.confidence);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resamples {
    identity: Identity,
    finished: Finished,
}

impl Resamples {
    /// No resamples yet of the run with this table and these options.
    pub fn none(sample: &Sample, options: &DiscoverOptions) -> Result<Self> {
        Ok(Self { identity: Identity::new(sample, options)?, finished: Finished::new() })
    }

    /// Does the resamples with these numbers, as many side by side as the options have threads. If the observer stops the work, only finished ones are there.
    pub fn of(
        sample: &Sample,
        options: &DiscoverOptions,
        batch: Range<usize>,
        observer: &mut dyn Observer,
    ) -> Result<Self> {
        check_number(batch.end)?;
        Plan::of(sample, options)?;
        Prepared::new(sample, options.preparing())?;
        let finished = with_threads(options.threads, &observer.stop(), |threads| {
            run_resamples(sample, options, batch, threads, observer, &mut ForgetfulCheckpoint)
        })?;
        Ok(Self { finished, ..Self::none(sample, options)? })
    }

    /// Takes up what [`Resamples::to_json`] wrote elsewhere; refuses resamples of another run.
    pub fn join(&mut self, json: &[u8]) -> Result<()> {
        let unreadable = |why: serde_json::Error| Error::internal(format!("resamples cannot be read: {why}"));
        let others: Self = serde_json::from_slice(json).map_err(unreadable)?;
        if let Some(difference) = others.identity.difference(&self.identity) {
            return Err(Error::input(format!("resamples of another run cannot be counted: it {difference}"))
                .with_hint(
                    "all workers need the same version of oslow, the same table and the same settings",
                ));
        }
        self.finished.extend(others.finished);
        Ok(())
    }

    /// For [`Resamples::join`].
    pub fn to_json(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(unwritable)
    }

    /// [`discover`], which does only those resamples that are not there.
    pub fn discover(
        &self,
        sample: &Sample,
        options: &DiscoverOptions,
        observer: &mut dyn Observer,
    ) -> Result<Discovery> {
        if self.finished.is_empty() {
            return discover(sample, options, observer, &mut ForgetfulCheckpoint);
        }
        let mut kept = MemoryCheckpoint::default();
        let finished = serde_json::to_vec(&self.finished).map_err(unwritable)?;
        PartedCheckpoint::open(&mut kept)?.resamples().save(&finished)?;
        discover(sample, options, observer, &mut kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Seed, Silent};

    #[test]
    fn resamples_of_another_run_are_refused() {
        let sample = oslow_data::load("sachs").unwrap().sample;
        let options = DiscoverOptions {
            method: "r2-sort".into(),
            prune: "none".into(),
            bootstrap: Some(3),
            ..DiscoverOptions::default()
        };
        let other = DiscoverOptions { seed: Seed(1), ..options.clone() };
        let part = Resamples::of(&sample, &other, 1..2, &mut Silent).unwrap().to_json().unwrap();
        let mut all = Resamples::none(&sample, &options).unwrap();
        let refusal = all.join(&part).unwrap_err();
        assert!(refusal.is_input(), "{refusal}");
        assert!(refusal.to_string().ends_with("it had the seed 1, this one has 0"), "{refusal}");
        assert_eq!(all, Resamples::none(&sample, &options).unwrap());
        let once = DiscoverOptions { bootstrap: None, method: "cam".into(), ..options };
        let none = Resamples::none(&sample, &once).unwrap();
        assert!(none.discover(&sample, &once, &mut Silent).unwrap().confidence.is_none());
    }
}
