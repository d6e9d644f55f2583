//! What a run will need.
//!
//! The stages are those of [`oslow_exact::LocalScores`]. How many sets of causes are worth a score, and how long a fit takes, is for the data to say. So the constants are
//! those of typical sparse tables, in seconds of one thread; `cargo xtask forecasts` compares them with what runs take. In dense graphs more sets are worth a score, and runs take up to three
//! times as long.

use oslow_core::{Forecast, Prepared};
use oslow_exact::search::bytes;
use oslow_exact::{LocalConfig, ROWS_COMPARED, TransformChoice};

use super::config::ExactConfig;

/// One fit of a set in one fold: at least, …
const FIT: f64 = 3e-4;
/// … per 1000 rows that are fitted, and as much again for each of these shares of a cause, …
const FITTED: f64 = 1e-3;
const CAUSES_THAT_DOUBLE: f64 = 0.5;
/// … and per 1000 rows that are held out.
const HELD_OUT: f64 = 1e-3;
/// A quick fit in one fold, where coordinates are chosen: at least, and per 1000 rows that are fitted and held out.
const GLANCE: f64 = 5e-4;
const GLANCE_FITTED: f64 = 3.3e-3;
const GLANCE_HELD_OUT: f64 = 2e-3;
/// Coordinates that a table is usually looked at in, how many of them twice, …
const COORDINATES: f64 = 2.5;
const LOOKED_AT_AGAIN: f64 = 2.0;
/// … sets of a column that are looked at in each, besides each cause alone, and columns that are looked at as effects.
const SETS_AT_A_GLANCE: f64 = 8.0;
const EFFECTS: usize = 100;
/// Where candidates are chosen, the rounds that a column usually has, and what it takes to look at one more candidate: at least, and per 1000 rows that are fitted.
const ROUNDS: f64 = 3.0;
const TRIED: f64 = 2e-4;
const TRIED_FITTED: f64 = 3e-3;
/// One look at the evidence of causes that interact, on as many rows as it sees at most; rounds of such looks, looks in a round besides one at each column, and columns that
/// usually settle whether a table needs them.
const LOOK: f64 = 2.5e-3;
const ROUNDS_OF_LOOKS: f64 = 5.0;
const LOOKS_AROUND: f64 = 7.0;
const JUDGES: usize = 30;
/// Sets of a column that are worth a score where candidates are chosen, and the causes in one.
const SETS: [f64; 2] = [18.0, 1.2];
/// The same where columns are so many that they are screened: there fewer smaller sets must speak for a larger one.
const SETS_OF_SCREENED: [f64; 2] = [30.0, 1.8];
/// Columns that a screening usually leaves to be looked at as causes of one, …
const WORTH_A_LOOK: usize = 16;
/// … and the features of a column that it looks at.
const FEATURES: usize = 6;
/// What each condition adds to the time of fits: it may change any column, so it gets fits of its own.
const CONDITION: f64 = 0.35;
/// One step of a sum or a search over sets of columns.
const STEP: f64 = 9e-9;

pub(super) fn forecast(config: &ExactConfig, sample: &Prepared, threads: usize) -> Forecast {
    let (local, rows, columns) = (&config.local, sample.rows(), sample.columns());
    let screened = columns > local.all_others_up_to;
    let others = columns.saturating_sub(1);
    let table = Table {
        local,
        rows: rows.min(local.most_rows),
        columns,
        looked_at: if screened { others.min(WORTH_A_LOOK) } else { others },
    };
    let every_set = columns <= local.all_candidates_up_to;
    let candidates = if every_set { others } else { local.candidates.min(others) };
    let (all, some) = ((1_u64 << candidates) as f64, candidates as f64);
    let [sets, causes] = if every_set {
        [all, some / 2.0]
    } else if screened {
        SETS_OF_SCREENED
    } else if candidates == others {
        // All others are candidates, and all sets of up to two are scored.
        let sets = 1.0 + some * (some + 1.0) / 2.0;
        [sets, some * some / sets]
    } else {
        SETS
    };
    let sets = columns as f64 * sets.min(all);
    let conditions = sample.conditions().map_or(0, |conditions| conditions.names().len());
    let in_conditions = 1.0 + CONDITION * conditions as f64;
    let choosing = if every_set { 0.0 } else { table.candidates() * in_conditions + table.interacting() };
    let scores = table.scores(sets, causes) * in_conditions;
    let searched = columns <= config.exact_up_to;
    let steps = config.confidence.steps(columns) + if searched { columns << columns } else { 0 };
    let seconds = table.coordinates() + choosing + scores + STEP * steps as f64;
    let kept = 2.0 * sets * (4 * table.rows + 100) as f64;
    let products = if screened { (8 * (FEATURES * columns).pow(2)) as f64 } else { 0.0 };
    let searched = if searched { bytes(columns, candidates) as f64 } else { 0.0 };
    Forecast {
        seconds: Some(seconds / threads.max(1) as f64),
        bytes: Some((kept + products + searched) as u64),
    }
}

