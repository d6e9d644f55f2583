//! B-splines with evenly spaced knots.

/// All B-splines of a degree over evenly spaced knots, at some points: knots − 1 + degree functions, of which degree + 1 in a row are
/// not 0 at any point. They are not negative and sum to 1.
pub(super) struct BSplines {
    /// How many functions there are.
    pub len: usize,
    /// How many are not 0 at a point.
    pub width: usize,
    /// The first of them, point by point.
    pub first: Vec<usize>,
    /// Their values, `width` a point.
    pub values: Vec<f64>,
}

impl BSplines {
    /// The functions at the points themselves, between the least and the greatest of which the knots are spread.
    pub fn new(points: &[f64], knots: usize, degree: usize) -> Self {
        let (low, high) =
            points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &x| (l.min(x), h.max(x)));
        let (intervals, width) = (knots - 1, degree + 1);
        let mut splines = Self {
            len: intervals + degree,
            width,
            first: Vec::new(),
            values: vec![0.0; points.len() * width],
        };
        for (&x, values) in points.iter().zip(splines.values.chunks_exact_mut(width)) {
            let place = (x - low) / (high - low) * intervals as f64;
            // The last knot belongs to the last interval.
            let interval = (place as usize).min(intervals - 1);
            blend(place - interval as f64, values);
            splines.first.push(interval);
        }
        splines
    }

    /// Each point's functions weighted and summed up.
    pub fn combine(&self, weights: &[f64]) -> Vec<f64> {
        let at = |(&first, values): (&usize, &[f64])| -> f64 {
            values.iter().zip(&weights[first..]).map(|(value, weight)| value * weight).sum()
        };
        self.first.iter().zip(self.values.chunks_exact(self.width)).map(at).collect()
    }
}

/// The functions that are not 0 at the share `t` of an interval, degree by degree: that of degree k over a run of k + 1 intervals is
/// the mean of two of degree k − 1, weighted by how far the point is inside each.
fn blend(t: f64, values: &mut [f64]) {
    values.fill(0.0);
    values[0] = 1.0;
    for k in 1..values.len() {
        for i in (0..=k).rev() {
            let rising = if i > 0 { (t + (k - i) as f64) * values[i - 1] } else { 0.0 };
            let falling = if i < k { ((i + 1) as f64 - t) * values[i] } else { 0.0 };
            values[i] = (rising + falling) / k as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Case {
        points: Vec<f64>,
        knots: usize,
        degree: usize,
        basis: Vec<Vec<f64>>,
    }

    #[test]
    fn values_are_those_of_scikit_learn() {
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../../../fixtures/bi_lsnm/splines.json")).unwrap();
        assert_eq!(cases.len(), 5);
        for case in cases {
            let splines = BSplines::new(&case.points, case.knots, case.degree);
            assert_eq!(splines.len, case.basis[0].len());
            for j in 0..splines.len {
                let mut only = vec![0.0; splines.len];
                only[j] = 1.0;
                for (ours, row) in splines.combine(&only).iter().zip(&case.basis) {
                    assert!((ours - row[j]).abs() < 1e-12, "degree {}: {ours} {}", case.degree, row[j]);
                }
            }
        }
    }
}
