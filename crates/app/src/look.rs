//! What is in a table.

use oslow::{ColumnType, ReadConfig, Result};
use serde::{Deserialize, Serialize};

use crate::home::Home;
use crate::remedy::worded;

/// A table to be looked at.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    data: String,
    #[serde(default)]
    read: ReadConfig,
}

/// What is seen.
#[derive(Serialize)]
pub struct Seen {
    rows: usize,
    columns: Vec<SeenColumn>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct SeenColumn {
    name: String,
    kind: ColumnType,
    missing: usize,
    /// Its words, where it has some.
    levels: Vec<String>,
}

/// How gaps are passed over: whatever a run does about them, they are to be counted.
const COUNTED: &str = "impute";

impl Asked {
    /// Reads the table.
    pub fn look(self, home: &Home) -> Result<Seen> {
        let read = ReadConfig { missing: Some(COUNTED.into()), ..self.read };
        let table = home.read_table(&self.data, &read)?;
        let sample = &table.sample;
        let column = |j: usize| SeenColumn {
            name: sample.names()[j].clone(),
            kind: sample.type_of(j),
            missing: (0..sample.rows()).filter(|&row| sample.is_gap(row, j)).count(),
            levels: sample.labels(j).to_vec(),
        };
        Ok(Seen {
            rows: sample.rows(),
            columns: (0..sample.columns()).map(column).collect(),
            notes: table.notes.iter().map(|note| note.worded(worded)).collect(),
        })
    }
}
