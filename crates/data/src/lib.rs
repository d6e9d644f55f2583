//! Tables in: files (`.csv`, `.tsv`, `.xlsx`, `.npy`, `.parquet`) and built-in data sets become a [`Sample`].
//!
//! [`read_graph`] reads the graphs that answers are judged by.
//!
//! Whatever is wrong with a table is one [`Error::Input`] that names the file, the line, the column and the
//! remedy; whatever is merely doubtful is a note in [`Table::notes`].
//!
//! ```
//! let table = oslow_data::open("sachs", &oslow_data::ReadOptions::default())?;
//! assert_eq!((table.sample.rows(), table.sample.columns()), (853, 11));
//! # Ok::<(), oslow_data::Error>(())
//! ```

#![forbid(unsafe_code)]

mod above;
mod bytes_of;
mod cell;
mod cells;
mod column;
mod condition;
mod csv;
pub mod datasets;
mod date;
mod decoder;
mod diagnostics;
mod dialect;
mod encoding;
mod format;
mod gaps;
mod given_type;
mod graph;
mod kept_rows;
mod lines;
mod missing_values;
mod note;
mod npy;
mod npy_header;
mod open;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod row_filter;
mod rows;
mod selection;
mod sentinels;
mod shape;
mod table;
mod units;
#[cfg(feature = "xlsx")]
mod workbook;
mod write;

pub use cell::MISSING_WORDS;
pub use cells::{Cells, table_of_columns};
pub use condition::ConditionColumn;
pub use datasets::{Dataset, datasets, load};
pub use diagnostics::doubts;
pub use format::check_name;
pub use given_type::GivenType;
pub use graph::{GraphFile, Layout, read_graph};
pub use note::Note;
pub use open::{open, open_graph, open_observations};
pub use options::{Missing, ReadOptions};
pub use oslow_core::{Error, Result, Sample};
pub use row_filter::RowFilter;
pub use rows::Observations;
pub use table::{STANDARD_INPUT, Table, read_table};
pub use write::{write_csv, write_delimited, write_sample};
