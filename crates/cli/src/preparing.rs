//! What is done to a table before anything is learned from it.

use std::path::PathBuf;

use clap::Args;

/// What the user knows and how columns and rows are treated.
#[derive(Args)]
pub struct PrepareArguments {
    /// Background knowledge: a TOML file with tiers, required, forbidden, roots, leaves
    #[arg(long, value_name = "FILE")]
    pub knowledge: Option<PathBuf>,
    /// Common scale: `zscore` or `none` [default: zscore]
    #[arg(long, value_name = "HOW")]
    pub standardize: Option<String>,
    /// Rows to drop: `none`, or `mad:K` for K median absolute deviations from the median [default: none]
    #[arg(long, value_name = "WHICH")]
    pub outliers: Option<String>,
}
