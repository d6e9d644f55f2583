//! What the program finds in a simulated table, and how far that is from the truth.

use std::path::Path;

use serde_json::Value;

use crate::shell::oslow;

/// An answer and its distance from the truth, as the program prints them.
pub struct Judged {
    pub found: Value,
    distances: Value,
}

impl Judged {
    /// The order and the graph of a table in a folder that `oslow simulate` made. Neither checks nor confidences are looked at.
    pub fn of(folder: &Path, table: &Path, more: &[&str]) -> Result<Self, String> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let (table, run, truth) = (text(table), text(&folder.join("run")), text(&folder.join("truth.csv")));
        let mut call = vec!["discover", &table, "--json", "--quiet", "--threads", "1"];
        call.extend(["--set", "checks=false", "--set", "confidence.draws=0", "--out", &run, "--force"]);
        call.extend(more);
        let found = json(&oslow(&call)?)?;
        let distances = json(&oslow(&["evaluate", "--truth", &truth, "--run", &run, "--json"])?)?;
        Ok(Self { found, distances })
    }

    /// A number of the answer.
    pub fn answer(&self, key: &str) -> Result<f64, String> {
        number(&self.found, key)
    }

    /// A distance from the truth, by the name of its metric.
    pub fn distance(&self, metric: &str) -> Result<f64, String> {
        number(&self.distances, metric)
    }
}

fn number(of: &Value, key: &str) -> Result<f64, String> {
    of[key].as_f64().ok_or_else(|| format!("the program printed no {key}"))
}

/// Printed JSON.
pub fn json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|e| e.to_string())
}