/// A table that is scored.
struct Table<'a> {
    local: &'a LocalConfig,
    rows: usize,
    columns: usize,
    /// Columns that are looked at as causes of each.
    looked_at: usize,
}

impl Table<'_> {
    /// Thousands of rows that are fitted and held out in one of so many folds.
    fn fold(&self, folds: usize) -> [f64; 2] {
        let held_out = self.rows / folds;
        [(self.rows - held_out).min(self.local.most_fitted), held_out].map(|rows| rows as f64 / 1000.0)
    }

    /// Seconds for the choice of coordinates.
    fn coordinates(&self) -> f64 {
        if self.local.transform != TransformChoice::Auto {
            return 0.0;
        }
        let [fitted, held_out] = self.fold(self.local.folds);
        let glance = GLANCE + GLANCE_FITTED * fitted + GLANCE_HELD_OUT * held_out;
        let again = LOOKED_AT_AGAIN * self.local.folds as f64;
        let glances = self.looked_at as f64 + COORDINATES * SETS_AT_A_GLANCE + again;
        self.columns.min(EFFECTS) as f64 * glances * glance
    }

    /// Seconds for the choice of candidates one by one.
    fn candidates(&self) -> f64 {
        if self.looked_at <= self.local.candidates {
            return 0.0;
        }
        let [fitted, _] = self.fold(2);
        let tried = (self.looked_at as f64 - 0.5 * (ROUNDS - 1.0)) * ROUNDS;
        self.columns as f64 * tried * (TRIED + TRIED_FITTED * 2.0 * fitted)
    }

    /// Seconds for the search for causes that interact.
    fn interacting(&self) -> f64 {
        let rounds = ROUNDS_OF_LOOKS.min(self.local.interacting.min(self.local.candidates) as f64);
        let look = LOOK * (self.rows as f64 / ROWS_COMPARED as f64).min(1.0).powi(3);
        self.columns.min(JUDGES) as f64 * rounds * (self.looked_at as f64 + LOOKS_AROUND) * look
    }

    /// Seconds for the scores of sets of so many causes.
    fn scores(&self, sets: f64, causes: f64) -> f64 {
        let [fitted, held_out] = self.fold(self.local.folds);
        let fit = FIT + FITTED * fitted * (1.0 + causes / CAUSES_THAT_DOUBLE) + HELD_OUT * held_out;
        sets * (self.local.folds * self.local.splits) as f64 * fit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Preparing, Sample};

    /// Seconds for a table of numbers without meaning.
    fn seconds(rows: usize, columns: usize, threads: usize) -> f64 {
        let names = (0..columns).map(|j| format!("X{j}")).collect();
        let cell = |i: usize, j: usize| ((i * (2 * j + 3) + i * i * (j + 1)) % 1009) as f64;
        let values = (0..rows).flat_map(|i| (0..columns).map(move |j| cell(i, j))).collect();
        let sample = Prepared::new(&Sample::new(names, values).unwrap(), Preparing::default()).unwrap();
        forecast(&ExactConfig::default(), &sample, threads).seconds.unwrap()
    }

    #[test]
    fn work_grows_with_the_table_and_is_shared_by_threads() {
        let grows = |times: &[f64]| times.windows(2).all(|two| two[0] < two[1]);
        assert!(grows(&[200, 1000, 5000, 20_000].map(|rows| seconds(rows, 5, 1))));
        assert!(grows(&[4, 5, 6, 7].map(|columns| seconds(300, columns, 1))), "every set is scored");
        assert!(grows(&[8, 12, 20, 26, 50].map(|columns| seconds(300, columns, 1))), "few sets are");
        assert_eq!(seconds(20_000, 4, 1), seconds(21_000, 4, 1), "no more rows are analysed");
        assert!((seconds(300, 8, 1) / seconds(300, 8, 4) - 4.0).abs() < 1e-9);
    }
}
