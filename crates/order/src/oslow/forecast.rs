//! How long OSLow will take.

use oslow_core::Forecast;
use oslow_flow::Layout;

use super::config::{OslowConfig, Refine, Schedule};
use super::refine::{PROMISING, TRIAL};

/// Seconds that one thread takes for the gradient at one row under one order, per parameter of the flow. Measured
/// on 1000 rows with the default settings: 0.8, 1.7, 4, 10, 11.5 and 72 s for 3, 4, 5, 6, 10 and 25 columns.
const SECONDS_PER_PARAMETER: f64 = 4.7e-11;
/// The share of a gradient's time that the likelihood alone takes.
const LIKELIHOOD: f64 = 1.0 / 3.0;
/// Moves until refinement settles, as a rule.
const MOVES: usize = 2;

/// The seconds of a run on this many rows and columns, if no phase settles before its end.
pub(super) fn forecast(config: &OslowConfig, rows: usize, columns: usize, threads: usize) -> Forecast {
    let parameters = Layout::new(columns, &config.flow).len as f64;
    let gradients = search(config, rows, columns) + refinement(config, rows, columns);
    let seconds = gradients * parameters * SECONDS_PER_PARAMETER / threads.max(1) as f64;
    Forecast { seconds: Some(seconds), bytes: None }
}

/// Gradients, one per row and order, while θ and Γ are learned.
fn search(config: &OslowConfig, rows: usize, columns: usize) -> f64 {
    let orders = (1..=columns).try_fold(1, usize::checked_mul).unwrap_or(usize::MAX);
    let orders = config.draws.min(orders) as f64;
    let (theta_steps, gamma_steps) = match config.schedule {
        Schedule::Phases => (config.theta_steps, config.gamma_steps),
        Schedule::Alternate => (1, 1),
    };
    let theta =
        (config.warm_up as f64 + config.rounds() as f64 * theta_steps as f64) * batch(config.batch, rows);
    let gamma = config.rounds() as f64 * gamma_steps as f64 * batch(config.gamma_batch, rows);
    orders * (theta + LIKELIHOOD * gamma)
}

/// Gradients while the answer is refined: of the answer, and of its neighbours at each move.
fn refinement(config: &OslowConfig, rows: usize, columns: usize) -> f64 {
    if config.refine == Refine::None || columns > config.refine_nodes {
        return 0.0;
    }
    let neighbours = (columns as f64 - 1.0).powi(2) * (TRIAL + PROMISING * (1.0 - TRIAL));
    let moves = config.refine_rounds.min(MOVES + 1) as f64;
    (1.0 + moves * neighbours) * config.refine_steps as f64 * batch(config.batch, rows)
}

fn batch(most: usize, rows: usize) -> f64 {
    most.min(rows) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_within_a_factor_of_two_of_what_was_measured() {
        let measured = [(3, 0.8), (4, 1.7), (5, 4.0), (6, 10.0), (10, 11.5), (25, 72.0)];
        for (columns, seconds) in measured {
            let told = forecast(&OslowConfig::default(), 1000, columns, 1).seconds.unwrap();
            assert!(
                (0.5..2.0).contains(&(told / seconds)),
                "{columns} columns: {told} s, measured {seconds} s"
            );
        }
    }
}
