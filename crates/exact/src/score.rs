//! How well a set of parents predicts a node.

use crate::Noise;

/// What the location may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// A sum of smooth units.
    Units,
    /// A cubic polynomial.
    Cubic,
    /// A Gaussian process.
    Process,
    /// A straight line, and a scale that is the same everywhere.
    Linear,
}

/// A kind of model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// The location.
    pub location: Location,
    /// The noise's scale depends on the parents.
    pub affine: bool,
    /// The noise's density; `None` where there is no noise, but values have probabilities of their own.
    pub noise: Option<Noise>,
}

impl Family {
    /// What it is besides a straight line with noise added: a curved location is one thing, a scale that varies another.
    pub fn complexity(&self) -> f64 {
        let curved = f64::from(u8::from(self.location != Location::Linear));
        curved + f64::from(u8::from(self.affine))
    }
}

/// A cross-fitted score.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Negative log-likelihood of each row, under fits that have not seen it.
    pub rows: Vec<f32>,
    /// Their mean.
    pub nll: f64,
    /// The family that was best.
    pub family: Family,
    /// The conditions that were found to change the node, bit by bit.
    pub changed_by: u64,
}

impl Score {
    pub(crate) fn new(rows: Vec<f32>, family: Family) -> Self {
        let nll = rows.iter().map(|&row| f64::from(row)).sum::<f64>() / rows.len() as f64;
        Self { rows, nll, family, changed_by: 0 }
    }
}

/// The mean of a − b over rows, and the standard error of that mean.
pub fn difference(a: &[f32], b: &[f32]) -> (f64, f64) {
    let n = a.len() as f64;
    let differences = || a.iter().zip(b).map(|(a, b)| f64::from(*a) - f64::from(*b));
    let mean = differences().sum::<f64>() / n;
    let variance = differences().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_error_of_a_difference() {
        let (mean, error) = difference(&[1.0, 2.0, 3.0, 6.0], &[0.0, 0.0, 0.0, 0.0]);
        assert_eq!(mean, 3.0);
        assert!((error - (14.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
    }
}
