//! A cheap order of any number of nodes.

use std::ops::ControlFlow;

use crate::ParentCosts;
use oslow_core::{Event, Observer, Ordering, Precedence, Result, Seed};
use rayon::prelude::*;

use super::climb::{Climb, Slope};
use super::found::{Found, check};
use super::relaxation::Relaxation;
use super::step::Step;
use super::tied_orders::ROUNDING;
use super::total::Total;

/// The nodes of a group of the relaxation; 2^GROUP sets a group and round …
const GROUP: usize = 14;
/// … and the rounds in which its bound is tightened.
const ROUNDS: usize = 100;

/// How a local search goes about it.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalSearch {
    /// How many random orders to start from, besides those that are given. At least 1 if none is given.
    pub starts: usize,
    /// How many consecutive nodes are ordered exactly, 1 to 16: 2^window steps each.
    pub window: usize,
    /// After how many rounds in a row without gain a start has settled, at least 1. Rounds move on plateaus, so that
    /// the next may gain what the last did not.
    pub patience: usize,
    /// The most rounds, at least 1.
    pub rounds: usize,
}

impl Default for LocalSearch {
    fn default() -> Self {
        Self { starts: 16, window: 10, patience: 10, rounds: 500 }
    }
}

impl LocalSearch {
    /// Climbs from every start at once, round by round: insertions of single nodes and windows that are ordered exactly
    /// until neither gains. The answer is the cheapest order met, never dearer than a start.
    ///
    /// The observer is told after each round and may stop the search. It also ends where the lower bound is met.
    ///
    /// # Cost
    /// A round and start: d² steps for insertions, d·window·2^window for windows.
    pub fn search(
        &self,
        costs: &[ParentCosts],
        precedence: &Precedence,
        given: &[Ordering],
        seed: Seed,
        observer: &mut dyn Observer,
    ) -> Result<Found> {
        check(costs)?;
        let steps: Vec<Step> = costs.iter().map(Step::new).collect();
        let relaxation = Relaxation::new(&steps, precedence, GROUP, seed);
        let bound = relaxation.bound();
        let mut slope = Slope::new(&steps, precedence, self.window);
        let mut climbs = self.climbs(&slope, given, seed);
        let magnitude: f64 = steps.iter().map(|step| step.least().abs()).sum();
        slope.tolerance = ROUNDING * (2.0 * magnitude + best(&climbs).0.finite().abs());
        let mut interrupted = false;
        for round in 1..=self.rounds {
            climbs
                .par_iter_mut()
                .filter(|climb| climb.idle() < self.patience)
                .for_each(|climb| climb.round(&slope));
            let (cost, order) = best(&climbs);
            let settled = cost.value() <= bound + slope.tolerance
                || climbs.iter().all(|climb| climb.idle() >= self.patience);
            let event = Event::Progress {
                stage: "searching orders",
                done: round as u64,
                total: self.rounds as u64,
                loss: None,
                best: Some(order),
            };
            let stop = observer.on_event(&event) == ControlFlow::Break(());
            interrupted = stop && !settled;
            if stop || settled {
                break;
            }
        }
        let (cost, order) = best(&climbs);
        let bound = relaxation.tighten(cost.value(), ROUNDS);
        Ok(Found { interrupted, ..Found::new(costs, order.clone(), bound)? })
    }

    fn climbs(&self, slope: &Slope<'_>, given: &[Ordering], seed: Seed) -> Vec<Climb> {
        let random = if given.is_empty() { self.starts.max(1) } else { self.starts };
        let drawn = (0..random as u64).map(|k| {
            let rng = &mut seed.indexed("order/exact/local-search/start", k);
            Ordering::random(slope.steps.len(), rng)
        });
        let climb = |(k, start): (u64, Ordering)| {
            let rng = seed.indexed("order/exact/local-search/moves", k);
            Climb::new(slope, slope.precedence.project(&start), rng)
        };
        (0..).zip(drawn.chain(given.iter().cloned())).map(climb).collect()
    }
}

/// The cheapest order of all climbs; the first of equal ones.
fn best(climbs: &[Climb]) -> (Total, &Ordering) {
    climbs
        .iter()
        .map(Climb::best)
        .reduce(|best, next| if next.0.beats(best.0, 0.0) { next } else { best })
        .expect("there is a start")
}
