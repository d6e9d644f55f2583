//! The normal law by its natural parameters.

use oslow_math::HALF_LN_TAU;

/// For each row the law of a variable given another: η₁ and f₂ = −2η₂, so that the mean is η₁/f₂ and the variance 1/f₂.
#[derive(Clone, Debug)]
pub(super) struct NaturalNormal {
    /// η₁ at each row.
    pub first: Vec<f64>,
    /// f₂ = −2η₂ at each row, above 0.
    pub precision: Vec<f64>,
}

impl NaturalNormal {
    /// The negative log-likelihood per row: the mean of ½f₂(y − η₁/f₂)² − ½ log f₂ + ½ log 2π.
    pub fn nll(&self, y: &[f64]) -> f64 {
        let residuals = self.residuals(y);
        let sum: f64 = residuals.iter().zip(&self.precision).map(|(r, f)| 0.5 * (r * r - f.ln())).sum();
        sum / y.len() as f64 + HALF_LN_TAU
    }

    /// What is left of y when its mean is taken off and its standard deviation divided out.
    pub fn residuals(&self, y: &[f64]) -> Vec<f64> {
        let laws = self.first.iter().zip(&self.precision);
        y.iter().zip(laws).map(|(y, (first, f))| (y - first / f) * f.sqrt()).collect()
    }
}
