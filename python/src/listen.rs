//! Long work on a thread of its own, while this one listens: to the work's progress, and to Ctrl-C.
//!
//! Python's signals are only seen by its own thread, and learners report from theirs. So the work sends what it has to say, and the
//! thread that Python called from passes it on. Python is free for others meanwhile.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use oslow::{Error, Event, Observer, Remedy, Result, Stop};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::raised_in;
use crate::remedy::worded;

/// The least time between two reports of progress.
const EVERY: Duration = Duration::from_millis(50);
/// How often Ctrl-C is looked for while the work is silent.
const PATIENCE: Duration = Duration::from_millis(100);
/// The longest budget, in seconds.
const LIFE: f64 = 1e9;
/// The stack of the thread that works: as much as a program's first thread has.
const STACK: usize = 8 << 20;

/// What the work has to say.
enum Said {
    Progress { stage: String, done: u64, total: u64, loss: Option<f64>, best: Option<Vec<usize>> },
    Warning(String),
}

/// Works, and calls `listener(kind, facts)` with what it says meanwhile. The work is asked to stop by Ctrl-C, by a listener that
/// returns `False` or raises, and after `budget` seconds; it then ends with the best it has. What interrupted it is raised.
pub fn work<T: Send>(
    py: Python<'_>,
    listener: Option<Py<PyAny>>,
    budget: Option<f64>,
    task: impl FnOnce(&mut dyn Observer) -> Result<T> + Send,
) -> PyResult<T> {
    work_in(py, listener, budget, worded, task)
}

/// The same, where hints have other words.
pub fn work_in<T: Send>(
    py: Python<'_>,
    listener: Option<Py<PyAny>>,
    budget: Option<f64>,
    worded: fn(&Remedy) -> String,
    task: impl FnOnce(&mut dyn Observer) -> Result<T> + Send,
) -> PyResult<T> {
    let budget = budget.map(duration).transpose().map_err(|e| raised_in(py, e, worded))?;
    let (sender, receiver) = channel::<Said>();
    let asked: Arc<AtomicBool> = Arc::default();
    let stop = Stop::new(Arc::clone(&asked), budget);
    let (heard, done) = py.detach(move || {
        std::thread::scope(|scope| {
            let mut reporter = Reporter { sender, stop, reported: None };
            let worker = std::thread::Builder::new().stack_size(STACK);
            let worker = worker.spawn_scoped(scope, move || task(&mut reporter))?;
            let heard = listen(&receiver, listener.as_ref());
            if heard.is_err() {
                asked.store(true, Relaxed);
            }
            let done = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok::<_, PyErr>((heard, done))
        })
    })?;
    match heard {
        Err(Ended::Raised(error)) => Err(error),
        Err(Ended::Enough) | Ok(()) => done.map_err(|e| raised_in(py, e, worded)),
    }
}

/// A budget in seconds; what is longer than a life counts as one.
fn duration(seconds: f64) -> Result<Duration> {
    if seconds.is_nan() || seconds < 0.0 {
        return Err(Error::input(format!("`budget` must be a number of seconds, 0 or more, got {seconds}"))
            .with_hint("leave it out to run without a limit"));
    }
    Ok(Duration::from_secs_f64(seconds.min(LIFE)))
}

/// Why nobody listens any more, though the work goes on.
enum Ended {
    /// The listener has heard enough.
    Enough,
    /// Ctrl-C, or an error of the listener.
    Raised(PyErr),
}

impl From<PyErr> for Ended {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

/// Passes on what is said until the work is done.
fn listen(receiver: &Receiver<Said>, listener: Option<&Py<PyAny>>) -> std::result::Result<(), Ended> {
    loop {
        let said = match receiver.recv_timeout(PATIENCE) {
            Ok(said) => Some(said),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        Python::attach(|py| {
            py.check_signals()?;
            match said.zip(listener) {
                Some((said, listener)) => pass_on(py, said, listener),
                None => Ok(()),
            }
        })?;
    }
}

fn pass_on(py: Python<'_>, said: Said, listener: &Py<PyAny>) -> std::result::Result<(), Ended> {
    let facts = PyDict::new(py);
    let kind = match said {
        Said::Progress { stage, done, total, loss, best } => {
            facts.set_item("stage", stage)?;
            facts.set_item("done", done)?;
            facts.set_item("total", total)?;
            facts.set_item("loss", loss)?;
            facts.set_item("best", best)?;
            "progress"
        }
        Said::Warning(text) => {
            facts.set_item("text", text)?;
            "warning"
        }
    };
    let answer = listener.call1(py, (kind, facts))?;
    if answer.is(&*pyo3::types::PyBool::new(py, false)) { Err(Ended::Enough) } else { Ok(()) }
}

/// Tells the listening thread what happens, not too often.
struct Reporter {
    sender: Sender<Said>,
    stop: Stop,
    reported: Option<Instant>,
}

impl Observer for Reporter {
    fn on_event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        // Whoever has stopped listening need not be told: that sending fails then does not matter.
        match event {
            Event::Progress { stage, done, total, loss, best } => {
                let now = Instant::now();
                if done == total || self.reported.is_none_or(|last| now - last >= EVERY) {
                    self.reported = Some(now);
                    let best = best.map(|order| order.nodes().to_vec());
                    let (stage, done, total, loss) = (stage.to_string(), *done, *total, *loss);
                    let _ = self.sender.send(Said::Progress { stage, done, total, loss, best });
                }
            }
            Event::Warning(text) => {
                let _ = self.sender.send(Said::Warning(text.to_string()));
            }
            Event::Forecast { .. } => {}
        }
        if self.stop.is_due() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn stop(&self) -> Stop {
        self.stop.clone()
    }
}
