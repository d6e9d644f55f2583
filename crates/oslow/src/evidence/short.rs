//! Numbers for pictures: with the digits that can be seen.

/// Digits of the range that are kept.
const DIGITS: i32 = 4;

/// How many decimals a column needs, by its range.
#[derive(Clone, Copy)]
pub(super) struct Decimals(i32);

impl Decimals {
    /// Those that tell a ten-thousandth of the range between two values.
    pub fn of(least: f64, greatest: f64) -> Self {
        let range = greatest - least;
        let magnitude = if range > 0.0 { range.log10().floor() as i32 } else { 0 };
        Self((DIGITS - 1 - magnitude).clamp(0, 300))
    }

    /// The value with these decimals.
    pub fn round(self, value: f64) -> f64 {
        let decimals = self.0 as usize;
        // What cannot be read back was not finite.
        format!("{value:.decimals$}").parse().unwrap_or(value)
    }

    pub fn all(self, values: impl IntoIterator<Item = f64>) -> Vec<f64> {
        values.into_iter().map(|value| self.round(value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ten_thousandth_of_the_range_is_kept() {
        let near_one = Decimals::of(0.0, 2.5);
        assert_eq!(near_one.all([0.123_456, -1.0]), [0.123, -1.0]);
        assert_eq!(Decimals::of(1e6, 1e6 + 0.002).round(1_000_000.001_234_5), 1_000_000.001_234);
        assert_eq!(Decimals::of(-4e7, 3e7).round(123_456.789), 123_457.0);
        assert_eq!(Decimals::of(1.0, 1.0).round(1.23456), 1.235);
    }
}
