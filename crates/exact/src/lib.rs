//! The exact engine: how well a set of parents explains a node on rows that the fit has not seen ([`Scorer`]), the cheapest order and graph given
//! that ([`search`]), and which parents suffice ([`Sufficient`]).

#![forbid(unsafe_code)]

mod best_dag;
mod checks;
mod columns;
mod completion;
mod confidence;
mod config;
mod contest;
mod coordinates;
mod cube_root;
mod density;
mod determined;
mod discrete;
mod do_means;
mod drawn_nodes;
mod drawn_rows;
mod effect_shape;
mod folds;
mod forward_selection;
mod grid;
mod interacting_causes;
mod joint_fit;
mod local_scores;
mod logarithm;
mod mechanisms;
mod mixture;
mod noise;
mod parent_costs;
mod price;
mod process;
mod regression;
mod relation;
mod row_weights;
mod score;
mod scorer;
mod screening;
pub mod search;
mod settable;
mod store;
mod sufficient;
mod work;

pub use best_dag::best_dag;
pub use confidence::{ConfidenceConfig, GraphProbabilities};
pub use config::{LocalConfig, NoiseChoice, ScaleChoice, TransformChoice};
pub use do_means::{DoQuestion, SetMeans, do_means};
pub use interacting_causes::ROWS_COMPARED;
pub use local_scores::LocalScores;
pub use noise::Noise;
pub use parent_costs::ParentCosts;
pub use relation::{Relation, relations};
pub use score::{Family, Location, Score, difference};
pub use scorer::Scorer;
pub use sufficient::Sufficient;
pub use work::Watch;
