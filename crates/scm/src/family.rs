//! Families of models by name.
//!
//! A family is a set of settings of a [`Spec`]; settings that are given beside it win. Most lie outside of the class of
//! location-scale models with Gaussian or Laplace noise, a little or a lot; the others are the nearest members of that class,
//! to compare with, and benchmarks of pairs.

use oslow_core::{Error, Named, Result, Settings, configure, find};

use crate::Spec;

/// Settings of a [`Spec`] under a name.
#[derive(Debug)]
pub struct Family {
    /// The name users type.
    pub name: &'static str,
    /// Its settings beside the common ones, as TOML: also what lists show.
    pub settings: &'static str,
    /// The settings that it shares with its relatives, as TOML.
    common: &'static str,
}

impl Named for Family {
    fn name(&self) -> &'static str {
        self.name
    }
}

impl Family {
    /// All its settings.
    pub fn all_settings(&self) -> Result<Settings> {
        let read = |text: &str| -> Result<Settings> {
            let lines = text.replace("; ", "\n");
            lines.parse().map_err(|e| Error::internal(format!("the family `{}`: {e}", self.name)))
        };
        let mut all = read(self.common)?;
        all.extend(read(self.settings)?);
        Ok(all)
    }
}

impl Spec {
    /// A spec from its settings. The key `family` names one of [`FAMILIES`], whose settings are taken where no others
    /// are given.
    ///
    /// ```
    /// let settings = "family = 'pnl-cubic'\nnodes = 3".parse().unwrap();
    /// let spec = oslow_scm::Spec::from_settings(&settings).unwrap();
    /// assert_eq!((spec.output.as_str(), spec.nodes), ("cube", 3));
    /// ```
    pub fn from_settings(settings: &Settings) -> Result<Self> {
        let mut own = settings.clone();
        let Some(family) = own.remove("family") else { return configure(&own) };
        let name = family
            .as_str()
            .ok_or_else(|| Error::input(format!("family = {family}: the name of a family is needed")))?;
        let mut all = find("family", name, FAMILIES)?.all_settings()?;
        all.extend(own);
        configure(&all)
    }
}

/// Neither variances nor units tell the order: every node is standardised, locations have variance 1 and noise a
/// standard deviation between 0.4 and 1. Graphs have 2.5 neighbours per node, skewed noises point either way.
const OUTSIDE: &str = "mix = 'additive'; p = 'constant-degree'; signs = 'random'; skew = 'either'; \
     degrees_of_freedom = 3.0";

/// Pairs of cause and effect in the manner of Tagasovska, Chavez-Demoulin and Vatter (2020), "Distinguishing cause from
/// effect using quantiles": additive noise (AN), location-scale (LS) and multiplicative noise (MN), smooth functions or
/// sigmoids. Drawn by our own generators; with more than two nodes they are graphs of the same kind.
const QUANTILES: &str = "mechanism = 'fourier'; mix = 'additive'; noise_sd = [0.2, 0.63]; p = 'constant-degree'; signs = 'random'";

const fn quantiles(name: &'static str, settings: &'static str) -> Family {
    Family { name, settings, common: QUANTILES }
}

/// Pairs in the manner of the SIM benchmark of Mooij et al. (2016), see the noise `warped`:
///
/// X = f(E), Y = g(X, a·U), then X + σ·Z and Y + σ'·Z' are seen,
///
/// where E and U have random densities, f and g are Gaussian processes with lengths gamma(5)·0.1 and σ, σ' are gamma
/// of shape 2. SIM-c has a hidden common cause among the arguments of f and g, SIM-ln low noise (a and σ a tenth), SIM-G
/// normal X and U. Sizes of a are ours. In SIM-c the hidden cause passes through a function of its own, as every root.
const SIM: &str = "noise = 'warped'; root = 'folded'; mix = 'joint'; noise_sd = [0.1, 0.6]; \
                   seen = 'measured-unevenly'; error = 0.2; p = 'constant-degree'";

const fn sim(name: &'static str, settings: &'static str) -> Family {
    Family { name, settings, common: SIM }
}

const fn outside(name: &'static str, settings: &'static str) -> Family {
    Family { name, settings, common: OUTSIDE }
}

