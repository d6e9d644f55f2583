//! All runs of a folder, and the queue of those that wait: one works at a time.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use oslow::{Error, HeldRun, Result, RunConfig, check_options, held_run, read_run};
use serde::Serialize;

use crate::home::Home;
use crate::progress::Progress;
use crate::remedy::Told;

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// Others come first.
    Waiting,
    /// It works.
    Running,
    /// It was stopped, or the program ended; it can go on.
    Stopped,
    /// It came to its end.
    Finished,
    /// It could not be done.
    Failed,
}

/// A run.
#[derive(Clone, Debug)]
struct Entry {
    config: RunConfig,
    stage: Stage,
    progress: Progress,
    error: Option<Told>,
    answer: Option<Answer>,
    asked_to_stop: Arc<AtomicBool>,
}

/// What is said of an answer in a list of runs.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    columns: usize,
    edges: usize,
}

/// A run as the page is told of it.
#[derive(Debug, Serialize)]
pub struct ShownRun {
    /// Its number.
    pub id: u32,
    /// Where it stands.
    pub stage: Stage,
    config: RunConfig,
    progress: Progress,
    error: Option<Told>,
    answer: Option<Answer>,
    /// Somebody asked it to stop, and it has not yet.
    stopping: bool,
    /// Runs that come first.
    before: usize,
}

/// All runs of a folder.
pub struct Runs {
    pub home: Home,
    state: Mutex<State>,
    /// There is something to do, or nothing more.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    entries: BTreeMap<u32, Entry>,
    queue: VecDeque<u32>,
    closing: bool,
}

/// A run whose turn it is.
pub struct Turn {
    pub id: u32,
    pub config: RunConfig,
    pub asked_to_stop: Arc<AtomicBool>,
}

