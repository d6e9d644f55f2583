//! Γ, the belief about the order.

use oslow_core::Result;

/// The matrix Γ (d × d, variable by position). It enters everywhere through an elementwise sigmoid, which
/// keeps energies within (0, 1) each.
#[derive(Clone, Debug, PartialEq)]
pub struct Gamma {
    /// The number of variables.
    pub d: usize,
    /// The parameters.
    pub values: Vec<f64>,
}

impl Gamma {
    /// Γ = 0: every order is equally likely.
    pub fn flat(d: usize) -> Self {
        Self { d, values: vec![0.0; d * d] }
    }

    /// The energies σ(Γ).
    pub fn energy(&self) -> Vec<f64> {
        self.values.iter().map(|g| 1.0 / (1.0 + (-g).exp())).collect()
    }

    /// From a gradient of the energies to one of Γ: times σ′ = σ·(1 − σ).
    pub fn pull_back(&self, d_energy: &[f64]) -> Vec<f64> {
        self.energy().iter().zip(d_energy).map(|(e, g)| e * (1.0 - e) * g).collect()
    }

    /// The order without noise, M(σ(Γ)).
    pub fn best_order(&self) -> Result<oslow_core::Ordering> {
        crate::matching(self.d, &self.energy())
    }
}
