//! The range of a setting.

use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::{Error, Result};

/// Refuses a value outside its range, naming the setting, the value and the range. What is not a number is in no range.
pub fn within<N: PartialOrd + Display>(name: &str, value: N, range: RangeInclusive<N>) -> Result<()> {
    if range.contains(&value) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    Err(Error::input(format!("{name} = {value}: it must be {least} to {most}")))
}

/// Refuses a number that is not above 0, or above the most.
pub fn positive(name: &str, value: f64, most: f64) -> Result<()> {
    if value > 0.0 && value <= most {
        return Ok(());
    }
    Err(Error::input(format!("{name} = {value}: it must be above 0 and at most {most}")))
}

/// Refuses hidden layers of a network that are none, or absurdly many or wide.
pub fn layers(name: &str, units: &[usize], widest: usize) -> Result<()> {
    /// Deeper networks are not trained well by any method here.
    const DEEPEST: usize = 16;
    let fit = (1..=DEEPEST).contains(&units.len()) && units.iter().all(|units| (1..=widest).contains(units));
    if fit {
        return Ok(());
    }
    Err(Error::input(format!(
        "{name} = {units:?}: it must be 1 to {DEEPEST} layers of 1 to {widest} units each"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_outside_is_refused_with_value_and_range() {
        within("steps", 3, 1..=3).unwrap();
        let refusal = |result: Result<()>| result.unwrap_err().to_string();
        assert_eq!(refusal(within("steps", 4, 1..=3)), "steps = 4: it must be 1 to 3");
        assert_eq!(refusal(within("share", f64::NAN, 0.0..=1.0)), "share = NaN: it must be 0 to 1");
        assert_eq!(refusal(positive("rate", 0.0, 10.0)), "rate = 0: it must be above 0 and at most 10");
        positive("rate", 10.0, 10.0).unwrap();
        layers("hidden", &[1, 5], 5).unwrap();
        for wrong in [&[][..], &[0], &[6], &[1; 17]] {
            assert!(refusal(layers("hidden", wrong, 5)).ends_with("1 to 16 layers of 1 to 5 units each"));
        }
    }
}
