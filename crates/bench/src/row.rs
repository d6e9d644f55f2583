//! One line of `results.csv`: what one answer on one data set was worth.

use oslow::metrics::METRICS;
use oslow::{Error, Result};

/// A judged answer, or why there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// The column of the table in which the problem is pooled.
    pub column: String,
    /// The row of the benchmark that the problem belongs to.
    pub family: String,
    /// The problem.
    pub problem: String,
    /// The seed of its data.
    pub data_seed: u64,
    /// The number of variables.
    pub nodes: usize,
    /// The number of rows.
    pub rows: usize,
    /// The number of true edges.
    pub edges: usize,
    /// How far variances alone reveal the order: ½ is not at all.
    pub var_sortability: Option<f64>,
    /// How far R² alone reveals the order.
    pub r2_sortability: Option<f64>,
    /// What the tables call the method.
    pub label: String,
    /// The method.
    pub method: String,
    /// Which of its orders: `answer`, or the name of an alternative.
    pub rule: String,
    /// The pruner; empty for a graph that was not pruned.
    pub prune: String,
    /// How the data was standardised for it.
    pub standardize: String,
    /// The number and seed of the run.
    pub run: u64,
    /// The metrics, as [`METRICS`] lists them.
    pub metrics: Vec<Option<f64>>,
    /// Held-out negative log-likelihood per row, where the method has one.
    pub nll: Option<f64>,
    /// The method's own objective, where it has one.
    pub objective: Option<f64>,
    /// How long it took to learn, on one thread.
    pub seconds: Option<f64>,
    /// How long it took to prune; what another order of the same table has made known already takes no time.
    pub prune_seconds: Option<f64>,
    /// Why there is no answer.
    pub error: String,
}

const BEFORE: [&str; 15] = [
    "column",
    "family",
    "problem",
    "data_seed",
    "nodes",
    "rows",
    "edges",
    "var_sortability",
    "r2_sortability",
    "label",
    "method",
    "rule",
    "prune",
    "standardize",
    "run",
];
const AFTER: [&str; 5] = ["nll", "objective", "seconds", "prune_seconds", "error"];

impl Row {
    /// The names of the fields.
    pub fn header() -> Vec<String> {
        let metrics = METRICS.iter().map(|metric| metric.name);
        BEFORE.into_iter().chain(metrics).chain(AFTER).map(String::from).collect()
    }

    /// The fields as text.
    pub fn fields(&self) -> Vec<String> {
        let mut fields = vec![
            self.column.clone(),
            self.family.clone(),
            self.problem.clone(),
            self.data_seed.to_string(),
            self.nodes.to_string(),
            self.rows.to_string(),
            self.edges.to_string(),
            written(self.var_sortability),
            written(self.r2_sortability),
            self.label.clone(),
            self.method.clone(),
            self.rule.clone(),
            self.prune.clone(),
            self.standardize.clone(),
            self.run.to_string(),
        ];
        fields.extend((0..METRICS.len()).map(|k| written(self.metrics.get(k).copied().flatten())));
        fields.extend([self.nll, self.objective, self.seconds, self.prune_seconds].map(written));
        fields.push(self.error.clone());
        fields
    }

    /// Reads the fields back.
    pub fn from_fields(fields: &[String]) -> Result<Self> {
        let width = BEFORE.len() + METRICS.len() + AFTER.len();
        if fields.len() != width {
            return Err(Error::input(format!("{} fields where {width} were expected", fields.len())));
        }
        let (before, rest) = fields.split_at(BEFORE.len());
        let (metrics, after) = rest.split_at(METRICS.len());
        let text = |k: usize| before[k].clone();
        Ok(Self {
            column: text(0),
            family: text(1),
            problem: text(2),
            data_seed: whole(&before[3])?,
            nodes: whole(&before[4])? as usize,
            rows: whole(&before[5])? as usize,
            edges: whole(&before[6])? as usize,
            var_sortability: number(&before[7])?,
            r2_sortability: number(&before[8])?,
            label: text(9),
            method: text(10),
            rule: text(11),
            prune: text(12),
            standardize: text(13),
            run: whole(&before[14])?,
            metrics: metrics.iter().map(|field| number(field)).collect::<Result<_>>()?,
            nll: number(&after[0])?,
            objective: number(&after[1])?,
            seconds: number(&after[2])?,
            prune_seconds: number(&after[3])?,
            error: after[4].clone(),
        })
    }

    /// A metric by name; the paper's proxy score is the objective with its sign turned.
    pub fn value(&self, metric: &str) -> Option<f64> {
        if metric == crate::experiment::PROXY {
            return self.objective.map(|loss| -loss);
        }
        let place = METRICS.iter().position(|known| known.name == metric)?;
        self.metrics.get(place).copied().flatten()
    }
}

/// The shortest text that reads back as the same number; nothing for nothing.
pub(crate) fn written(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn number(field: &str) -> Result<Option<f64>> {
    if field.is_empty() {
        return Ok(None);
    }
    field.parse().map(Some).map_err(|_| Error::input(format!("`{field}` is no number")))
}

fn whole(field: &str) -> Result<u64> {
    field.parse().map_err(|_| Error::input(format!("`{field}` is no whole number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_goes_through_text() {
        let mut row = Row {
            column: "a, b".into(),
            data_seed: 7,
            nodes: 3,
            metrics: vec![None; METRICS.len()],
            objective: Some(-1.5),
            seconds: Some(0.1),
            error: "it\nbroke".into(),
            ..Row::default()
        };
        row.metrics[0] = Some(1.0 / 3.0);
        assert_eq!(Row::from_fields(&row.fields()).unwrap(), row);
        assert_eq!(row.fields().len(), Row::header().len());
        assert_eq!(row.value(METRICS[0].name), Some(1.0 / 3.0));
        assert_eq!((row.value("proxy_score"), row.value("nothing")), (Some(1.5), None));
        assert!(Row::from_fields(&row.fields()[1..]).is_err());
    }
}
