//! Numbers that others have published, to stand beside ours.

use std::collections::BTreeMap;

use oslow::{Error, Result, suggestion};
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
    /// Refuses metrics and columns that the experiment does not know.
    pub(crate) fn check(&self, columns: &[&str]) -> Result<()> {
        for (metric, values) in &self.values {
            check_metric(metric)?;
            if let Some(strange) = values.keys().find(|column| !columns.contains(&column.as_str())) {
                return Err(Error::input(format!("published `{}`: there is no column `{strange}`", self.label))
                    .with_hint(suggestion(strange, columns.iter().copied())));
            }
        }
        Ok(())
    }

    /// Mean and, where given, standard deviation.
    pub(crate) fn value(&self, metric: &str, column: &str) -> Option<(f64, Option<f64>)> {
        let pair = self.values.get(metric)?.get(column)?;
        Some((*pair.first()?, pair.get(1).copied()))
    }
}
