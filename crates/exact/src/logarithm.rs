//! Logarithms of a column: of the distance of its values from an end.
//!
//! Of X = exp(f(causes))·|U|, seen on a scale that was moved, ln(X − end) is a location plus noise, while in its own units location, scale and a sharp end of the noise must agree.

use crate::mixture::beyond_the_last;

/// ln(x − end) where values lie above the end, −ln(end − x) where they lie below: ascending in x either way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Logarithm {
    end: f64,
    above: bool,
}

impl Logarithm {
    /// The distance from zero; `None` unless all values lie above it and the largest is at least `ratio` times the smallest.
    pub fn from_zero(values: &[f64], ratio: f64) -> Option<Self> {
        let (least, greatest) = range(values);
        (least > 0.0 && greatest >= ratio * least).then_some(Self { end: 0.0, above: true })
    }

    /// The distance from the lower end of the values, which lies a little below the least; `None` where many values equal that.
    pub fn from_lower_end(values: &[f64]) -> Option<Self> {
        Self::from_end(-beyond_the_last(values.iter().map(|value| -value)), values)
    }

    /// The distance from the upper end.
    pub fn from_upper_end(values: &[f64]) -> Option<Self> {
        Self::from_end(beyond_the_last(values.iter().copied()), values)
    }

    /// The distance from an end on either side of all values.
    pub fn from_end(end: f64, values: &[f64]) -> Option<Self> {
        let (least, greatest) = range(values);
        (least > end || greatest < end).then_some(Self { end, above: least > end })
    }

    /// Where the logarithm is infinite.
    pub fn end(self) -> f64 {
        self.end
    }

    /// Whether it has a value there.
    pub fn has(self, value: f64) -> bool {
        if self.above { value > self.end } else { value < self.end }
    }

    /// Its value.
    pub fn of(self, value: f64) -> f64 {
        let log = self.log_distance(value);
        if self.above { log } else { -log }
    }

    /// −ln of its slope.
    pub fn log_distance(self, value: f64) -> f64 {
        (value - self.end).abs().ln()
    }

    /// The values that it has, in words.
    pub fn domain(self) -> String {
        format!("{} {}", if self.above { "above" } else { "below" }, self.end)
    }
}

fn range(values: &[f64]) -> (f64, f64) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    (least, values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ascends_and_its_slope_is_that_of_finite_differences() {
        let values: Vec<f64> = (0..50).map(|k| 3.0 + f64::from(k).powi(2) / 100.0).collect();
        let both = [Logarithm::from_lower_end(&values), Logarithm::from_upper_end(&values)];
        for logarithm in both.map(Option::unwrap).into_iter().chain(Logarithm::from_zero(&values, 5.0)) {
            for &value in &values {
                let h = 1e-7;
                let slope = (logarithm.of(value + h) - logarithm.of(value - h)) / (2.0 * h);
                assert!((slope.ln() + logarithm.log_distance(value)).abs() < 1e-4, "{logarithm:?} {value}");
            }
        }
    }

    #[test]
    fn ends_lie_just_outside_and_only_where_values_come_close_to_them() {
        let values: Vec<f64> = (0..1000).map(|k| 2.0 + f64::from(k) / 1000.0).collect();
        let (lower, upper) =
            (Logarithm::from_lower_end(&values).unwrap(), Logarithm::from_upper_end(&values).unwrap());
        assert!((lower.end() - 1.998).abs() < 1e-9 && (upper.end() - 3.001).abs() < 1e-9);
        assert!(lower.has(2.0) && !lower.has(1.9) && upper.has(3.0) && !upper.has(3.1));
        assert!(
            Logarithm::from_zero(&values, 2.0).is_none() && Logarithm::from_zero(&[0.0, 9.0], 1.0).is_none()
        );
        let tied = [vec![0.0; 20], values].concat();
        assert!(Logarithm::from_lower_end(&tied).is_none());
    }
}
