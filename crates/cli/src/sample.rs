//! `oslow sample`.

use std::path::PathBuf;

use clap::Args;
use oslow::{Interventional, Result};

use crate::arguments::Common;
use crate::{files, output};

/// What to draw from.
#[derive(Args)]
#[command(after_help = "\
Examples:
  oslow sample model.safetensors --rows 1000 --out drawn.csv")]
pub struct SampleArguments {
    /// A model made by `oslow fit`, or the folder of a run with --fit
    model: PathBuf,
    /// How many rows to draw
    #[arg(long, value_name = "N", default_value_t = 1000)]
    rows: usize,
    /// Write the table to this file and not to stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(arguments: &SampleArguments, common: &Common) -> Result<()> {
    let flow = files::load_model(&arguments.model)?;
    arguments.out.as_deref().map(files::check_out_file).transpose()?;
    let table = flow.draw(arguments.rows, &[], &mut common.seed().stream("oslow/sample"))?;
    if common.json && arguments.out.is_none() {
        return output::print_json(&output::table_json(flow.names(), &table));
    }
    output::write_table(flow.names(), &table, arguments.out.as_deref())
}
