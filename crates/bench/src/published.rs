//! Numbers that others have published, to stand beside ours.

use std::collections::BTreeMap;

use oslow::Result;
use serde::{Deserialize, Serialize};

use crate::experiment::check_metric;

/// A row of somebody's table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Published {
    /// The method, as it is called there.
    pub label: String,
    /// The pruner of the row, where its graph was pruned.
    #[serde(default)]
    pub prune: Option<String>,
    /// Mean and standard deviation by metric and column; a standard deviation that is not given is left out.
    #[serde(flatten)]
    pub values: BTreeMap<String, BTreeMap<String, Vec<f64>>>,
}

impl Published {
    pub(crate) fn check(&self) -> Result<()> {
        self.values.keys().try_for_each(|metric| check_metric(metric))
    }

    /// Mean and, where given, standard deviation.
    pub(crate) fn value(&self, metric: &str, column: &str) -> Option<(f64, Option<f64>)> {
        let pair = self.values.get(metric)?.get(column)?;
        Some((*pair.first()?, pair.get(1).copied()))
    }
}
