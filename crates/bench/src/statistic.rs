//! Means and standard deviations as tables show them.

/// The mean of some numbers, their standard deviation and how many there were.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistic {
    /// The mean.
    pub mean: f64,
    /// The standard deviation (divided by n − 1), from two numbers on.
    pub sd: Option<f64>,
    /// How many numbers there were.
    pub count: usize,
}

impl Statistic {
    /// `None` of nothing.
    pub fn of(values: &[f64]) -> Option<Self> {
        let n = values.len() as f64;
        if values.is_empty() {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|x| (x - mean).powi(2)).sum();
        let sd = (values.len() > 1).then(|| (squares / (n - 1.0)).sqrt());
        Some(Self { mean, sd, count: values.len() })
    }

    /// `mean ± sd`, with as many decimals as such numbers deserve.
    pub fn text(&self) -> String {
        let size = self.mean.abs().max(self.sd.unwrap_or(0.0));
        let digits = if size < 1.5 { 3 } else { 1 };
        match self.sd {
            Some(sd) => format!("{:.digits$} ± {sd:.digits$}", self.mean),
            None => format!("{:.digits$}", self.mean),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_get_more_decimals() {
        let text = |values: &[f64]| Statistic::of(values).unwrap().text();
        assert_eq!(text(&[0.0, 0.5]), "0.250 ± 0.354");
        assert_eq!(text(&[9.0, 11.0, 13.0]), "11.0 ± 2.0");
        assert_eq!(text(&[0.125]), "0.125");
        assert_eq!(Statistic::of(&[]), None);
    }
}
