//! Jobs side by side, each on one thread, until all are done or somebody wants to stop.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

use oslow::{Event, Observer, Result, Stop};

use crate::store::Store;

/// A piece of work that is stored whole or not at all.
pub trait Job: Sync {
    /// Names everything that the result depends on.
    fn key(&self) -> &str;
    /// The finished rows; a failure is a row. `None` if the observer stopped it.
    fn run(&self, observer: &mut dyn Observer) -> Option<Vec<Vec<String>>>;
}

impl<J: Job> Job for &J {
    fn key(&self) -> &str {
        (*self).key()
    }

    fn run(&self, observer: &mut dyn Observer) -> Option<Vec<Vec<String>>> {
        (*self).run(observer)
    }
}

/// How far a run came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Jobs that are done, those of earlier runs included.
    pub done: usize,
    /// All jobs.
    pub total: usize,
}

/// Runs the jobs that the store does not have.
pub fn run_jobs<J: Job>(
    jobs: &[J],
    store: &mut Store,
    threads: usize,
    observer: &mut dyn Observer,
) -> Result<Progress> {
    let open: Vec<&J> = jobs.iter().filter(|job| store.rows(job.key()).is_none()).collect();
    let before = jobs.len() - open.len();
    let shared = Shared {
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(before),
        total: jobs.len(),
        stop: AtomicBool::new(false),
        users_stop: observer.stop(),
        observer: Mutex::new(observer),
        store: Mutex::new((store, Ok(()))),
    };
    shared.tell();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(open.len()) {
            scope.spawn(|| shared.work(&open));
        }
    });
    let done = shared.done.load(SeqCst);
    let (_, written) = shared.store.into_inner().unwrap_or_else(PoisonError::into_inner);
    written.map(|()| Progress { done, total: jobs.len() })
}

/// What the workers share.
struct Shared<'a> {
    next: AtomicUsize,
    done: AtomicUsize,
    total: usize,
    stop: AtomicBool,
    users_stop: Stop,
    observer: Mutex<&'a mut dyn Observer>,
    /// The store, and what went wrong with it.
    store: Mutex<(&'a mut Store, Result<()>)>,
}

impl Shared<'_> {
    fn work<J: Job>(&self, open: &[&J]) {
        while !self.stop.load(SeqCst) {
            let Some(job) = open.get(self.next.fetch_add(1, SeqCst)) else { return };
            let Some(rows) = job.run(&mut Foreman(self)) else { return };
            let mut guard = self.store.lock().unwrap_or_else(PoisonError::into_inner);
            let (store, written) = &mut *guard;
            if let Err(error) = store.add(job.key(), rows) {
                *written = Err(error);
                self.stop.store(true, SeqCst);
                return;
            }
            drop(guard);
            self.done.fetch_add(1, SeqCst);
            self.tell();
        }
    }

    /// Tells the user's observer how far things are, and asks whether to go on.
    fn tell(&self) {
        let (done, total) = (self.done.load(SeqCst) as u64, self.total as u64);
        self.pass_on(&Event::Progress { stage: "cells", done, total, loss: None, best: None });
    }

    fn pass_on(&self, event: &Event<'_>) {
        let mut observer = self.observer.lock().unwrap_or_else(PoisonError::into_inner);
        if observer.on_event(event) == ControlFlow::Break(()) {
            self.stop.store(true, SeqCst);
        }
    }
}

/// Watches one job: its own progress is nobody's business, but whether to stop is asked.
struct Foreman<'a, 'b>(&'a Shared<'b>);

impl Observer for Foreman<'_, '_> {
    fn on_event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Progress { .. } => self.0.tell(),
            Event::Warning(_) => self.0.pass_on(event),
            Event::Forecast { .. } => {}
        }
        if self.0.stop.load(SeqCst) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn stop(&self) -> Stop {
        self.0.users_stop.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow::Silent;

    struct Count(String);

    impl Job for Count {
        fn key(&self) -> &str {
            &self.0
        }

        fn run(&self, observer: &mut dyn Observer) -> Option<Vec<Vec<String>>> {
            let event = Event::Progress { stage: "x", done: 0, total: 1, loss: None, best: None };
            (observer.on_event(&event) == ControlFlow::Continue(())).then(|| vec![vec![self.0.clone()]])
        }
    }

    /// Breaks once it has been told of this many finished jobs.
    struct Impatient(u64);

    impl Observer for Impatient {
        fn on_event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
            match event {
                Event::Progress { done, .. } if *done >= self.0 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }

    #[test]
    fn a_stopped_run_is_taken_up_where_it_ended() {
        let jobs: Vec<Count> = (0..20).map(|k| Count(format!("job {k}"))).collect();
        let folder = tempfile::tempdir().unwrap();
        for threads in [1, 3] {
            let out = folder.path().join(threads.to_string());
            let mut store = Store::open(&out, &["x".to_string()], None, false).unwrap();
            let first = run_jobs(&jobs, &mut store, threads, &mut Impatient(5)).unwrap();
            assert!((5..20).contains(&first.done), "{first:?}");
            let mut store = Store::open(&out, &["x".to_string()], None, true).unwrap();
            let second = run_jobs(&jobs, &mut store, threads, &mut Silent).unwrap();
            assert_eq!(second, Progress { done: 20, total: 20 });
            let text = std::fs::read_to_string(out.join("results.csv")).unwrap();
            assert_eq!(text.lines().count(), 21, "no cell is there twice");
            assert!(jobs.iter().all(|job| store.rows(job.key()).is_some()));
        }
    }
}
