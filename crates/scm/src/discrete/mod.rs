//! Nodes with categories and counts.
//!
//! # Model
//!
//! Which columns are discrete is drawn: a share of all have 2 to 5 categories, a share are counts. A discrete node follows from its causes by the same
//! mechanisms as any other, one for each category (see [`levels`]) or one for the rate of a count (see [`events`]). Its children see a category by effects of
//! its own, newly drawn for each child, and the square root of a count, with mean 0 and variance 1 (see [`recoding`]).

pub(crate) mod events;
pub(crate) mod levels;
pub(crate) mod recoding;

use oslow_core::{ColumnType, Rng, Sample};
use rand::RngExt;
use rand::seq::SliceRandom;

use crate::Spec;

/// Most categories of a node.
const MOST: usize = 5;

/// What a node holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Number,
    /// So many categories.
    Levels(usize),
    Count,
}

/// Draws what each node holds.
pub(crate) fn kinds(spec: &Spec, nodes: usize, rng: &mut Rng) -> Vec<Kind> {
    let share = |share: f64| (share * nodes as f64).round() as usize;
    let (categorical, counts) = (share(spec.categorical), share(spec.counts));
    let mut kinds = vec![Kind::Number; nodes];
    if categorical + counts == 0 {
        return kinds;
    }
    let mut places: Vec<usize> = (0..nodes).collect();
    places.shuffle(rng);
    for (k, &place) in places.iter().take(categorical + counts).enumerate() {
        kinds[place] = if k < categorical { Kind::Levels(rng.random_range(2..=MOST)) } else { Kind::Count };
    }
    kinds
}

/// The table with names for categories and its counts told as such.
pub(crate) fn named(mut sample: Sample, kinds: &[Kind]) -> oslow_core::Result<Sample> {
    for (j, kind) in kinds.iter().enumerate() {
        sample = match *kind {
            Kind::Number => sample.with_type(j, ColumnType::Continuous)?,
            Kind::Count => sample.with_type(j, ColumnType::Count)?,
            Kind::Levels(levels) => sample.with_labels(j, labels(levels), false),
        };
    }
    Ok(sample)
}

fn labels(levels: usize) -> Vec<String> {
    ('a'..='z').take(levels).map(String::from).collect()
}
