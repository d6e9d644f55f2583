//! Telling an observer from many threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering as Memory};
use std::sync::{Mutex, PoisonError};

use oslow_core::{Event, Observer};

/// An observer that threads share, and whether it wants to stop.
pub(super) struct Watch<'a> {
    observer: Mutex<&'a mut dyn Observer>,
    stopped: AtomicBool,
}

impl<'a> Watch<'a> {
    pub fn new(observer: &'a mut dyn Observer) -> Self {
        Self { observer: Mutex::new(observer), stopped: AtomicBool::new(false) }
    }

    /// Whether the observer has asked to stop.
    pub fn stopped(&self) -> bool {
        self.stopped.load(Memory::Relaxed)
    }

    /// A test was made, given this many variables.
    pub fn tested(&self, given: usize, done: u64, total: u64) {
        let stage = format!("testing edges given {given}");
        let event = Event::Progress { stage: &stage, done, total, loss: None, best: None };
        let mut observer = self.observer.lock().unwrap_or_else(PoisonError::into_inner);
        if observer.on_event(&event) == ControlFlow::Break(()) {
            self.stopped.store(true, Memory::Relaxed);
        }
    }
}
