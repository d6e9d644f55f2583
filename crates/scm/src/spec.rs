//! What kind of model is wanted.

use oslow_core::{Error, Result, find};
use serde::{Deserialize, Serialize};

use crate::{GRAPHS, GraphEntry, MECHANISMS, MechanismEntry, NOISES, NoiseEntry};

/// A family of structural causal models. A field that the chosen graph, mechanism or noise does not read
/// has no effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Spec {
    /// The kind of graph, by its name in [`GRAPHS`].
    pub graph: String,
    /// The number of nodes, at least 2.
    pub nodes: usize,
    /// Erdős–Rényi: the probability of each edge, in (0, 1], or `"auto"`.
    pub p: EdgeProbability,
    /// The mechanism, by its name in [`MECHANISMS`].
    pub mechanism: String,
    /// Whether the noise is only added (scale 1) and not scaled by the parents.
    pub additive: bool,
    /// The noise, by its name in [`NOISES`].
    pub noise: String,
    /// Linear, sinusoid, polynomial: the signs of the coefficients.
    pub signs: Signs,
    /// Polynomial: where the intercept stands.
    pub shift: Shift,
    /// Gaussian process: how much of the parents' sum is added to the location. The paper has 0, the
    /// public code 1.
    pub trend: f64,
    /// Intervention: the form of the location.
    pub location: Location,
    /// Intervention, non-invertible location sin(a·v) + sin(b·v): the first frequency.
    pub a: f64,
    /// Intervention, non-invertible location: the second frequency.
    pub b: f64,
    /// Intervention, scale α − β·exp(−|v|/2): the scale far from 0; α > β.
    pub alpha: f64,
    /// Intervention: how much smaller the scale is at 0; β ≥ 0.
    pub beta: f64,
    /// Student-t noise: degrees of freedom, above 2 (so that there is a variance).
    pub degrees_of_freedom: f64,
}

impl Default for Spec {
    fn default() -> Self {
        Self {
            graph: "erdos-renyi".into(),
            nodes: 5,
            p: EdgeProbability::Rule(Rule::Auto),
            mechanism: "sinusoid".into(),
            additive: false,
            noise: "gaussian".into(),
            signs: Signs::Positive,
            shift: Shift::Outside,
            trend: 0.0,
            location: Location::Invertible,
            a: 1.0,
            b: 2.0,
            alpha: 1.0,
            beta: 0.5,
            degrees_of_freedom: 5.0,
        }
    }
}

/// The probability of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EdgeProbability {
    /// By the number of nodes.
    Rule(Rule),
    /// This number.
    Fixed(f64),
}

/// How the probability of an edge follows from the number of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// 0.4 below 10 nodes; from 10 on 3/(d − 1), which makes 1.5 edges a node.
    Auto,
}

/// The signs of drawn coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Signs {
    /// All positive, as in the public code.
    Positive,
    /// Each positive or negative with probability ½; intercepts stay positive.
    Random,
}

/// Where the intercept of the polynomial stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shift {
    /// (Σcx)³ + b, as the paper writes it.
    Outside,
    /// (Σcx + b)³, as the public code has it.
    Inside,
}

/// The location of the intervention family, as a function of the parents' mean v.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Location {
    /// v + sin v.
    Invertible,
    /// sin(a·v) + sin(b·v).
    NonInvertible,
}

impl Spec {
    /// The probability of an edge in an Erdős–Rényi graph.
    pub fn edge_probability(&self) -> f64 {
        match self.p {
            EdgeProbability::Fixed(p) => p,
            EdgeProbability::Rule(Rule::Auto) if self.nodes < 10 => 0.4,
            EdgeProbability::Rule(Rule::Auto) => 3.0 / (self.nodes as f64 - 1.0),
        }
    }

    /// The registered graph, mechanism and noise, once every field has been checked.
    pub fn resolve(&self) -> Result<(&'static GraphEntry, &'static MechanismEntry, &'static NoiseEntry)> {
        let entries = (
            find("graph", &self.graph, GRAPHS)?,
            find("mechanism", &self.mechanism, MECHANISMS)?,
            find("noise", &self.noise, NOISES)?,
        );
        let p = self.edge_probability();
        let wrong = if self.nodes < 2 {
            Some(format!("nodes = {}: a causal order needs at least 2", self.nodes))
        } else if !(p > 0.0 && p <= 1.0) {
            Some(format!("p = {p}: an edge probability lies above 0 and not above 1"))
        } else if !(self.degrees_of_freedom > 2.0 && self.degrees_of_freedom.is_finite()) {
            Some(format!("degrees_of_freedom = {}: must be above 2", self.degrees_of_freedom))
        } else if !(self.beta >= 0.0 && self.alpha > self.beta && self.alpha.is_finite()) {
            Some(format!(
                "alpha = {}, beta = {}: 0 ≤ beta < alpha keeps the scale positive",
                self.alpha, self.beta
            ))
        } else if ![self.a, self.b, self.trend].iter().all(|x| x.is_finite()) {
            Some(format!("a = {}, b = {}, trend = {}: must be finite", self.a, self.b, self.trend))
        } else {
            None
        };
        wrong.map_or(Ok(entries), |message| Err(Error::input(message)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Spec> {
        oslow_core::configure(&text.parse().unwrap())
    }

    #[test]
    fn toml_is_read_and_unknown_keys_are_refused() {
        let spec = read("nodes = 12\nmechanism = 'polynomial'\nshift = 'inside'\nnoise = 'laplace'").unwrap();
        assert_eq!((spec.nodes, spec.shift), (12, Shift::Inside));
        assert!((spec.edge_probability() - 3.0 / 11.0).abs() < 1e-15);
        assert_eq!(read("p = 1").unwrap().edge_probability(), 1.0);
        assert_eq!(read("p = 'auto'").unwrap().edge_probability(), 0.4);
        assert_eq!(read("location = 'non-invertible'").unwrap().location, Location::NonInvertible);
        assert!(read("colour = 1").is_err());
        assert!(toml::from_str::<Spec>("colour = 1").is_err());
    }

    #[test]
    fn wrong_fields_are_refused_by_name() {
        let refusal = |text: &str| read(text).unwrap().resolve().unwrap_err().to_string();
        assert_eq!(refusal("mechanism = 'sinusiod'"), "there is no mechanism `sinusiod`");
        assert_eq!(refusal("nodes = 1"), "nodes = 1: a causal order needs at least 2");
        assert!(refusal("p = 0.0").starts_with("p = 0"));
        assert!(refusal("p = 1.5").starts_with("p = 1.5"));
        assert!(refusal("beta = 1.0").starts_with("alpha = 1, beta = 1"));
        assert!(refusal("degrees_of_freedom = 2.0").starts_with("degrees_of_freedom = 2"));
        Spec::default().resolve().unwrap();
    }
}
