//! Scoring under way: watched, stopped, kept.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use oslow_core::{Checkpoint, Event, Observer, Result, check_stop, unless_stopped};
use rayon::prelude::*;

use crate::store::{Key, ScoreKey, Store};
use crate::{Score, Scorer};

/// Sets that are scored between two looks at the observer.
pub(crate) const CHUNK: usize = 64;
/// What is being done.
const STAGE: &str = "scoring sets of causes";
/// How often unfinished work is saved, …
const SAVE_EVERY: Duration = Duration::from_secs(5);
/// … at most: so many times as long as the last time took is worked in between.
const SAVING: u32 = 20;

/// Who watches the work, and where it is kept.
pub struct Watch<'a> {
    /// Told of progress; may ask to stop.
    pub observer: &'a mut dyn Observer,
    /// Where scores are kept.
    pub checkpoint: &'a mut dyn Checkpoint,
}

/// Scoring under way.
pub(crate) struct Work<'a> {
    watch: Watch<'a>,
    /// What was scored.
    pub store: Store,
    /// Whether somebody asked to stop.
    pub stopped: bool,
    saved: Instant,
    /// How long that took.
    saving: Duration,
}

impl<'a> Work<'a> {
    pub fn resume(watch: Watch<'a>) -> Result<Self> {
        let saved = watch.checkpoint.load();
        let store = saved.map(|bytes| Store::from_bytes(&bytes)).transpose()?.unwrap_or_default();
        Ok(Self { watch, store, stopped: false, saved: Instant::now(), saving: Duration::ZERO })
    }

    pub fn save(&mut self) -> Result<()> {
        let start = Instant::now();
        self.watch.checkpoint.save(&self.store.to_bytes())?;
        self.saved = Instant::now();
        self.saving = self.saved - start;
        Ok(())
    }

    /// Tells how far a stage came; afterwards `stopped` says whether to go on.
    pub fn report(&mut self, stage: &str, done: usize, total: usize) -> Result<()> {
        let (done, total) = (done as u64, total as u64);
        let event = Event::Progress { stage, done, total, loss: None, best: None };
        self.stopped |= self.watch.observer.on_event(&event) == ControlFlow::Break(()) && done < total;
        if self.stopped || self.saved.elapsed() > SAVE_EVERY.max(SAVING * self.saving) {
            self.save()?;
        }
        Ok(())
    }

    /// What some work makes of each key, of those that there is time for.
    pub fn in_time<K: Clone + Send + Sync, T: Send>(
        &mut self,
        keys: &[K],
        work: impl Fn(&K) -> T + Sync,
    ) -> Vec<(K, T)> {
        let done = |key: &K| unless_stopped(|| work(key)).map(|made| (key.clone(), made));
        let done: Vec<(K, T)> = keys.par_iter().with_max_len(1).filter_map(done).collect();
        self.stopped |= done.len() < keys.len();
        done
    }

    /// What a set scored, if it was.
    pub fn known(&self, scorer: &Scorer, key: Key) -> Option<&Score> {
        self.store.scores.get(&scorer.score_key(key))
    }

    /// Scores sets; those that `must` be scored even after a stop.
    pub fn score(&mut self, scorer: &Scorer, keys: Vec<Key>, must: bool) -> Result<()> {
        let total = keys.len();
        let mut keys: Vec<ScoreKey> = keys.into_iter().map(|key| scorer.score_key(key)).collect();
        keys.retain(|key| !self.store.scores.contains_key(key));
        let mut done = total - keys.len();
        if !must && !self.stopped {
            self.report(STAGE, done, total)?;
        }
        for chunk in keys.chunks(CHUNK) {
            if self.stopped && !must {
                break;
            }
            let scores = self.in_time(chunk, |((node, parents), _)| scorer.score(*node, parents));
            let all = scores.len() == chunk.len();
            done += scores.len();
            self.store.scores.extend(scores);
            if !must {
                self.report(STAGE, done, total)?;
            } else if !all {
                // There is no answer without them.
                self.save()?;
                check_stop();
            }
        }
        Ok(())
    }
}
