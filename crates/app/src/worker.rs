//! Who does the runs, one after the other.

use std::sync::Arc;
use std::thread::JoinHandle;

use oslow::{Discovery, Error, FolderRun, Result, Stop};

use crate::progress::Watcher;
use crate::remedy::{Told, worded};
use crate::runs::{Runs, Stage, Turn};

/// How a run is done, besides what it is to do.
#[derive(Clone, Copy)]
pub struct How {
    /// The answer in words, as the command line shows it again.
    pub words: fn(&Discovery) -> String,
    /// Threads per run.
    pub threads: Option<usize>,
}

/// Begins to do runs until they are closed.
pub fn work(runs: Arc<Runs>, how: How) -> JoinHandle<()> {
    std::thread::spawn(move || {
        while let Some(turn) = runs.next() {
            // A bug in one run must not keep the others waiting for good.
            let done = std::thread::scope(|scope| scope.spawn(|| one(&runs, &turn, how)).join());
            let (stage, error) = match done {
                Ok(Ok(stage)) => (stage, None),
                Ok(Err(e)) => (Stage::Failed, Some(Told::from(&e))),
                Err(_) => (
                    Stage::Failed,
                    Some(Told::from(&Error::internal("the run broke off; the terminal says where"))),
                ),
            };
            runs.end(turn.id, stage, error);
        }
    })
}

fn one(runs: &Runs, turn: &Turn, how: How) -> Result<Stage> {
    let Turn { id, config, asked_to_stop } = turn;
    let data = config.data.as_deref().unwrap_or_default();
    let table = runs.home.read_table(data, &config.read)?;
    for note in &table.notes {
        runs.tell(*id, |progress| progress.warn(note.worded(worded)));
    }
    let sample = table.sample;
    let mut options = config.options()?;
    options.threads = how.threads;
    let run = FolderRun::open(&runs.home.run_folder(*id), &sample, &options, true)?;
    let stop = Stop::new(Arc::clone(asked_to_stop), None);
    let mut watcher = Watcher { runs, id: *id, names: sample.names().to_vec(), stop };
    let answer = run.discover(&sample, &options, &config.read, &mut watcher, how.words)?;
    answer.saved?;
    if let Some(lost) = answer.lost {
        runs.tell(*id, |progress| progress.warn(format!("{lost}; the run cannot go on from here")));
    }
    Ok(if answer.found.interrupted { Stage::Stopped } else { Stage::Finished })
}
