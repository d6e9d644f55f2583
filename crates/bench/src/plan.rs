//! From an experiment to its cells.

use oslow::{Result, Settings};

use crate::cell::{Cell, Entrant};
use crate::experiment::{Contestant, Experiment};
use crate::memory::Memory;
use crate::problem::Problem;

/// Those who take part: the experiment's methods, and those that no table may be without.
pub fn entrants(experiment: &Experiment) -> Vec<Entrant> {
    let mut contestants = experiment.methods.clone();
    for trivial in trivial() {
        let is_there = |c: &&Contestant| c.name == trivial.name && c.settings == trivial.settings;
        if experiment.methods.iter().find(is_there).is_none() {
            contestants.push(trivial);
        }
    }
    let mut all: Vec<Entrant> = contestants.into_iter().map(Entrant::Method).collect();
    all.extend([Entrant::TrueOrder, Entrant::EmptyGraph]);
    all
}

/// What a method has to beat: chance, and a statistic that should not tell causes from effects.
fn trivial() -> [Contestant; 3] {
    let contestant = |name: &str, label: &str, settings: Settings| Contestant {
        name: name.into(),
        label: label.into(),
        settings,
        ..Contestant::default()
    };
    let descending = [("descending".to_string(), toml::Value::Boolean(true))].into_iter().collect();
    [
        contestant("random", "random order", Settings::new()),
        contestant("r2-sort", "R²-sort, ascending", Settings::new()),
        contestant("r2-sort", "R²-sort, descending", descending),
    ]
}

/// Every run of every entrant on every problem, problem by problem.
pub fn cells(experiment: &Experiment, problems: &[Problem]) -> Result<Vec<Cell>> {
    let entrants = entrants(experiment);
    let memory = Memory::default();
    let mut cells = Vec::new();
    for problem in problems {
        for entrant in &entrants {
            for run in 0..experiment.runs as u64 {
                cells.push(Cell::new(experiment, problem.clone(), entrant.clone(), run, &memory)?);
            }
        }
    }
    Ok(cells)
}
