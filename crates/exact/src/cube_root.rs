//! The cube root of a column's distance from where its values are densest.
//!
//! A density that is infinite there, as that of the cube of what is smooth, is smooth in this coordinate.

/// sign(x − centre)·|x − centre|^⅓.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CubeRoot {
    centre: f64,
    /// The density is no larger than at this distance from the centre.
    nearest: f64,
}

impl CubeRoot {
    /// From the middle of the shortest interval with half of the values, of that with half of these, and so on down to √n of them; `None` where these are all the same.
    pub fn from_densest(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let least = (values.len() as f64).sqrt().ceil() as usize;
        let mut densest = sorted.as_slice();
        while densest.len().div_ceil(2) > least {
            let half = densest.len().div_ceil(2);
            let width = |window: &&[f64]| window[half - 1] - window[0];
            let shortest = densest.windows(half).min_by(|a, b| width(a).total_cmp(&width(b)));
            densest = shortest.expect("half of the values are no more than all");
        }
        let (first, last) = (densest[0], densest[densest.len() - 1]);
        let nearest = 0.5 * (last - first) / densest.len() as f64;
        (nearest > 0.0).then_some(Self { centre: 0.5 * (first + last), nearest })
    }

    /// Its value.
    pub fn of(self, value: f64) -> f64 {
        (value - self.centre).cbrt()
    }

    /// −ln of its slope.
    pub fn minus_log_slope(self, value: f64) -> f64 {
        3f64.ln() + 2.0 / 3.0 * (value - self.centre).abs().max(self.nearest).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cubes of normal quantiles, moved.
    fn cubes() -> Vec<f64> {
        (1..400).map(|k| crate::columns::normal_quantile(f64::from(k) / 400.0).powi(3) + 7.0).collect()
    }

    #[test]
    fn the_centre_is_where_values_are_densest() {
        let root = CubeRoot::from_densest(&cubes()).unwrap();
        assert!((root.centre - 7.0).abs() < 1e-3, "{}", root.centre);
        assert!(CubeRoot::from_densest(&[cubes(), vec![7.5; 300]].concat()).is_none());
    }

    #[test]
    fn its_slope_is_that_of_finite_differences() {
        let root = CubeRoot::from_densest(&cubes()).unwrap();
        for value in [-3.0, 6.5, 7.4, 30.0] {
            let h = 1e-6;
            let slope = (root.of(value + h) - root.of(value - h)) / (2.0 * h);
            assert!((slope.ln() + root.minus_log_slope(value)).abs() < 1e-6, "{value}");
        }
        assert!(root.minus_log_slope(root.centre).is_finite());
    }
}
