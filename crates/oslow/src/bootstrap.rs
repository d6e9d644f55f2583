//! How sure an answer is: the same stages on many resamples of the rows.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use oslow_core::{
    Checkpoint, Choice, Error, Event, ForgetfulCheckpoint, Observer, Prepared, Remedy, Result, Run, Sample,
    Stop,
};

use crate::confidence::Outcome;
use crate::discover::learn;
use crate::graph::{Graph, graph};
use crate::parted_checkpoint::{broken, unwritable};
use crate::plan::Plan;
use crate::pool::with_threads;
use crate::resample::{named, resample, seed};
use crate::{Confidence, DiscoverOptions, forecast};

/// The most resamples that can be asked for: more would only fill the memory.
const MOST: usize = 1_000_000;
/// The least time between two saves.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// Runs the stages of [`discover`](crate::discover) on resamples of the rows and counts what they find.
///
/// Each resample has as many rows as the table, drawn with replacement, and goes through the same stages with the
/// same settings and knowledge. It depends on the seed and its number alone, so that the first resamples of many
/// are those of few. Copies of a row are marked ([`Sample::groups`]). Draws in which a column is constant or
/// equals another are drawn anew. Whatever else goes wrong with a resample is an error that names it.
///
/// Resamples are worked on side by side, each on one thread. The observer is told how many are finished; if it
/// stops the run, the finished ones are counted ([`Confidence::finished`]) and the checkpoint keeps them for a
/// run with the same table and options, for as many or for more resamples. [`DiscoverOptions::bootstrap`] is not asked.
///
/// ```
/// use oslow::prelude::*;
///
/// let table = oslow::data::load("sachs")?;
/// let options = DiscoverOptions { method: "r2-sort".into(), prune: "none".into(), ..DiscoverOptions::default() };
/// let found = oslow::bootstrap(&table.sample, &options, 20, &mut Silent, &mut ForgetfulCheckpoint)?;
/// let (pka, akt) = (table.sample.index_of("PKA")?, table.sample.index_of("Akt")?);
/// let pairs = found.order_pairs.as_ref().expect("r2-sort yields an order");
/// assert_eq!(pairs.share(pka, akt) + pairs.share(akt, pka), 1.0);
/// # Ok::<(), Error>(())
/// ```
pub fn bootstrap(
    sample: &Sample,
    options: &DiscoverOptions,
    resamples: usize,
    observer: &mut dyn Observer,
    checkpoint: &mut dyn Checkpoint,
) -> Result<Confidence> {
    check_number(resamples)?;
    let plan = Plan::new(sample.names(), options)?;
    let whole = Prepared::new(sample, options.preparing())?;
    with_threads(options.threads, &observer.stop(), |threads| {
        let needs = forecast::of_resamples(&plan, &whole, resamples, threads);
        forecast::announce(needs, threads, observer);
        let finished = run_resamples(sample, options, 0..resamples, threads, observer, checkpoint)?;
        count(sample.columns(), resamples, &finished)
    })
}

/// Refuses a number of resamples that makes no sense.
pub(crate) fn check_number(resamples: usize) -> Result<()> {
    let wrong = match resamples {
        0 => "at least 1 resample is needed",
        n if n > MOST => "at most 1000000 resamples can be counted",
        _ => return Ok(()),
    };
    Err(Error::input(format!("bootstrap = {resamples}: {wrong}"))
        .with_hint(Remedy::from("100 or 200 resamples are usual, as in ").and(Choice::Bootstrap.set("100"))))
}

/// Counts over those of the first `asked` resamples that are finished.
pub(crate) fn count(columns: usize, asked: usize, finished: &Finished) -> Result<Confidence> {
    let outcomes: Vec<&Outcome> = finished.range(..asked).map(|(_, outcome)| outcome).collect();
    Confidence::new(columns, asked, &outcomes)
}

/// Does the resamples with these numbers, without a forecast. The numbers were checked and the table was prepared before: what is wrong with the table
/// itself must not be taken for an unlucky draw. The answer also holds other resamples that the checkpoint knows.
pub(crate) fn run_resamples(
    sample: &Sample,
    options: &DiscoverOptions,
    asked: Range<usize>,
    threads: usize,
    observer: &mut dyn Observer,
    checkpoint: &mut dyn Checkpoint,
) -> Result<Finished> {
    let plan = Plan::new(sample.names(), options)?;
    let finished = load(checkpoint, sample.columns())?;
    let shared = Shared {
        sample,
        plan: &plan,
        options,
        open: asked.clone().filter(|index| !finished.contains_key(index)).collect(),
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        users_stop: observer.stop(),
        desk: Mutex::new(Desk {
            done: finished.range(asked.clone()).count(),
            observer,
            checkpoint,
            finished,
            asked: asked.len(),
            saved: Instant::now(),
            failed: None,
        }),
    };
    shared.tell();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(shared.open.len()) {
            scope.spawn(|| shared.work_alone());
        }
    });
    shared.desk.into_inner().unwrap_or_else(PoisonError::into_inner).close()
}

/// The outcomes of finished resamples, by index.
pub(crate) type Finished = BTreeMap<usize, Outcome>;

