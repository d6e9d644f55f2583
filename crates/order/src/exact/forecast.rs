//! What a run will need.

use oslow_core::Forecast;

use super::config::ExactConfig;
use super::search::bytes;

/// Seconds that one thread takes to score one set in one fold of 1000 rows, without causes and for each further one.
const SECONDS_A_FIT: f64 = 4e-3;
const SECONDS_A_CAUSE: f64 = 4e-3;
/// The share of that for a set that is only screened.
const SCREENING: f64 = 0.15;

/// Rough: nobody knows beforehand how many candidates there will be, so as many as there may be are assumed.
pub(super) fn forecast(config: &ExactConfig, rows: usize, columns: usize, threads: usize) -> Forecast {
    let others = columns.saturating_sub(1);
    let all = columns <= config.local.all_candidates_up_to;
    let candidates = if all { others } else { config.local.candidates.min(others) };
    let fit = |causes: f64| (SECONDS_A_FIT + SECONDS_A_CAUSE * causes) * rows as f64 / 1000.0 * config.local.folds as f64;
    let sets = columns as f64 * (1u64 << candidates) as f64;
    let mut seconds = sets * fit(candidates as f64 / 2.0);
    if candidates < others {
        let screened = columns * candidates * others;
        seconds += screened as f64 * SCREENING * fit(candidates as f64 / 2.0);
    }
    let kept = sets * (4 * rows + 100) as f64;
    let searched = if columns <= config.exact_up_to { bytes(columns, candidates) as f64 } else { 0.0 };
    Forecast { seconds: Some(seconds / threads.max(1) as f64), bytes: Some((2.0 * kept + searched) as u64) }
}
