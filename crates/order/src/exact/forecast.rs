//! What a run will need.

use oslow_core::Forecast;
use oslow_exact::ROWS_COMPARED;
use oslow_exact::search::bytes;

use super::config::ExactConfig;

/// Seconds that one thread takes to score one set in one fold of 1000 rows: without causes, and for each one.
const SECONDS_A_FIT: f64 = 5e-3;
const SECONDS_A_CAUSE: f64 = 1e-2;
/// Sets of a column that are looked at besides each cause alone where coordinates are chosen, twice, …
const GLANCES: f64 = 5.0;
/// … and the share of a fit that one takes.
const GLANCE: f64 = 0.4;
/// The share of that for a set that is only screened.
const SCREENING: f64 = 0.2;
/// Where candidates are chosen, a column usually has no more sets worth scoring than this, …
const SETS_A_COLUMN: f64 = 26.0;
/// … of so many causes, …
const CAUSES_A_SET: f64 = 2.0;
/// … after so many rounds of each selection.
const ROUNDS: f64 = 5.0;
/// Seconds for one look at the evidence of causes that interact, on as many rows as it sees at most.
const SECONDS_A_LOOK: f64 = 3.5e-3;
/// Looks in a round besides one at each column.
const LOOKS_AROUND: f64 = 7.0;
/// Columns that a screening usually leaves to be looked at as causes of one, …
const WORTH_A_LOOK: usize = 10;
/// … and the features of a column that it looks at.
const FEATURES: usize = 6;

/// Rough: how many sets are worth scoring is for the data to say.
pub(super) fn forecast(config: &ExactConfig, rows: usize, columns: usize, threads: usize) -> Forecast {
    let others = columns.saturating_sub(1);
    let screened = columns > config.local.all_others_up_to;
    let looked_at = if screened { others.min(WORTH_A_LOOK) } else { others };
    let rows = rows.min(config.local.most_rows);
    // Held-out rows cost little beside those that are fitted.
    let fitted = rows.min(config.local.most_fitted + rows / 10);
    let fit = |causes: f64| (SECONDS_A_FIT + SECONDS_A_CAUSE * causes) * fitted as f64 / 1000.0;
    let folds = config.local.folds as f64;
    let (candidates, sets, seconds) = if columns <= config.local.all_candidates_up_to {
        let sets = columns as f64 * (1u64 << others) as f64;
        (others, sets, sets * folds * fit(others as f64 / 2.0))
    } else {
        let candidates = config.local.candidates.min(others);
        let sets = columns as f64 * SETS_A_COLUMN.min((1u64 << candidates) as f64);
        let tried = columns as f64 * looked_at as f64 * ROUNDS.min(candidates as f64);
        let fits = sets * folds + tried * SCREENING;
        let interacting = config.local.interacting.min(candidates) as f64;
        let looks = columns as f64 * ROUNDS.min(interacting) * (looked_at as f64 + LOOKS_AROUND);
        let look = SECONDS_A_LOOK * (rows as f64 / ROWS_COMPARED as f64).min(1.0).powi(3);
        (candidates, sets, fits * fit(CAUSES_A_SET) + looks * look)
    };
    let glances = 2.0 * columns as f64 * (looked_at as f64 + GLANCES);
    let seconds = seconds + glances * GLANCE * fit(1.0);
    let kept = 2.0 * sets * (4 * rows + 100) as f64;
    let products = if screened { (8 * (FEATURES * columns).pow(2)) as f64 } else { 0.0 };
    let searched = if columns <= config.exact_up_to { bytes(columns, candidates) as f64 } else { 0.0 };
    Forecast {
        seconds: Some(seconds / threads.max(1) as f64),
        bytes: Some((kept + products + searched) as u64),
    }
}
