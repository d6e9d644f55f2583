//! Checks of what a method assumes.

/// One assumption, looked at on the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What was looked at: `residuals-independent`, `no-hidden-cause`, `rows-independent`, `no-copied-rows`, `not-determined` or `many-rows-agree`.
    pub name: &'static str,
    /// The columns concerned, one or two; none for the whole table.
    pub columns: Vec<usize>,
    /// The p-value, corrected for the number of tests of the table, where it is a test.
    pub p_value: Option<f64>,
    /// Whether the data speak against the assumption.
    pub violated: bool,
    /// What that means, in a sentence that names the columns.
    pub meaning: String,
}

impl Check {
    /// `fine` or `violated`.
    pub fn verdict(&self) -> &'static str {
        if self.violated { "violated" } else { "fine" }
    }
}

/// p-values that keep the chance of any false alarm among them below the level at which each is judged (Holm).
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut ascending: Vec<usize> = (0..p_values.len()).collect();
    ascending.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![1.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (rank, &k) in ascending.iter().enumerate() {
        largest = largest.max(p_values[k] * (p_values.len() - rank) as f64).min(1.0);
        corrected[k] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::holm;

    #[test]
    fn as_in_statsmodels() {
        // statsmodels.stats.multitest.multipletests([.01, .04, .03, .005], method="holm")[1]
        let found = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in found.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - expected).abs() < 1e-12);
        }
        assert!(holm(&[]).is_empty());
    }
}