impl Runs {
    /// What the folder tells of its runs.
    pub fn of(home: Home) -> Result<Self> {
        let mut state = State::default();
        for id in home.runs()? {
            let entry = Entry::read(&home, id);
            if entry.stage == Stage::Waiting {
                state.queue.push_back(id);
            }
            state.entries.insert(id, entry);
        }
        Ok(Self { home, state: Mutex::new(state), changed: Condvar::new() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No change is made in parts that a panic could tear.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All runs, the latest first.
    pub fn shown(&self) -> Vec<ShownRun> {
        let state = self.state();
        let running = state.entries.values().filter(|entry| entry.stage == Stage::Running).count();
        let shown = |(&id, entry): (&u32, &Entry)| ShownRun {
            id,
            stage: entry.stage,
            config: entry.config.clone(),
            progress: entry.progress.clone(),
            error: entry.error.clone(),
            answer: entry.answer.clone(),
            stopping: entry.stage == Stage::Running && entry.asked_to_stop.load(Ordering::SeqCst),
            before: state.queue.iter().position(|&waiting| waiting == id).map_or(0, |place| place + running),
        };
        state.entries.iter().rev().map(shown).collect()
    }

    /// Puts a new run at the end of the queue. What cannot be carried out is refused, and nothing is left of it.
    pub fn add(&self, config: RunConfig) -> Result<u32> {
        let data = config.data.as_deref().ok_or_else(|| Error::input("no table is chosen"))?;
        let table = self.home.read_table(data, &config.read)?;
        check_options(&table.sample, &config.options()?)?;
        let mut state = self.state();
        let next = state.entries.last_key_value().map_or(1, |(last, _)| last + 1);
        // A folder that somebody put there is nobody's run, and stays as it is.
        let id = (next..).find(|&id| !self.home.run_folder(id).exists()).unwrap_or(next);
        self.home.keep_run(id, &config)?;
        state.entries.insert(id, Entry::waiting(config));
        state.queue.push_back(id);
        self.changed.notify_all();
        Ok(id)
    }

    /// Stops a run that works, or takes one that waits out of the queue. One that never began is forgotten.
    pub fn stop(&self, id: u32) -> Result<()> {
        let mut state = self.state();
        let entry = state.entry(id)?;
        match entry.stage {
            Stage::Running => entry.asked_to_stop.store(true, Ordering::SeqCst),
            Stage::Waiting if self.home.run_folder(id).exists() => {
                entry.stage = Stage::Stopped;
                state.queue.retain(|&waiting| waiting != id);
            }
            Stage::Waiting => {
                self.home.forget_run(id)?;
                state.entries.remove(&id);
                state.queue.retain(|&waiting| waiting != id);
            }
            Stage::Stopped | Stage::Finished | Stage::Failed => {
                return Err(Error::input(format!("run {id} does not work")));
            }
        }
        Ok(())
    }

    /// Puts a run that was stopped, or could not be done, at the end of the queue.
    pub fn resume(&self, id: u32) -> Result<()> {
        let mut state = self.state();
        let entry = state.entry(id)?;
        if !matches!(entry.stage, Stage::Stopped | Stage::Failed) {
            return Err(Error::input(format!("run {id} was not stopped")));
        }
        *entry = Entry { answer: entry.answer.take(), ..Entry::waiting(entry.config.clone()) };
        state.queue.push_back(id);
        self.changed.notify_all();
        Ok(())
    }

    /// Removes a run that neither works nor waits, with its folder.
    pub fn remove(&self, id: u32) -> Result<()> {
        let mut state = self.state();
        let entry = state.entry(id)?;
        if matches!(entry.stage, Stage::Running | Stage::Waiting) {
            return Err(Error::input(format!("run {id} has not ended")).with_hint("stop it first"));
        }
        // What it was to do goes first: alone, that would be a run that waits.
        self.home.forget_run(id)?;
        state.entries.remove(&id);
        self.home.remove_run_folder(id)
    }

    /// Waits for the next run whose turn it is; `None` when the program ends.
    pub fn next(&self) -> Option<Turn> {
        let mut state = self.state();
        loop {
            if state.closing {
                return None;
            }
            if let Some(id) = state.queue.pop_front()
                && let Some(entry) = state.entries.get_mut(&id)
            {
                entry.stage = Stage::Running;
                let asked_to_stop = Arc::clone(&entry.asked_to_stop);
                return Some(Turn { id, config: entry.config.clone(), asked_to_stop });
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Notes how a run gets on.
    pub fn tell(&self, id: u32, change: impl FnOnce(&mut Progress)) {
        if let Some(entry) = self.state().entries.get_mut(&id) {
            change(&mut entry.progress);
        }
    }

    /// Notes how a run ended.
    pub fn end(&self, id: u32, stage: Stage, error: Option<Told>) {
        let answer = Answer::read(&self.home, id);
        if let Some(entry) = self.state().entries.get_mut(&id) {
            (entry.stage, entry.error, entry.answer) = (stage, error, answer);
        }
    }

    /// Stops the run that works, and begins no other.
    pub fn close(&self) {
        let mut state = self.state();
        state.closing = true;
        let running = state.entries.values().filter(|entry| entry.stage == Stage::Running);
        running.for_each(|entry| entry.asked_to_stop.store(true, Ordering::SeqCst));
        self.changed.notify_all();
    }
}

impl State {
    fn entry(&mut self, id: u32) -> Result<&mut Entry> {
        self.entries.get_mut(&id).ok_or_else(|| Error::input(format!("there is no run {id}")))
    }
}

impl Entry {
    fn waiting(config: RunConfig) -> Self {
        Self {
            config,
            stage: Stage::Waiting,
            progress: Progress::default(),
            error: None,
            answer: None,
            asked_to_stop: Arc::default(),
        }
    }

    /// As the folder has it.
    fn read(home: &Home, id: u32) -> Self {
        let config = match home.run_config(id) {
            Ok(config) => config,
            Err(e) => {
                let error = Some(Told::from(&e));
                return Self { stage: Stage::Failed, error, ..Self::waiting(RunConfig::default()) };
            }
        };
        let folder = home.run_folder(id);
        let stage = match held_run(&folder) {
            Some(HeldRun::Finished) => Stage::Finished,
            Some(HeldRun::Interrupted { .. }) => Stage::Stopped,
            // It had begun, and had nothing to keep yet.
            None if folder.exists() => Stage::Stopped,
            None => Stage::Waiting,
        };
        Self { stage, answer: Answer::read(home, id), ..Self::waiting(config) }
    }
}

impl Answer {
    /// What is in the folder, if there is an answer.
    fn read(home: &Home, id: u32) -> Option<Self> {
        let found = read_run(&home.run_folder(id)).ok()?;
        Some(Self { columns: found.columns.len(), edges: found.graph.edges().len() })
    }
}
