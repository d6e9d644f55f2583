//! Local scores: how well a set of parents explains a node, on rows that the fit has not seen.

mod best_dag;
mod config;
mod folds;
mod local_scores;
mod noise;
mod one_standard_error;
mod parent_costs;
mod regression;
mod score;
mod scorer;
mod store;

pub use best_dag::best_dag;
pub use config::{LocalConfig, NoiseChoice, ScaleChoice};
pub use local_scores::{LocalScores, Watch};
pub use noise::Noise;
pub use one_standard_error::smallest_sufficient;
pub use parent_costs::ParentCosts;
pub use score::{Family, Score, difference};
pub use scorer::Scorer;
