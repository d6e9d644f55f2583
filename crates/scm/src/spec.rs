//! What kind of model is wanted.

use oslow_core::{Edge, Error, Result, find};
use serde::{Deserialize, Serialize};

use crate::{GRAPHS, GraphEntry, MECHANISMS, MechanismEntry, NOISES, NoiseEntry, Output};

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
    /// Erdős–Rényi: the expected number of edges, above 0 and not above d(d − 1)/2, in place of `p`; or
    /// `"none"`. An edgeless graph is drawn again, so the mean is a little higher where it is small.
    #[serde(with = "or_none")]
    pub expected_edges: Option<f64>,
    /// Barabási–Albert: how many earlier causes each node has, where there are as many; at least 1.
    pub attachments: usize,
    /// Given: the edges, each cause and effect by number from 0.
    pub edges: Vec<Edge>,
    /// The mechanism, by its name in [`MECHANISMS`].
    pub mechanism: String,
    /// Whether the noise is only added (scale 1) and not scaled by the parents.
    pub additive: bool,
    /// g in X = g(t + s·U), for every node: `identity`, or `cube`, `asinh`, `hinge` for a post-nonlinear model.
    pub output: Output,
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
            expected_edges: None,
            attachments: 2,
            edges: Vec::new(),
            mechanism: "sinusoid".into(),
            additive: false,
            output: Output::Identity,
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

/// TOML has no word for nothing, and a setting that is not written would be an unknown one: `None` is written
/// `"none"`.
mod or_none {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged, expecting = "expected a number or \"none\"")]
    enum OrNone {
        Number(f64),
        Word(Word),
    }

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Word {
        None,
    }

    pub(super) fn serialize<S: Serializer>(value: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
        value.map_or(OrNone::Word(Word::None), OrNone::Number).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
        Ok(match OrNone::deserialize(from)? {
            OrNone::Number(number) => Some(number),
            OrNone::Word(Word::None) => None,
        })
    }
}

impl Spec {
    /// The probability of an edge in an Erdős–Rényi graph.
    pub fn edge_probability(&self) -> f64 {
        match (self.expected_edges, self.p) {
            (Some(expected), _) => expected / self.pairs(),
            (None, EdgeProbability::Fixed(p)) => p,
            (None, EdgeProbability::Rule(Rule::Auto)) if self.nodes < 10 => 0.4,
            (None, EdgeProbability::Rule(Rule::Auto)) => 3.0 / (self.nodes as f64 - 1.0),
        }
    }

    /// d(d − 1)/2, the number of edges of a full graph.
    fn pairs(&self) -> f64 {
        let d = self.nodes as f64;
        d * (d - 1.0) / 2.0
    }

    /// The registered graph, mechanism and noise, once every field has been checked.
    pub fn resolve(&self) -> Result<(&'static GraphEntry, &'static MechanismEntry, &'static NoiseEntry)> {
        let entries = (
            find("graph", &self.graph, GRAPHS)?,
            find("mechanism", &self.mechanism, MECHANISMS)?,
            find("noise", &self.noise, NOISES)?,
        );
        if !self.edges.is_empty() && entries.0.relabelled {
            return Err(Error::input(format!("edges: the graph `{}` draws its own", self.graph))
                .with_hint("choose the graph `given`, or leave `edges` out"));
        }
        let wrong = self.wrong_graph().or_else(|| self.wrong_mechanism());
        wrong.map_or(Ok(entries), |message| Err(Error::input(message)))
    }

    fn wrong_graph(&self) -> Option<String> {
        let p = self.edge_probability();
        if self.nodes < 2 {
            Some(format!("nodes = {}: a causal order needs at least 2", self.nodes))
        } else if self.attachments < 1 {
            Some("attachments = 0: each node needs at least 1".into())
        } else if let Some(expected) = self.expected_edges {
            let (most, twice) = (self.pairs(), matches!(self.p, EdgeProbability::Fixed(_)));
            let possible = expected > 0.0 && expected <= most;
            (!possible)
                .then(|| {
                    format!("expected_edges = {expected}: must lie above 0 and not above {most}, all pairs")
                })
                .or_else(|| twice.then(|| "p and expected_edges say the same: give one of them".into()))
        } else {
            (!(p > 0.0 && p <= 1.0))
                .then(|| format!("p = {p}: an edge probability lies above 0 and not above 1"))
        }
    }

    fn wrong_mechanism(&self) -> Option<String> {
        let Self { a, b, trend, alpha, beta, degrees_of_freedom, .. } = self;
        if !(*degrees_of_freedom > 2.0 && degrees_of_freedom.is_finite()) {
            Some(format!("degrees_of_freedom = {degrees_of_freedom}: must be above 2"))
        } else if !(*beta >= 0.0 && alpha > beta && alpha.is_finite()) {
            Some(format!("alpha = {alpha}, beta = {beta}: 0 ≤ beta < alpha keeps the scale positive"))
        } else {
            let finite = [a, b, trend].iter().all(|x| x.is_finite());
            (!finite).then(|| format!("a = {a}, b = {b}, trend = {trend}: must be finite"))
        }
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
        assert_eq!(read("output = 'cube'").unwrap().output, Output::Cube);
        assert_eq!(read("location = 'non-invertible'").unwrap().location, Location::NonInvertible);
        assert_eq!(read("edges = [[0, 1], [1, 2]]").unwrap().edges, [(0, 1), (1, 2)]);
        assert!(read("colour = 1").is_err());
        assert!(toml::from_str::<Spec>("colour = 1").is_err());
    }

    #[test]
    fn an_expected_number_of_edges_takes_the_place_of_p() {
        let spec = read("nodes = 5\nexpected_edges = 3").unwrap();
        assert_eq!((spec.expected_edges, spec.edge_probability()), (Some(3.0), 0.3));
        assert_eq!(read("expected_edges = 'none'").unwrap(), Spec::default());
        let message = read("expected_edges = 'many'").unwrap_err().to_string();
        assert_eq!(message, "settings: expected a number or \"none\"");
    }

    #[test]
    fn wrong_fields_are_refused_by_name() {
        let refusal = |text: &str| read(text).unwrap().resolve().unwrap_err().to_string();
        assert_eq!(refusal("mechanism = 'sinusiod'"), "there is no mechanism `sinusiod`");
        assert_eq!(refusal("nodes = 1"), "nodes = 1: a causal order needs at least 2");
        assert!(refusal("p = 0.0").starts_with("p = 0"));
        assert!(refusal("p = 1.5").starts_with("p = 1.5"));
        let most = "must lie above 0 and not above 10, all pairs";
        assert_eq!(refusal("expected_edges = 10.5"), format!("expected_edges = 10.5: {most}"));
        assert_eq!(refusal("expected_edges = 0"), format!("expected_edges = 0: {most}"));
        let twice = "p and expected_edges say the same: give one of them";
        assert_eq!(refusal("p = 0.3\nexpected_edges = 3"), twice);
        assert_eq!(refusal("attachments = 0"), "attachments = 0: each node needs at least 1");
        assert_eq!(refusal("edges = [[0, 1]]"), "edges: the graph `erdos-renyi` draws its own");
        assert!(refusal("beta = 1.0").starts_with("alpha = 1, beta = 1"));
        assert!(refusal("degrees_of_freedom = 2.0").starts_with("degrees_of_freedom = 2"));
        Spec::default().resolve().unwrap();
    }
}
