//! What a discovery is to do.

use oslow_core::{Outliers, Preparing, Seed, Settings, Standardize};

/// The method, the pruner and everything that changes their result; [`Default`] is what we recommend.
#[derive(Clone, Debug, PartialEq)]
pub struct DiscoverOptions {
    /// The order learner, by its name in [`methods`](crate::methods).
    pub method: String,
    /// The method's settings that differ from its defaults.
    pub settings: Settings,
    /// The pruner, by its name in [`pruners`](crate::pruners).
    pub prune: String,
    /// The pruner's settings that differ from its defaults.
    pub prune_settings: Settings,
    /// How columns are brought to a common scale.
    pub standardize: Standardize,
    /// Which rows are too far out to be kept.
    pub outliers: Outliers,
    /// Background knowledge with the keys of a knowledge file: `tiers`, `required`, `forbidden`, `roots`,
    /// `leaves`, by column name.
    pub knowledge: Settings,
    /// How many resamples of the rows say how sure the answer is, from 1 to 1,000,000; `None`: no bootstrap.
    pub bootstrap: Option<usize>,
    /// Whether a flow is fitted to the graph in the end, which answers interventions, whatever the method.
    pub fit: bool,
    /// The source of all randomness.
    pub seed: Seed,
    /// How many threads may work; `None`: one per core. Never changes a result.
    pub threads: Option<usize>,
    /// What the data is called in the result.
    pub dataset: Option<String>,
}

impl DiscoverOptions {
    /// What is done to the table before anything is learned from it.
    pub(crate) fn preparing(&self) -> Preparing {
        Preparing { standardize: self.standardize, outliers: self.outliers }
    }
}

impl Default for DiscoverOptions {
    fn default() -> Self {
        Self {
            method: "exact".into(),
            settings: Settings::new(),
            prune: "likelihood".into(),
            prune_settings: Settings::new(),
            standardize: Standardize::default(),
            outliers: Outliers::default(),
            knowledge: Settings::new(),
            bootstrap: None,
            fit: false,
            seed: Seed(0),
            threads: None,
            dataset: None,
        }
    }
}
