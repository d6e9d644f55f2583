//! The table that a run was of.

use std::path::Path;

use oslow_core::{Call, Error, Remedy, Result, read_utf8};
use oslow_data::{STANDARD_INPUT, Table, open};

use crate::{RunConfig, RunRecord, data_hash, read_run};

/// The file of a run's settings.
const CONFIG: &str = "config.toml";

/// The settings of the run in a folder.
pub fn read_run_config(folder: &Path) -> Result<RunConfig> {
    read_run(folder)?;
    let path = folder.join(CONFIG);
    RunConfig::from_toml(&read_utf8(&path)?).map_err(|e| e.at(path.display()))
}

/// Reads the table of the run in a folder again; refuses one that is not there any more, or is another.
pub fn read_run_table(folder: &Path, config: &RunConfig) -> Result<Table> {
    let again = || Remedy::from("put the table of the run back, or discover again: ").and(Call::WriteRun);
    let Some(data) = &config.data else {
        return Err(Error::input(format!(
            "the run in `{}` was of a table in memory, which no file holds",
            folder.display()
        ))
        .with_hint(again()));
    };
    if data == STANDARD_INPUT {
        return Err(Error::input(format!(
            "the table of the run in `{}` came from standard input, which is not kept",
            folder.display()
        ))
        .with_hint(again()));
    }
    let table = open(data, &config.read.options()?)
        .map_err(|e| e.at(format_args!("the table of the run in `{}`", folder.display())))?;
    let run = read_run(folder)?;
    let same = match RunRecord::read(folder)? {
        Some(record) => record.data() == data_hash(&table.sample),
        None => run.columns == table.sample.names(),
    };
    match same {
        true => Ok(table),
        false => Err(Error::input(format!(
            "`{data}` has changed since the run in `{}` was made",
            folder.display()
        ))
        .with_hint(again())),
    }
}
