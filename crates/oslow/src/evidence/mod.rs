//! What a report shows of the table: `evidence.json` in the folder of a run, so that a report needs no table.
//!
//! No more than [`ROWS`] rows of the table are in it; everything else is counts, quantiles and curves.

mod column;
mod edge;
mod rank_correlation;
mod short;

use oslow_core::{Error, Prepared, Result, Sample, Stop, Transform};
use rand::seq::index;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::pool::with_threads;
use crate::{DiscoverOptions, Discovery};

pub use column::{ColumnEvidence, Histogram};
pub use edge::{EdgePicture, LevelBox, LinkEvidence, Share};

/// Rows that are shown as points, at most.
const ROWS: usize = 200;
/// Links with a picture, at most: the strongest.
const PICTURES: usize = 300;

/// What a report shows of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableEvidence {
    /// One for each column of the run.
    pub columns: Vec<ColumnEvidence>,
    /// One for each edge of the run, in its order.
    pub edges: Vec<LinkEvidence>,
}

impl TableEvidence {
    /// Looks at the table that something was discovered from.
    pub fn new(sample: &Sample, found: &Discovery, options: &DiscoverOptions) -> Result<Self> {
        let prepared = Prepared::new(sample, options.preparing())?;
        let shown = shown_rows(prepared.rows(), found);
        with_threads(options.threads, &Stop::never(), |_| {
            let transform = |j: usize| found.seen.get(j).map_or(Transform::None, |seen| seen.transform);
            let column = |j: usize| ColumnEvidence::new((sample, &prepared), (j, transform(j)), &shown);
            let columns: Vec<ColumnEvidence> = (0..prepared.columns()).map(column).collect();
            let mut edges: Vec<LinkEvidence> = (found.edges.par_iter())
                .map(|edge| LinkEvidence::new(&prepared, (edge.from, edge.to)))
                .collect();
            let strongest = strongest(found, &edges);
            edge::add_pictures(&mut edges, &strongest, (&prepared, found), (&columns, &shown));
            Ok(Self { columns, edges })
        })
    }

    /// The text of the file.
    pub fn to_json(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self).map_err(|e| Error::internal(format!("the evidence cannot be written: {e}")))
    }

    /// Reads the text of the file.
    pub fn from_json(text: &[u8]) -> Result<Self> {
        serde_json::from_slice(text).map_err(|e| {
            Error::input(format!("not the evidence of a run: {e}"))
                .with_hint("was the file changed by hand? run it again")
        })
    }
}

/// Rows that stand for all, ascending.
fn shown_rows(rows: usize, found: &Discovery) -> Vec<usize> {
    let mut rng = found.seed.stream("oslow/shown-rows");
    let mut shown = index::sample(&mut rng, rows, rows.min(ROWS)).into_vec();
    shown.sort_unstable();
    shown
}

/// The edges that have a picture.
fn strongest(found: &Discovery, edges: &[LinkEvidence]) -> Vec<usize> {
    let strength = |k: usize| {
        let correlation = edges[k].rank_correlation.map_or(0.0, f64::abs);
        found.edges[k].confidence.unwrap_or(correlation)
    };
    let mut strongest: Vec<usize> = (0..edges.len()).collect();
    strongest.sort_by(|&a, &b| strength(b).total_cmp(&strength(a)));
    strongest.truncate(PICTURES);
    strongest
}
