//! `oslow counterfactual`.

use std::path::PathBuf;

use clap::Args;
use oslow::data::open_observations;
use oslow::{Interventional, Result, extrapolations, far_rows};

use crate::arguments::Common;
use crate::reading::ReadArguments;
use crate::{actions, files, output, remedy};

/// Whose rows, and what would have been different.
#[derive(Args)]
#[command(after_help = "\
Examples:
  oslow counterfactual model.safetensors data.csv --do diet=2 --out changed.csv")]
pub struct CounterfactualArguments {
    /// A model made by `oslow fit`, or the folder of a run with --fit
    model: PathBuf,
    /// The observed rows: a table with the model's columns in any order, `-` for standard input, or a built-in data set
    data: String,
    /// What a variable would have been, such as X=1.5; may be repeated
    #[arg(long = "do", value_name = "NAME=VALUE", required = true)]
    actions: Vec<String>,
    /// Write the table to this file and not to stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadArguments,
}

pub fn run(arguments: &CounterfactualArguments, common: &Common) -> Result<()> {
    let flow = files::load_model(&arguments.model)?;
    arguments.out.as_deref().map(files::check_out_file).transpose()?;
    let interventions = actions::interventions(&arguments.actions, flow.names())?;
    let mut reading = arguments.reading.config()?;
    // Reading by the model's names puts the columns into its order.
    reading.columns = Some(flow.names().to_vec());
    let rows = open_observations(&arguments.data, &reading.options()?)?;
    rows.notes.iter().for_each(|note| common.warn(note.worded(remedy::worded)));
    extrapolations(&flow, &interventions).iter().for_each(|outside| common.warn(outside));
    far_rows(&flow, &rows.values).iter().for_each(|outside| common.warn(outside));
    let table = flow.counterfactual(&rows.values, &interventions)?;
    if common.json && arguments.out.is_none() {
        return output::print_json(&output::table_json(flow.names(), &table));
    }
    output::write_table(flow.names(), &table, arguments.out.as_deref())
}
