//! What a run says about the direct causes of its columns: the sets they may be, with their probabilities.

use oslow_core::{
    Call, ColumnType, Error, Outliers, ParentSet, Preparing, Remedy, Result, Seed, SeenColumn, Standardize,
    Transform,
};
use serde::Deserialize;

/// The part of `run.json` that effects need.
#[derive(Clone, Debug, Deserialize)]
pub struct GraphDoubt {
    /// The columns' names.
    pub columns: Vec<String>,
    /// The seed of the run.
    seed: u64,
    standardize: String,
    outliers: String,
    #[serde(default)]
    columns_info: Vec<Column>,
    #[serde(default)]
    pairs: Vec<Pair>,
    pub(crate) assumptions: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Column {
    kind: ColumnType,
    transform: Transform,
    log_end: Option<f64>,
    grid: Option<f64>,
    missing: usize,
    parent_sets: Option<Vec<NamedSet>>,
}

#[derive(Clone, Debug, Deserialize)]
struct NamedSet {
    parents: Vec<String>,
    probability: f64,
}

#[derive(Clone, Debug, Deserialize)]
struct Pair {
    a: String,
    b: String,
    a_causes_b: f64,
    b_causes_a: f64,
}

impl GraphDoubt {
    /// Reads the text of a `run.json`; refuses a run that has no probabilities.
    pub fn from_json(text: &str) -> Result<Self> {
        let made_by = || Remedy::from("make a run with ").and(Call::WriteRun);
        let doubt: Self = serde_json::from_str(text)
            .map_err(|e| Error::input(format!("not a run of oslow: {e}")).with_hint(made_by()))?;
        let known = !doubt.columns_info.is_empty()
            && doubt.columns_info.iter().all(|column| column.parent_sets.is_some());
        if known {
            return Ok(doubt);
        }
        Err(Error::input("the run does not hold the probabilities of causes, which effects are averaged over").with_hint(
            Remedy::from("only the method `exact` estimates them, with `confidence.draws` above 0; make a complete run with it: ")
                .and(Call::WriteRun),
        ))
    }

    /// The sets that may be the direct causes of a column.
    pub(crate) fn parent_sets(&self, node: usize) -> Result<Vec<ParentSet>> {
        let sets = self.columns_info[node].parent_sets.as_deref().unwrap_or_default();
        let index = |name: &String| {
            let found = self.columns.iter().position(|column| column == name);
            found
                .ok_or_else(|| Error::input(format!("a set of causes names `{name}`, which is not a column")))
        };
        let set = |set: &NamedSet| {
            let parents = set.parents.iter().map(index).collect::<Result<_>>()?;
            Ok(ParentSet { parents, probability: set.probability })
        };
        sets.iter().map(set).collect()
    }

    /// The probability that one column is a direct or indirect cause of another, where the run tells it.
    pub(crate) fn causes(&self, from: usize, to: usize) -> Option<f64> {
        let (from, to) = (&self.columns[from], &self.columns[to]);
        self.pairs.iter().find_map(|pair| match () {
            () if pair.a == *from && pair.b == *to => Some(pair.a_causes_b),
            () if pair.b == *from && pair.a == *to => Some(pair.b_causes_a),
            () => None,
        })
    }

    /// How the run saw its columns; steps of grids are not needed again.
    pub(crate) fn seen(&self) -> Vec<SeenColumn> {
        let seen = |column: &Column| SeenColumn {
            kind: column.kind,
            transform: column.transform,
            end: column.log_end,
            grid: column.grid,
            missing: column.missing,
        };
        self.columns_info.iter().map(seen).collect()
    }

    /// What was done to the table before anything was learned.
    pub(crate) fn preparing(&self) -> Result<Preparing> {
        Ok(Preparing {
            standardize: self.standardize.parse::<Standardize>()?,
            outliers: self.outliers.parse::<Outliers>()?,
        })
    }

    /// The seed of the run.
    pub fn seed(&self) -> Seed {
        Seed(self.seed)
    }
}
