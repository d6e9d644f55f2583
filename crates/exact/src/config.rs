//! Settings of the local scores.

use oslow_core::{Result, within};
use serde::{Deserialize, Serialize};

use crate::regression::Effort;
use crate::{Family, Noise};

/// Settings of the local scores; [`Default`] is what we recommend (`docs/adr/0010-exact-engine.md`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LocalConfig {
    /// Most rows to analyse: of a larger table oslow draws this many at random; at least 100.
    pub most_rows: usize,
    /// Most rows of a fit; at least 50. The others still say how well it predicts.
    pub most_fitted: usize,
    /// Parts into which rows are split: each is scored by fits to the others; at least 2.
    pub folds: usize,
    /// Random splits of the rows into folds; the held-out densities of a row are averaged over them.
    pub splits: usize,
    /// Completed tables, and fewest splits, where values are missing: what is not known of the causes of a row is averaged over. 1 to 100.
    pub completions: usize,
    /// Smooth units of the location.
    pub location_units: usize,
    /// Smooth units of the logarithm of the scale.
    pub scale_units: usize,
    /// Fits of smooth units from so many random starts; their predictions are averaged.
    pub members: usize,
    /// Most steps of a fit.
    pub steps: usize,
    /// A fit ends when a step gains less than this, in nats per row.
    pub tolerance: f64,
    /// The noise: of each set of causes the one that predicts best (`auto`), among `gaussian`, `laplace` and `mixture`, a density of any shape that
    /// is fitted together with location and scale; or one of these; or the better of two (`gaussian-or-laplace`).
    pub noise: NoiseChoice,
    /// In which coordinates columns are scored: as they are (`none`), as logarithms where a column is positive (`log`), as normal quantiles at their ranks (`normal-scores`), or
    /// whichever of these predicts the table best in a quick look (`auto`, which takes logarithms of columns whose largest value is at least ten times the smallest,
    /// and of the distance from an end where that describes a column clearly better by itself).
    pub transform: TransformChoice,
    /// Spread values that lie on a grid, such as counts or rounded numbers, over their cells.
    pub spread_grids: bool,
    /// Whether the scale of the noise depends on causes: what predicts best (`auto`), `additive` (no) or `affine` (yes).
    pub scale: ScaleChoice,
    /// Cubic polynomials compete with smooth units up to so many causes.
    pub cubic_up_to: usize,
    /// Tables with at most so many columns have all others as candidates for each column, and every set is scored.
    pub all_candidates_up_to: usize,
    /// In tables with more columns than this, a screening finds the columns that are worth a look as causes of each column; no others are looked at.
    pub all_others_up_to: usize,
    /// Most candidate causes of a column in larger tables, at most 16.
    pub candidates: usize,
    /// A candidate is taken while it gains this share of the price of a cause.
    pub candidate_gain: f64,
    /// Larger sets of candidates are scored while each cause in the smaller ones gains this share of its price.
    pub set_gain: f64,
    /// In larger tables, the most sets to score for each column with three causes, with four and so on, besides those of causes that help only in combination.
    pub most_sets: usize,
    /// In larger tables, at most so many causes of each column that tell something only together are looked for, up to 16. If Gaussian processes
    /// of them gain more with some columns than half of what they lose with others, every set of them is scored, and processes compete everywhere. `0`: never.
    pub interacting: usize,
    /// What each cause costs, in nats per row: `0` to let the rows decide, which is ½·ln(n)/n.
    pub price: f64,
    /// What a curved location costs, in prices of a cause; a scale that varies costs the same again. Directions that fit equally well are told apart by it: that of
    /// the simpler model is taken.
    pub shape_price: f64,
}

/// Which noise is fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoiseChoice {
    /// What predicts best.
    #[default]
    Auto,
    /// Gaussian.
    Gaussian,
    /// Laplace.
    Laplace,
    /// A mixture of normal densities.
    Mixture,
    /// What predicts best of these two.
    GaussianOrLaplace,
}

/// In which coordinates columns are scored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TransformChoice {
    /// What predicts the table best in a quick look.
    #[default]
    Auto,
    /// As they are.
    None,
    /// As normal quantiles at their ranks.
    NormalScores,
    /// Positive columns as logarithms, the others as they are.
    Log,
}

