//! The words every stage of oslow speaks.
//!
//! Data flows one way: a [`Sample`] becomes [`Prepared`], a [`Learner`] turns it into an [`Ordering`] (or a
//! [`Dag`]), a [`Pruner`] turns the ordering into a [`Dag`]. The truth is known to judges only.

#![forbid(unsafe_code)]

mod capabilities;
mod check;
mod column_type;
mod conditions;
mod dag;
mod edge_evidence;
mod error;
mod forecast;
mod interventional;
mod knowledge;
mod learner;
mod ordering;
mod pair_probabilities;
mod parent_set;
mod prepared;
mod pruner;
mod registry;
mod remedy;
mod room;
mod run;
mod sample;
mod seed;
mod settings;
mod stop;
mod text;
mod transform;
mod values;

pub use capabilities::Capabilities;
pub use check::{Check, holm};
pub use column_type::{ColumnType, MOST_LEVELS};
pub use conditions::{Action, Conditions, Target};
pub use dag::{Dag, Edge};
pub use edge_evidence::{EdgeEvidence, EffectShape};
pub use error::{Error, Result};
pub use forecast::Forecast;
pub use interventional::{Intervention, Interventional};
pub use knowledge::{Knowledge, Precedence};
pub use learner::{Evidence, FittedModel, History, Kind, Learned, Learner, Method, OrderAlternative};
pub use ordering::Ordering;
pub use pair_probabilities::PairProbabilities;
pub use parent_set::ParentSet;
pub use prepared::{Outliers, Prepared, Preparing, Standardize, Standardizer};
pub use pruner::{Pruned, PrunedEdge, Pruner, PrunerEntry};
pub use registry::{Named, find, nearest, suggestion};
pub use remedy::{Call, Choice, Remedy, RemedyPart};
pub use room::{free_memory, room_for};
pub use run::{Checkpoint, Event, ForgetfulCheckpoint, MemoryCheckpoint, Observer, Run, Silent};
pub use sample::Sample;
pub use seed::{Rng, Seed};
pub use settings::{Settings, configure, configure_from, describe, layers, positive, within};
pub use stop::{Stop, check_stop, stop_is_due, unless_stopped};
pub use text::{decode_utf8, read_utf8};
pub use transform::{SeenColumn, Transform};
pub use values::SharedValues;
