//! The variance of each column.

use oslow_core::Sample;

/// The variance of each column, the mean of squared deviations (divided by n, not n − 1).
pub fn variances(sample: &Sample) -> Vec<f64> {
    let n = sample.rows() as f64;
    let variance = |j: usize| {
        let mean = sample.column(j).sum::<f64>() / n;
        sample.column(j).map(|x| (x - mean) * (x - mean)).sum::<f64>() / n
    };
    (0..sample.columns()).map(variance).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_mean_squared_deviation() {
        let names = ["a", "b"].map(String::from).to_vec();
        let sample = Sample::new(names, vec![1.0, 5.0, 2.0, 5.0, 3.0, 8.0]).unwrap();
        let expected = [2.0 / 3.0, 2.0];
        assert!(variances(&sample).iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15));
    }
}
