//! How a table is read.

use std::collections::BTreeMap;
use std::io::IsTerminal;

use clap::Args;
use oslow::data::{STANDARD_INPUT, Table, open};
use oslow::{Error, ReadConfig, Result};

use crate::arguments::Common;
use crate::{names, remedy};

/// What the user says about a table.
#[derive(Args, Default)]
#[command(next_help_heading = "Reading the table")]
pub struct ReadArguments {
    /// Field separator: one character or `tab` [default: detected]
    #[arg(long, value_name = "CHAR")]
    delimiter: Option<String>,
    /// The first line holds the names [default: detected]
    #[arg(long, conflicts_with = "no_header")]
    header: bool,
    /// The first line is data; columns are named by number
    #[arg(long)]
    no_header: bool,
    /// Decimal sign, `.` or `,` [default: detected]
    #[arg(long, value_name = "CHAR")]
    decimal: Option<char>,
    /// Sheet of an .xlsx file [default: the first]
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// Pass over N lines above the header [default: 0; titles and comments are detected]
    #[arg(long, value_name = "N")]
    skip: Option<usize>,
    /// Ignore lines that begin with this sign [default: #, if lines above the header begin with it]
    #[arg(long, value_name = "CHAR")]
    comment: Option<char>,
    /// Keep only rows with this value, e.g. site=A; also !=, <, <=, > and >=; repeatable, all must hold
    #[arg(long = "where", value_name = "COLUMN=VALUE")]
    filters: Vec<String>,
    /// A column to leave out, such as a row name
    #[arg(long, value_name = "COLUMN")]
    index: Option<String>,
    /// The columns to take, such as a,b,c [default: all]
    #[arg(long, value_name = "NAMES")]
    columns: Option<String>,
    /// Rows with missing values: `refuse`, `drop-rows`, `impute` (draw what is missing from what the other cells say) or `auto` (drop few rows, impute many)
    /// [default: refuse]
    #[arg(long, value_name = "WHAT")]
    missing: Option<String>,
    /// Numbers and words that stand for a missing value in this table, e.g. -999,unknown
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    missing_values: Option<String>,
    /// What columns hold, such as `sex=categorical,stage=ordinal:I<II<III`: continuous, count, ordinal, binary or categorical
    /// [default: detected]
    #[arg(long = "type", value_name = "COLUMN=TYPE")]
    types: Option<String>,
    /// The column that names the condition under which each row was observed; what conditions act on is found, or said in the knowledge file
    #[arg(long, value_name = "COLUMN", conflicts_with = "targets")]
    condition: Option<String>,
    /// The column that names which columns were set in each row, such as `a` or `a+b`; empty where none was
    #[arg(long, value_name = "COLUMN")]
    targets: Option<String>,
}

impl ReadArguments {
    /// The same in the words of a configuration file.
    pub fn config(&self) -> Result<ReadConfig> {
        Ok(ReadConfig {
            delimiter: self.delimiter.clone(),
            header: if self.no_header { Some(false) } else { self.header.then_some(true) },
            decimal: self.decimal,
            index: self.index.clone(),
            columns: self.columns.as_deref().map(names::split).transpose()?,
            missing: self.missing.clone(),
            types: self.types.as_deref().map_or(Ok(BTreeMap::new()), types)?,
            condition: self.condition.clone(),
            targets: self.targets.clone(),
            sheet: self.sheet.clone(),
            skip: self.skip,
            comment: self.comment,
            filters: self.filters.clone(),
            missing_values: self.missing_values.as_deref().map_or(Ok(Vec::new()), names::split)?,
        })
    }
}

/// The types in `a=count,b=categorical`.
fn types(text: &str) -> Result<BTreeMap<String, String>> {
    let named = |part: &String| {
        let (name, given) = part.split_once('=').ok_or_else(|| {
            Error::input(format!("--type: `{part}` names no type"))
                .with_hint("write COLUMN=TYPE, such as --type sex=categorical")
        })?;
        Ok((name.trim().to_string(), given.trim().to_string()))
    };
    names::split(text)?.iter().map(named).collect()
}

/// Reads a table and says what was read and what is doubtful about it.
pub fn read(data: &str, config: &ReadConfig, common: &Common) -> Result<Table> {
    let from_terminal = data == STANDARD_INPUT && std::io::stdin().is_terminal();
    if from_terminal {
        common.note("reading a table from standard input; Ctrl-D ends it");
    }
    let table = open(data, &config.options()?)?;
    let name = if data == STANDARD_INPUT { "standard input" } else { data };
    common.note(format_args!("{name}: {} rows, {} columns", table.sample.rows(), table.sample.columns()));
    table.notes.iter().for_each(|note| common.warn(note.worded(remedy::worded)));
    Ok(table)
}
