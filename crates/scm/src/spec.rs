//! What kind of model is wanted.

use oslow_core::{Edge, Error, Result, find};
use serde::{Deserialize, Serialize};

use crate::{
    GRAPHS, GraphEntry, MECHANISMS, MIXES, MechanismEntry, MixEntry, NOISES, NoiseEntry, OUTPUTS,
    OutputEntry, SEEN, SeenEntry,
};

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
    /// Affine mix: whether the noise is only added (scale 1) and not scaled by the parents.
    pub additive: bool,
    /// How noise enters a node, by its name in [`MIXES`].
    pub mix: String,
    /// All mixes with a noise of random size: the least and the greatest standard deviation of a node's noise, where the
    /// location has 1; 0 ≤ least ≤ greatest.
    pub noise_sd: [f64; 2],
    /// g in X = g(t + s·U), by its name in [`OUTPUTS`]: for every node if the mix is `affine`, otherwise for every node
    /// that has causes.
    pub output: String,
    /// The noise, by its name in [`NOISES`].
    pub noise: String,
    /// The noise of nodes without causes, by its name in [`NOISES`], or `as-noise`.
    pub root: String,
    /// Which way skewed noises point.
    pub skew: Skew,
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
    /// How many common causes are drawn and then left out of the table. Each causes two columns, or a third of them.
    pub hidden: usize,
    /// What happens to columns before they are seen, by its name in [`SEEN`].
    pub seen: String,
    /// Measured, measured unevenly: the standard deviation of the error, 0 or more.
    pub error: f64,
    /// Grid: the number of different values, at least 2.
    pub levels: usize,
    /// The share of columns with 2 to 5 categories, 0 to 1.
    pub categorical: f64,
    /// The share of columns that are counts, 0 to 1.
    pub counts: f64,
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
            mix: "affine".into(),
            noise_sd: [0.4, 1.0],
            output: "identity".into(),
            noise: "gaussian".into(),
            root: AS_NOISE.into(),
            skew: Skew::Right,
            signs: Signs::Positive,
            shift: Shift::Outside,
            trend: 0.0,
            location: Location::Invertible,
            a: 1.0,
            b: 2.0,
            alpha: 1.0,
            beta: 0.5,
            degrees_of_freedom: 5.0,
            hidden: 0,
            seen: "as-is".into(),
            error: 0.4,
            levels: 20,
            categorical: 0.0,
            counts: 0.0,
        }
    }
}

/// Says that roots have the noise of all other nodes.
const AS_NOISE: &str = "as-noise";

/// The registered members that a spec names.
#[derive(Clone, Copy, Debug)]
pub struct Members {
    /// The kind of graph.
    pub graph: &'static GraphEntry,
    /// The mechanism.
    pub mechanism: &'static MechanismEntry,
    /// The noise of nodes with causes.
    pub noise: &'static NoiseEntry,
    /// The noise of nodes without.
    pub root: &'static NoiseEntry,
    /// How noise enters.
    pub mix: &'static MixEntry,
    /// The output.
    pub output: &'static OutputEntry,
    /// How columns are seen.
    pub seen: &'static SeenEntry,
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
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// 0.4 below 10 nodes; from 10 on 3/(d − 1), which makes 1.5 edges a node.
    Auto,
    /// 2.5/(d − 1), at most 1: 2.5 neighbours per node on average, and always an edge between two nodes.
    ConstantDegree,
}

/// Which way skewed noises point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Skew {
    /// The long tail is on the right.
    Right,
    /// Each node's noise is turned around with probability ½.
    Either,
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
            (None, EdgeProbability::Rule(Rule::ConstantDegree)) => (2.5 / (self.nodes as f64 - 1.0)).min(1.0),
        }
    }

    /// d(d − 1)/2, the number of edges of a full graph.
    fn pairs(&self) -> f64 {
        let d = self.nodes as f64;
        d * (d - 1.0) / 2.0
    }

    /// The registered members, once every field has been checked.
    pub fn resolve(&self) -> Result<Members> {
        let noise = find("noise", &self.noise, NOISES)?;
        let members = Members {
            graph: find("graph", &self.graph, GRAPHS)?,
            mechanism: find("mechanism", &self.mechanism, MECHANISMS)?,
            noise,
            root: if self.root == AS_NOISE { noise } else { find("noise", &self.root, NOISES)? },
            mix: find("mix", &self.mix, MIXES)?,
            output: find("output", &self.output, OUTPUTS)?,
            seen: find("way of seeing", &self.seen, SEEN)?,
        };
        if !self.edges.is_empty() && members.graph.relabelled {
            return Err(Error::input(format!("edges: the graph `{}` draws its own", self.graph))
                .with_hint("choose the graph `given`, or leave `edges` out"));
        }
        let wrong =
            self.wrong_graph().or_else(|| self.wrong_mechanism()).or_else(|| self.wrong_mix_or_seen());
        wrong.map_or(Ok(members), |message| Err(Error::input(message)))
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

    fn wrong_mix_or_seen(&self) -> Option<String> {
        let Self { noise_sd: [least, most], error, levels, categorical, counts, .. } = self;
        if !(*categorical >= 0.0 && *counts >= 0.0 && categorical + counts <= 1.0) {
            return Some(format!(
                "categorical = {categorical}, counts = {counts}: shares of the columns, together at most 1"
            ));
        }
        if !(*least >= 0.0 && least <= most && most.is_finite()) {
            Some(format!("noise_sd = [{least}, {most}]: 0 ≤ least ≤ greatest is needed"))
        } else if !(*error >= 0.0 && error.is_finite()) {
            Some(format!("error = {error}: a standard deviation is 0 or more"))
        } else {
            (*levels < 2).then(|| format!("levels = {levels}: at least 2 are needed"))
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
        let degree =
            |d: usize| read(&format!("p = 'constant-degree'\nnodes = {d}")).unwrap().edge_probability();
        assert_eq!([2, 5, 11].map(degree), [1.0, 0.625, 0.25]);
        assert_eq!(read("output = 'cube'").unwrap().output, "cube");
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
        assert_eq!(message, "`expected_edges` must be a number or \"none\", got `many`");
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
        assert_eq!(refusal("mix = 'produkt'"), "there is no mix `produkt`");
        assert_eq!(refusal("root = 'as-nois'"), "there is no noise `as-nois`");
        assert_eq!(refusal("noise_sd = [1.0, 0.5]"), "noise_sd = [1, 0.5]: 0 ≤ least ≤ greatest is needed");
        assert_eq!(refusal("error = -1.0"), "error = -1: a standard deviation is 0 or more");
        assert_eq!(refusal("levels = 1"), "levels = 1: at least 2 are needed");
        Spec::default().resolve().unwrap();
    }
}
