//! Numbers that may stand for a missing value.

use oslow_core::{Choice, Remedy, Sample};

use crate::Note;

/// A value that stands there once may be a slip; codes repeat.
const FEWEST: usize = 2;
/// A code that fills more of a column than this is no rest beside it.
const MOST: f64 = 0.5;

/// Names values such as -999 that lie far outside the rest of their column, and repeat.
pub(crate) fn sentinels(sample: &Sample) -> Option<Note> {
    let mut found: Vec<(usize, Code)> = Vec::new();
    for j in (0..sample.columns()).filter(|&j| sample.labels(j).is_empty()) {
        let observed: Vec<f64> =
            (0..sample.rows()).filter(|&i| !sample.is_gap(i, j)).map(|i| sample.value(i, j)).collect();
        found.extend(codes(observed).into_iter().map(|code| (j, code)));
    }
    if found.is_empty() {
        return None;
    }
    let told: Vec<String> = found
        .iter()
        .map(|(j, code)| {
            let (name, range) =
                (&sample.names()[*j], format!("{} to {}", short(code.least), short(code.most)));
            format!("`{name}` has {} {} times (the rest: {range})", code.value, code.times)
        })
        .collect();
    let mut values: Vec<String> = found.iter().map(|(_, code)| code.value.to_string()).collect();
    values.sort();
    values.dedup();
    Some(Note {
        text: format!("values far from all others may stand for missing ones: {}", told.join(", ")),
        remedy: Some(
            Remedy::from("if so, pass ")
                .and(Choice::MissingValues.set(values.join(",")))
                .and(" and ")
                .and(Choice::Missing.set("auto")),
        ),
    })
}

/// Three digits, for people.
fn short(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e6 {
        return number.to_string();
    }
    let digits = 2 - number.abs().log10().floor().clamp(-300.0, 300.0) as i32;
    if (0..7).contains(&digits) { format!("{number:.*}", digits as usize) } else { format!("{number:.2e}") }
}

/// A value that repeats, and the range of the others.
#[derive(Debug, PartialEq)]
struct Code {
    value: f64,
    times: usize,
    least: f64,
    most: f64,
}

/// The codes at both ends of a column.
fn codes(mut column: Vec<f64>) -> Vec<Code> {
    let least = column.iter().copied().fold(f64::INFINITY, f64::min);
    let most = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Most columns have none, and need not be sorted.
    if !is_code(least) && !is_code(most) {
        return Vec::new();
    }
    column.sort_by(f64::total_cmp);
    let (mut low, mut high) = (Vec::new(), Vec::new());
    // A column may have several: -999 and -99, from the outside in.
    while let (Some(&first), Some(&last)) = (column.first(), column.last()) {
        let lowest = column.partition_point(|&value| value <= first);
        let highest = column.partition_point(|&value| value < last);
        if is_code(first) && first < 0.0 && lowest < column.len() {
            low.push((first, lowest));
            column.drain(..lowest);
        } else if is_code(last) && highest > 0 {
            high.push((last, column.len() - highest));
            column.truncate(highest);
        } else {
            break;
        }
    }
    let (Some(&least), Some(&most)) = (column.first(), column.last()) else { return Vec::new() };
    let all = column.len() + low.iter().chain(&high).map(|(_, times)| times).sum::<usize>();
    let far = |value: f64| (least - value).max(value - most) > (most - least).max(f64::MIN_POSITIVE);
    low.into_iter()
        .chain(high)
        .filter(|&(value, times)| far(value) && times >= FEWEST && times as f64 <= MOST * all as f64)
        .map(|(value, times)| Code { value, times, least, most })
        .collect()
}

/// Whether a number is written by nines alone, two or more, or by eights, as codes are: -99, 999, -9999.0, 888.
fn is_code(value: f64) -> bool {
    let size = value.abs();
    let digits = size.to_string();
    size.fract() == 0.0
        && (2..=7).contains(&digits.len())
        && ['9', '8'].iter().any(|&sign| digits.chars().all(|digit| digit == sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: &[f64], others: impl Iterator<Item = f64>) -> Vec<f64> {
        others.chain(values.iter().copied()).collect()
    }

    #[test]
    fn codes_stand_apart_and_repeat() {
        let ages = || (0..50).map(|k| f64::from(20 + k));
        let found = |values: &[f64]| -> Vec<(f64, usize)> {
            codes(column(values, ages())).iter().map(|code| (code.value, code.times)).collect()
        };
        assert_eq!(found(&[-999.0, -999.0, -999.0]), [(-999.0, 3)]);
        assert_eq!(
            found(&[-999.0, -999.0, -99.0, -99.0, 9999.0, 9999.0]),
            [(-999.0, 2), (-99.0, 2), (9999.0, 2)]
        );
        // Once, near the rest, or no code.
        assert_eq!(found(&[-999.0]), []);
        assert_eq!(found(&[99.0, 99.0]), []);
        assert_eq!(found(&[-500.0, -500.0]), []);
        assert_eq!(codes(vec![999.0; 20]), []);
        assert_eq!(codes(column(&[999.0; 60], ages())), []);
        // A wide column has 999 and 9999 as anything else.
        assert_eq!(codes(column(&[9999.0, 9999.0], (0..200).map(|k| f64::from(k * 49)))), []);
    }
}
