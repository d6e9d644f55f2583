//! What a stage is given besides data: the seed, the knowledge, the threads and somebody who watches.

use std::ops::ControlFlow;

use crate::{Forecast, Knowledge, Ordering, Seed, Stop};

/// The circumstances of one run.
pub struct Run<'a> {
    /// The source of all randomness.
    pub seed: Seed,
    /// What the user knows beforehand; honoured strictly.
    pub knowledge: &'a Knowledge,
    /// How many threads may work; never changes a result.
    pub threads: usize,
    /// Told of progress; may ask to stop.
    pub observer: &'a mut dyn Observer,
    /// Where work is kept that is worth keeping: of a learner what a resumed run goes on with, of a pruner what it found out about the
    /// table.
    pub checkpoint: &'a mut dyn Checkpoint,
}

/// Watches a run. Returning [`ControlFlow::Break`] is early stop, time budget and Ctrl-C at once: the
/// stage then returns the best it has.
pub trait Observer: Send {
    /// Something happened.
    fn on_event(&mut self, event: &Event<'_>) -> ControlFlow<()>;

    /// When to stop even in the middle of a step, for the threads of the run to know; by default only events are answered.
    fn stop(&self) -> Stop {
        Stop::never()
    }
}

/// What an observer is told.
#[derive(Debug)]
pub enum Event<'a> {
    /// A stage got on.
    Progress {
        /// What is being done (`learning the order`, `fitting`).
        stage: &'a str,
        /// Steps done.
        done: u64,
        /// Steps in all.
        total: u64,
        /// Negative log-likelihood per row, where there is one.
        loss: Option<f64>,
        /// The best order so far, where there is one.
        best: Option<&'a Ordering>,
    },
    /// Something the user should know.
    Warning(&'a str),
    /// What the work that is about to start will need. Learning is counted, pruning is not.
    Forecast {
        /// What it will need.
        needs: &'a Forecast,
        /// The threads on which it will work.
        threads: usize,
    },
}

/// Watches nothing and never stops.
#[derive(Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn on_event(&mut self, _: &Event<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Keeps work, so that it need not be done again: a run can be resumed, another order of the same table pruned.
pub trait Checkpoint: Send {
    /// What was saved last, if anything.
    fn load(&mut self) -> Option<Vec<u8>>;
    /// Replaces what is saved.
    fn save(&mut self, state: &[u8]) -> crate::Result<()>;
}

/// Keeps nothing.
#[derive(Debug, Default)]
pub struct ForgetfulCheckpoint;

impl Checkpoint for ForgetfulCheckpoint {
    fn load(&mut self) -> Option<Vec<u8>> {
        None
    }

    fn save(&mut self, _: &[u8]) -> crate::Result<()> {
        Ok(())
    }
}

/// Keeps work in memory.
#[derive(Debug, Default)]
pub struct MemoryCheckpoint(pub Option<Vec<u8>>);

impl Checkpoint for MemoryCheckpoint {
    fn load(&mut self) -> Option<Vec<u8>> {
        self.0.clone()
    }

    fn save(&mut self, state: &[u8]) -> crate::Result<()> {
        self.0 = Some(state.to_vec());
        Ok(())
    }
}
