//! Causal discovery: data in, causal order, graph and interventions out.
//!
//! [`discover`] runs the stages in their order: outliers are removed, columns are checked and standardised, a
//! method learns the order, a pruner makes it a graph. [`bootstrap`] says how sure that is, by doing the same on
//! resamples of the rows. Methods and pruners are found by name ([`methods`], [`pruners`]). [`fit`] fits a flow to a known order, and [`effect_curve`] asks what interventions would do,
//! of a fitted flow and of the true model alike. [`evaluate`] judges an answer where the truth is known.
//!
//! ```
//! use oslow::prelude::*;
//!
//! let table = oslow::data::load("sachs")?;
//! let options = DiscoverOptions { method: "random".into(), prune: "none".into(), ..DiscoverOptions::default() };
//! let found = discover(&table.sample, &options, &mut Silent, &mut ForgetfulCheckpoint)?;
//! assert_eq!(found.order.as_ref().map(Ordering::len), Some(11));
//! assert_eq!(found.edges.len(), 55);
//! # Ok::<(), Error>(())
//! ```

#![forbid(unsafe_code)]

mod bootstrap;
pub mod catalogue;
mod check;
mod checkpoint;
mod confidence;
mod config;
mod discover;
mod discovery;
mod effects;
mod evaluate;
mod evidence;
mod extrapolation;
mod fit;
mod folder_run;
mod forecast;
mod found_condition;
mod graph;
mod graph_doubt;
mod hash;
mod identity;
mod mean_effect;
mod name_list;
mod options;
mod order_pairs;
mod out_folder;
mod parted_checkpoint;
mod patient_checkpoint;
mod plan;
mod pool;
mod prune;
mod report_page;
mod resample;
mod resamples;
mod run_answer;
mod run_folder;
mod run_record;
mod run_table;
mod training_plot;
mod whole_file;

pub use bootstrap::bootstrap;
pub use check::{CheckRecord, check};
pub use checkpoint::FolderCheckpoint;
pub use confidence::{Confidence, EdgeShare};
pub use config::{ReadConfig, RunConfig};
pub use discover::{check_options, discover};
pub use discovery::{DECIDED, Direction, DiscoveredEdge, Discovery};
pub use effects::{CURVE_ROWS, Effect, MeanInterval, average_effect, effect_curve, effects};
pub use evaluate::{Judgement, evaluate};
pub use evidence::{ColumnEvidence, EdgePicture, Histogram, LevelBox, LinkEvidence, Share, TableEvidence};
pub use extrapolation::{Extrapolation, extrapolations, far_rows};
pub use fit::{FitOptions, Fitted, fit, fit_settings};
pub use folder_run::{FolderAnswer, FolderRun};
pub use forecast::forecast;
pub use found_condition::FoundCondition;
pub use graph_doubt::GraphDoubt;
pub use hash::StableHash;
pub use identity::{Identity, VERSION, data_hash};
pub use mean_effect::{CurvePoint, EffectGraph, EffectQuestion, MeanEffect, SetEffect, Setting, mean_effect};
pub use name_list::{listed_name, name_list};
pub use options::DiscoverOptions;
pub use order_pairs::{OrderPair, OrderPairs};
pub use out_folder::OutFolder;
pub use pool::most_threads;
pub use prune::{prune, prune_graph};
pub use report_page::report_page;
pub use resamples::Resamples;
pub use run_answer::{RunAnswer, read_run};
pub use run_folder::{HeldRun, RunFiles, check_folder, held_run, write_run};
pub use run_record::{FinishedRun, RunRecord, finished_run};
pub use run_table::{read_run_config, read_run_table};
pub use whole_file::{try_file, write_whole};

pub use oslow_core::{
    Action, Call, Check, Checkpoint, Choice, ColumnType, Conditions, Dag, EdgeEvidence, EffectShape, Error,
    Event, FittedModel, Forecast, ForgetfulCheckpoint, History, Intervention, Interventional, Kind,
    Knowledge, Learned, Learner, MemoryCheckpoint, Method, Named, Observer, OrderAlternative, Ordering,
    Outliers, PairProbabilities, ParentSet, Prepared, Preparing, PrunerEntry, Remedy, Result, Sample, Seed,
    SeenColumn, Settings, SharedValues, Silent, Standardize, Standardizer, Stop, Target, Transform,
    configure, describe, find, nearest, read_utf8, suggestion,
};
pub use oslow_data as data;
pub use oslow_flow::{FitConfig, FittedFlow, FlowConfig};
pub use oslow_math::{Kci, KciResult, kci_test, simd_name};
pub use oslow_metrics as metrics;
pub use oslow_order::methods;
pub use oslow_prune::pruners;
pub use oslow_report as report;
pub use oslow_scm as scm;

/// The Rust of the README, so that tests compile it.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// What most programs need.
pub mod prelude {
    pub use crate::{
        Checkpoint, Confidence, Dag, DiscoverOptions, Discovery, Error, Event, FitOptions, FittedFlow,
        ForgetfulCheckpoint, Intervention, Interventional, MemoryCheckpoint, Observer, Ordering, Outliers,
        Result, Sample, Seed, Settings, Silent, Standardize, average_effect, bootstrap, discover,
        effect_curve, effects, fit,
    };
}