/// The families.
pub const FAMILIES: &[Family] = &[
    // Linear, with every noise.
    outside("linear-gaussian", "mechanism = 'linear'"),
    outside("linear-laplace", "mechanism = 'linear'; noise = 'laplace'"),
    outside("linear-uniform", "mechanism = 'linear'; noise = 'uniform'"),
    outside("linear-student", "mechanism = 'linear'; noise = 'student-t'"),
    outside("linear-exponential", "mechanism = 'linear'; noise = 'exponential'"),
    outside("linear-gamma", "mechanism = 'linear'; noise = 'gamma'"),
    outside("linear-bimodal", "mechanism = 'linear'; noise = 'bimodal'"),
    outside("linear-beta", "mechanism = 'linear'; noise = 'beta'"),
    outside("linear-lognormal", "mechanism = 'linear'; noise = 'lognormal'"),
    // Smooth and curved, with every noise.
    outside("mlp-gaussian", "mechanism = 'mlp'; noise = 'gaussian'"),
    outside("mlp-laplace", "mechanism = 'mlp'; noise = 'laplace'"),
    outside("mlp-uniform", "mechanism = 'mlp'; noise = 'uniform'"),
    outside("mlp-student", "mechanism = 'mlp'; noise = 'student-t'"),
    outside("mlp-exponential", "mechanism = 'mlp'; noise = 'exponential'"),
    outside("mlp-gamma", "mechanism = 'mlp'; noise = 'gamma'"),
    outside("mlp-bimodal", "mechanism = 'mlp'; noise = 'bimodal'"),
    outside("mlp-beta", "mechanism = 'mlp'; noise = 'beta'"),
    outside("mlp-lognormal", "mechanism = 'mlp'; noise = 'lognormal'"),
    // A varying scale.
    outside("scale-gaussian", "mechanism = 'fourier'; mix = 'location-scale'"),
    outside("scale-uniform", "mechanism = 'fourier'; mix = 'location-scale'; noise = 'uniform'"),
    outside("scale-exponential", "mechanism = 'fourier'; mix = 'location-scale'; noise = 'exponential'"),
    outside("scale-bimodal", "mechanism = 'fourier'; mix = 'location-scale'; noise = 'bimodal'"),
    // Other mechanisms.
    outside("gp", "mechanism = 'fourier'"),
    outside("steps", "mechanism = 'steps'"),
    outside("sigmoid", "mechanism = 'sigmoids'"),
    outside("polynomial", "mechanism = 'cubics'"),
    outside("sinus", "mechanism = 'sines'"),
    // Roots of their own.
    outside("root-uniform", "mechanism = 'mlp'; root = 'uniform'"),
    outside("root-student", "mechanism = 'mlp'; root = 'student-t'"),
    outside("root-exponential", "mechanism = 'mlp'; root = 'exponential'"),
    outside("root-bimodal", "mechanism = 'mlp'; root = 'bimodal'"),
    outside("root-beta", "mechanism = 'mlp'; root = 'beta'"),
    // Noise that is not added.
    outside("nonadditive", "mechanism = 'mlp'; mix = 'nonadditive'"),
    outside("product", "mechanism = 'mlp'; mix = 'product'"),
    outside("product-uniform", "mechanism = 'mlp'; mix = 'product-uniform'"),
    outside("product-exp", "mechanism = 'mlp'; mix = 'product-exp'"),
    outside("pnl-cubic", "mechanism = 'mlp'; output = 'cube'"),
    outside("pnl-cuberoot", "mechanism = 'mlp'; output = 'cuberoot'"),
    outside("pnl-sinh", "mechanism = 'mlp'; output = 'sinh'"),
    outside("pnl-sigmoid", "mechanism = 'mlp'; output = 'sigmoid'"),
    // Columns that are not seen as they are.
    outside("seen-measured", "mechanism = 'mlp'; seen = 'measured'"),
    outside("seen-grid-20", "mechanism = 'mlp'; seen = 'grid'; levels = 20"),
    outside("seen-grid-100", "mechanism = 'mlp'; seen = 'grid'; levels = 100"),
    outside("seen-counts", "mechanism = 'mlp'; seen = 'counts'"),
    outside("seen-exp", "mechanism = 'mlp'; seen = 'exp'"),
    outside("seen-cuberoot", "mechanism = 'mlp'; seen = 'cuberoot'"),
    outside("seen-distorted", "mechanism = 'mlp'; seen = 'distorted'"),
    outside("hidden", "mechanism = 'mlp'; hidden = 1"),
    // Categories and counts among the columns.
    outside("mixed", "mechanism = 'mlp'; categorical = 0.34; counts = 0.2"),
    outside("mixed-linear", "mechanism = 'linear'; categorical = 0.34; counts = 0.2"),
    outside("mixed-lognormal", "mechanism = 'mlp'; noise = 'lognormal'; categorical = 0.34; counts = 0.2"),
    // Everything at random.
    outside("any", "mechanism = 'any'; noise = 'any'; root = 'any'; mix = 'any'"),
    outside(
        "any-distorted",
        "mechanism = 'any'; noise = 'any'; root = 'any'; mix = 'any'; seen = 'distorted'",
    ),
    // Benchmarks of pairs.
    quantiles("an", "mix = 'additive'"),
    quantiles("an-s", "mechanism = 'sigmoids'"),
    quantiles("ls", "mix = 'location-scale'"),
    quantiles("ls-s", "mechanism = 'sigmoids'; mix = 'location-scale'"),
    quantiles("mn-u", "mechanism = 'sigmoids'; mix = 'product-uniform'"),
    sim("sim", "mix = 'joint'"),
    sim("sim-c", "hidden = 1"),
    sim("sim-ln", "noise_sd = [0.01, 0.06]; error = 0.02"),
    sim("sim-g", "noise = 'gaussian'; root = 'gaussian'"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_can_be_drawn_and_has_a_name_of_its_own() {
        let mut names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FAMILIES.len());
        for family in FAMILIES {
            let spec: Spec = configure(&family.all_settings().unwrap()).unwrap();
            spec.resolve().unwrap();
            assert_ne!(spec, Spec::default(), "{}", family.name);
        }
    }

    #[test]
    fn settings_beside_the_family_win() {
        let read = |text: &str| Spec::from_settings(&text.parse().unwrap());
        let spec = read("noise = 'gamma'\nfamily = 'linear-uniform'").unwrap();
        assert_eq!((spec.mechanism.as_str(), spec.noise.as_str()), ("linear", "gamma"));
        assert_eq!(read("nodes = 3").unwrap(), Spec { nodes: 3, ..Spec::default() });
        let error = read("family = 'pnl-cubik'").unwrap_err();
        assert_eq!(error.to_string(), "there is no family `pnl-cubik`");
        assert_eq!(error.hint().as_deref(), Some("did you mean `pnl-cubic`?"));
        assert_eq!(read("family = 3").unwrap_err().to_string(), "family = 3: the name of a family is needed");
        assert!(read("family = 'any'\ncolour = 1").is_err());
    }
}
