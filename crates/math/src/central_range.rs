//! Where most values of a column lie.

/// Where the central 99 % of some values begin and end.
pub fn central_range(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let last = (values.len() - 1) as f64;
    (values[(0.005 * last).floor() as usize], values[(0.995 * last).ceil() as usize])
}

#[cfg(test)]
mod tests {
    use super::central_range;

    #[test]
    fn half_a_percent_lies_on_either_side() {
        let values: Vec<f64> = (0..=1000).rev().map(f64::from).collect();
        assert_eq!(central_range(values), (5.0, 995.0));
        assert_eq!(central_range(vec![3.0, 1.0]), (1.0, 3.0));
    }
}
