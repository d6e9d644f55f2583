//! Settings of the exact engine.

use oslow_core::{Result, within};
use oslow_exact::{ConfidenceConfig, LocalConfig, Sufficient};
use serde::{Deserialize, Serialize};

use oslow_exact::search::{ComponentSearch, LocalSearch, MOST_NODES};

/// Settings of the exact engine; [`Default`] is what we recommend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ExactConfig {
    /// How sets of causes are scored.
    pub local: LocalConfig,
    /// Which causes are in the graph: the fewest that predict a column nearly as well as the best.
    pub sufficient: Sufficient,
    /// How sure each edge is said to be.
    pub confidence: ConfidenceConfig,
    /// Look whether the data speak against the assumptions.
    pub checks: bool,
    /// Larger tables are cut into parts whose orders do not depend on each other. Parts with more columns are searched from several starts, not exactly; at most 25, which takes 0.5 GB.
    pub exact_up_to: usize,
    /// Starts of that search.
    pub starts: usize,
    /// Columns in a row that it orders exactly, 2 to 16.
    pub window: usize,
}

impl Default for ExactConfig {
    fn default() -> Self {
        let search = LocalSearch::default();
        Self {
            local: LocalConfig::default(),
            sufficient: Sufficient::default(),
            confidence: ConfidenceConfig::default(),
            checks: true,
            exact_up_to: MOST_NODES,
            starts: search.starts,
            window: search.window,
        }
    }
}

impl ExactConfig {
    /// Refuses values outside their range.
    pub fn check(&self) -> Result<()> {
        self.local.check()?;
        self.sufficient.check()?;
        self.confidence.check()?;
        within("exact_up_to", self.exact_up_to, 0..=MOST_NODES)?;
        within("starts", self.starts, 1..=10_000)?;
        within("window", self.window, 2..=16)
    }

    /// The search of larger tables.
    pub fn search(&self) -> ComponentSearch {
        let local = LocalSearch { starts: self.starts, window: self.window, ..LocalSearch::default() };
        ComponentSearch { exact_up_to: self.exact_up_to, local }
    }
}