/// What is saved of finished resamples of a table with this many columns.
fn load(checkpoint: &mut dyn Checkpoint, columns: usize) -> Result<Finished> {
    let Some(bytes) = checkpoint.load() else { return Ok(Finished::new()) };
    let finished: Finished = serde_json::from_slice(&bytes).map_err(broken)?;
    match finished.values().all(|outcome| outcome.fits(columns)) {
        true => Ok(finished),
        false => Err(broken("it belongs to another table")),
    }
}

/// What the workers share.
struct Shared<'a> {
    sample: &'a Sample,
    plan: &'a Plan,
    options: &'a DiscoverOptions,
    /// The resamples that are to be done.
    open: Vec<usize>,
    /// How many of them were begun.
    next: AtomicUsize,
    stop: AtomicBool,
    /// What the threads of each resample look at.
    users_stop: Stop,
    desk: Mutex<Desk<'a>>,
}

/// Where workers hand in what is finished, one at a time.
struct Desk<'a> {
    observer: &'a mut dyn Observer,
    checkpoint: &'a mut dyn Checkpoint,
    finished: Finished,
    /// How many of those that were asked for are finished: a checkpoint may hold more.
    done: usize,
    asked: usize,
    saved: Instant,
    /// The first resample that failed.
    failed: Option<(usize, Error)>,
}

impl<'a> Shared<'a> {
    fn desk(&self) -> MutexGuard<'_, Desk<'a>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works in a pool of one thread: in a common pool, a thread that waits for a part of one resample would begin
    /// another, and more of them would be under way than there are threads.
    fn work_alone(&self) {
        let worked = with_threads(Some(1), &self.users_stop, |_| {
            self.work();
            Ok(())
        });
        if let Err(error) = worked {
            self.fail(0, error);
        }
    }

    /// Does one open resample after the other.
    fn work(&self) {
        while !self.stop.load(SeqCst) {
            let Some(&index) = self.open.get(self.next.fetch_add(1, SeqCst)) else { return };
            let kept = match self.outcome(index) {
                Ok(None) => return,
                Ok(Some(outcome)) => self.desk().keep(index, outcome),
                Err(error) => Err(named(error, index)),
            };
            if let Err(error) = kept {
                self.fail(index, error);
            }
            self.tell();
        }
    }

    /// The stages on one resample; `None` if they were stopped.
    fn outcome(&self, index: usize) -> Result<Option<Outcome>> {
        let Self { sample, plan, options, .. } = self;
        let drawn = resample(sample, index, options)?;
        let (mut observer, mut checkpoint) = (Foreman(self), ForgetfulCheckpoint);
        let mut run = Run {
            seed: seed(options, index),
            knowledge: &plan.knowledge,
            threads: 1,
            observer: &mut observer,
            checkpoint: &mut checkpoint,
        };
        let learned = learn(plan, &drawn, &mut run)?;
        if learned.interrupted {
            return Ok(None);
        }
        let Graph { edges, cut_short, .. } = graph(plan, &drawn, &learned, &mut run)?;
        let order = learned.order.map(|order| order.nodes().to_vec());
        let edges = edges.iter().map(|edge| (edge.from, edge.to)).collect();
        Ok((!cut_short).then_some(Outcome { order, edges }))
    }

    /// Begins no more resamples. Those under way are finished, all earlier ones among them, so that which failure is
    /// told of does not depend on the threads.
    fn fail(&self, index: usize, error: Error) {
        self.next.store(self.open.len(), SeqCst);
        let mut desk = self.desk();
        if desk.failed.as_ref().is_none_or(|(earlier, _)| index < *earlier) {
            desk.failed = Some((index, error));
        }
    }

    /// Tells the user's observer how many resamples are finished, and asks whether to go on.
    fn tell(&self) {
        if self.desk().tell() == ControlFlow::Break(()) {
            self.stop.store(true, SeqCst);
        }
    }
}

impl Desk<'_> {
    fn tell(&mut self) -> ControlFlow<()> {
        let (done, total) = (self.done as u64, self.asked as u64);
        self.observer.on_event(&Event::Progress { stage: "resamples", done, total, loss: None, best: None })
    }

    fn keep(&mut self, index: usize, outcome: Outcome) -> Result<()> {
        self.finished.insert(index, outcome);
        self.done += 1;
        if self.saved.elapsed() < SAVE_EVERY {
            return Ok(());
        }
        self.saved = Instant::now();
        self.save()
    }

    fn save(&mut self) -> Result<()> {
        self.checkpoint.save(&serde_json::to_vec(&self.finished).map_err(unwritable)?)
    }

    /// What was handed in; it is kept if there was to be more.
    fn close(mut self) -> Result<Finished> {
        if let Some((_, error)) = self.failed {
            return Err(error);
        }
        if self.done < self.asked {
            self.save()?;
        }
        Ok(self.finished)
    }
}

/// Watches one resample: its progress and its warnings, which are those of the whole table, are nobody's business,
/// but whether to stop is asked.
struct Foreman<'s, 'a>(&'s Shared<'a>);

impl Observer for Foreman<'_, '_> {
    fn on_event(&mut self, _: &Event<'_>) -> ControlFlow<()> {
        self.0.tell();
        if self.0.stop.load(SeqCst) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn stop(&self) -> Stop {
        self.0.users_stop.clone()
    }
}