/// Which scales are fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScaleChoice {
    /// What predicts best.
    #[default]
    Auto,
    /// The same everywhere.
    Additive,
    /// A function of the causes.
    Affine,
}

impl Default for LocalConfig {
    fn default() -> Self {
        Self {
            most_rows: 20_000,
            most_fitted: 2_000,
            folds: 4,
            splits: 2,
            completions: 4,
            location_units: 10,
            scale_units: 6,
            members: 1,
            steps: 30,
            tolerance: 1e-3,
            noise: NoiseChoice::Auto,
            transform: TransformChoice::Auto,
            spread_grids: true,
            scale: ScaleChoice::Auto,
            cubic_up_to: 5,
            all_candidates_up_to: 7,
            all_others_up_to: 25,
            candidates: 8,
            candidate_gain: 0.25,
            set_gain: 0.5,
            most_sets: 16,
            interacting: 6,
            price: 0.0,
            shape_price: 2.0,
        }
    }
}

impl LocalConfig {
    /// Refuses values outside their range.
    pub fn check(&self) -> Result<()> {
        for (name, value, range) in [
            ("local.most_rows", self.most_rows, 100..=1_000_000_000),
            ("local.most_fitted", self.most_fitted, 50..=1_000_000_000),
            ("local.folds", self.folds, 2..=100),
            ("local.splits", self.splits, 1..=100),
            ("local.completions", self.completions, 1..=100),
            ("local.location_units", self.location_units, 0..=200),
            ("local.scale_units", self.scale_units, 0..=200),
            ("local.members", self.members, 1..=100),
            ("local.steps", self.steps, 1..=100_000),
            ("local.cubic_up_to", self.cubic_up_to, 0..=12),
            ("local.all_candidates_up_to", self.all_candidates_up_to, 0..=17),
            ("local.all_others_up_to", self.all_others_up_to, 0..=1_000_000),
            ("local.candidates", self.candidates, 1..=16),
            ("local.most_sets", self.most_sets, 1..=100_000),
            ("local.interacting", self.interacting, 0..=16),
        ] {
            within(name, value, range)?;
        }
        for (name, value) in [
            ("local.tolerance", self.tolerance),
            ("local.candidate_gain", self.candidate_gain),
            ("local.set_gain", self.set_gain),
            ("local.price", self.price),
            ("local.shape_price", self.shape_price),
        ] {
            within(name, value, 0.0..=1e6)?;
        }
        Ok(())
    }

    /// Whether a family may be the answer; without parents (`root`) no scale varies.
    pub(crate) fn admits(&self, family: &Family, root: bool) -> bool {
        let Some(noise) = family.noise else { return true };
        let noise = match self.noise {
            NoiseChoice::Auto => true,
            NoiseChoice::Gaussian => noise == Noise::Gaussian,
            NoiseChoice::Laplace => noise == Noise::Laplace,
            NoiseChoice::Mixture => noise == Noise::Mixture,
            NoiseChoice::GaussianOrLaplace => noise != Noise::Mixture,
        };
        let scale = match self.scale {
            ScaleChoice::Auto => true,
            ScaleChoice::Additive => !family.affine,
            ScaleChoice::Affine => family.affine || root,
        };
        noise && scale
    }

    /// Whether noise that residuals do not look like may be skipped.
    pub(crate) fn may_skip_noise(&self) -> bool {
        matches!(self.noise, NoiseChoice::Auto | NoiseChoice::GaussianOrLaplace)
    }

    pub(crate) fn effort(&self) -> Effort {
        Effort {
            location_units: self.location_units,
            scale_units: self.scale_units,
            steps: self.steps,
            tolerance: self.tolerance,
        }
    }

    /// A fraction of the work, for choosing coordinates.
    pub(crate) fn glancing(&self) -> Self {
        Self {
            splits: 1,
            members: 1,
            steps: self.steps.min(15),
            cubic_up_to: self.cubic_up_to.min(3),
            ..self.clone()
        }
    }

    /// A fraction of the work, for choosing candidates.
    pub(crate) fn screening(&self) -> Self {
        Self {
            folds: 2,
            splits: 1,
            scale_units: self.scale_units / 2,
            members: 1,
            steps: self.steps.min(12),
            tolerance: 2.0 * self.tolerance,
            cubic_up_to: 0,
            noise: NoiseChoice::Gaussian,
            ..self.clone()
        }
    }
}
