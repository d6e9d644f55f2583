//! One resample of a table.

use oslow_core::{Choice, Error, Prepared, Remedy, Result, Sample, Seed};

use crate::DiscoverOptions;

/// How often rows are drawn anew before a table is held to be too small to be resampled.
const DRAWS: usize = 100;

/// The rows of resample `index`, drawn with replacement and prepared like the whole table. It depends on the seed
/// and the index alone.
///
/// A draw that no method can use, because a column is constant in it or equals another, is drawn anew from
/// the next stream of the same resample.
pub(crate) fn resample(sample: &Sample, index: usize, options: &DiscoverOptions) -> Result<Prepared> {
    let draw = |attempt: usize| -> Result<Prepared> {
        let stream = format!("bootstrap/rows/{attempt}");
        let drawn = sample.resample(&mut options.seed.indexed(&stream, index as u64))?;
        Prepared::new(&drawn, options.preparing())
    };
    let first = match draw(0) {
        Ok(prepared) => return Ok(prepared),
        Err(error) => error,
    };
    (1..DRAWS).find_map(|attempt| draw(attempt).ok()).ok_or_else(|| {
        Error::input(format!("{first}, as in {DRAWS} draws of {} rows in turn", sample.rows())).with_hint(
            Remedy::from("the table is too small to be resampled: add rows or leave out ")
                .and(Choice::Bootstrap),
        )
    })
}

/// The seed of the stages on resample `index`: what a method draws at random differs between resamples too, so
/// that a share also tells how much of the answer is the method's own chance.
pub(crate) fn seed(options: &DiscoverOptions, index: usize) -> Seed {
    options.seed.derived("bootstrap/seed", index as u64)
}

/// An error of resample `index`, counted from 1 for people.
pub(crate) fn named(error: Error, index: usize) -> Error {
    let name = format!("resample {}", index + 1);
    match error {
        Error::NonFinite { what, step } => Error::non_finite(what, format!("{step} of {name}")),
        other => other.at(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn useless_draws_are_drawn_anew() {
        let table = |values: Vec<f64>| Sample::new(vec!["a".into(), "b".into()], values).unwrap();
        // b is constant in a draw without the one row where it is 1: in 35 % of the draws.
        let rare = table((0..20).flat_map(|i| [f64::from(i), f64::from(u8::from(i == 7))]).collect());
        let options = DiscoverOptions::default();
        for index in 0..30 {
            let drawn = resample(&rare, index, &options).unwrap();
            assert!(drawn.groups().unwrap().contains(&7));
        }
        let few = table(vec![0.0, 5.0, 1.0, 7.0, 2.0, 4.0]);
        for index in 0..30 {
            resample(&few, index, &options).unwrap();
        }
        // No draw of two rows can be used: either is constant, or both columns are the same when standardised.
        let tiny = table(vec![0.0, 0.0, 1.0, 1.0]);
        let error = named(resample(&tiny, 2, &options).err().unwrap(), 2);
        assert!(error.is_input() && error.to_string().starts_with("resample 3: column"), "{error}");
        let broken = named(Error::non_finite("the loss", "step 3"), 0);
        assert_eq!(broken.to_string(), "the loss became non-finite at step 3 of resample 1");
    }
}
