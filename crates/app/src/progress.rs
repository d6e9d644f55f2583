//! How a run gets on.

use std::ops::ControlFlow;
use std::time::Instant;

use oslow::{Event, Observer, Stop};
use serde::{Serialize, Serializer};

use crate::runs::Runs;

/// What the page is told of a run that works.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Progress {
    stage: String,
    done: u64,
    total: u64,
    loss: Option<f64>,
    /// The best order so far.
    best: Option<Vec<String>>,
    warnings: Vec<String>,
    /// How long the run is expected to take, in seconds.
    needs: Option<f64>,
    /// When the stage began.
    #[serde(serialize_with = "seconds", rename = "seconds")]
    began: Option<Instant>,
}

/// How long the stage has taken.
fn seconds<S: Serializer>(began: &Option<Instant>, serializer: S) -> Result<S::Ok, S::Error> {
    began.map(|began| began.elapsed().as_secs_f64()).serialize(serializer)
}

/// Tells the runs of one of them, and stops it when the user wishes so.
pub struct Watcher<'a> {
    pub runs: &'a Runs,
    pub id: u32,
    pub names: Vec<String>,
    pub stop: Stop,
}

impl Observer for Watcher<'_> {
    fn on_event(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        let names = &self.names;
        self.runs.tell(self.id, |progress| progress.take(event, names));
        if self.stop.is_due() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn stop(&self) -> Stop {
        self.stop.clone()
    }
}

impl Progress {
    fn take(&mut self, event: &Event<'_>, names: &[String]) {
        match event {
            Event::Progress { stage, done, total, loss, best } => {
                if self.stage != *stage {
                    self.stage = (*stage).into();
                    self.began = Some(Instant::now());
                }
                (self.done, self.total, self.loss) = (*done, *total, *loss);
                if let Some(best) = best {
                    self.best = Some(best.names(names).into_iter().map(String::from).collect());
                }
            }
            Event::Warning(text) => self.warnings.push((*text).into()),
            Event::Forecast { needs, .. } => self.needs = needs.seconds,
        }
    }

    /// Notes what is doubtful about the table.
    pub fn warn(&mut self, text: String) {
        self.warnings.push(text);
    }
}
