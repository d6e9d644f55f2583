//! The variance of each column.

use oslow_core::Prepared;

/// The variance of each column in the units of the run, the mean of squared deviations (divided by n, not n − 1).
pub fn variances(sample: &Prepared) -> Vec<f64> {
    let n = sample.rows() as f64;
    let variance = |j: usize| {
        let mean = sample.column(j).iter().sum::<f64>() / n;
        sample.column(j).iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n
    };
    (0..sample.columns()).map(variance).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::{Preparing, Sample};

    #[test]
    fn it_is_the_mean_squared_deviation() {
        let names = ["a", "b"].map(String::from).to_vec();
        let sample = Sample::new(names, vec![1.0, 5.0, 2.0, 5.0, 3.0, 8.0]).unwrap();
        let expected = [2.0 / 3.0, 2.0];
        let prepared = Prepared::new(&sample, Preparing::as_given()).unwrap();
        assert!(variances(&prepared).iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15));
    }
}
