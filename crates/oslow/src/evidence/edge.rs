//! What a report shows of an edge.

use std::collections::BTreeMap;

use oslow_core::{ColumnType, Edge, Prepared};
use oslow_exact::{Relation, relations};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::column::ColumnEvidence;
use super::rank_correlation::rank_correlation;
use super::short::Decimals;
use crate::Discovery;

/// Effects with more causes have no curve: a fit to so many says little about each.
const MOST_CAUSES: usize = 12;
/// Causes with at most so many values have a box for each.
const BOXES: usize = 12;
/// Parts of equal size into which a cause is cut where its effect has levels.
const PARTS: usize = 8;

/// Cause and effect in pictures, by column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkEvidence {
    /// The cause.
    pub from: usize,
    /// The effect.
    pub to: usize,
    /// Spearman's correlation of the two, unless one has categories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank_correlation: Option<f64>,
    /// The effect against the cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<EdgePicture>,
}

/// The effect against the cause, in the units of the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "as")]
pub enum EdgePicture {
    /// The rows that are shown as points.
    Points,
    /// Points and a curve: a fit to all causes, the others averaged over.
    Curve {
        /// Places along the cause.
        at: Vec<f64>,
        /// Where the effect lies.
        location: Vec<f64>,
        /// One scale below.
        low: Vec<f64>,
        /// One scale above.
        high: Vec<f64>,
        /// The effect in the rows that are shown, as if their other causes were average ones; empty if there are no others.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        adjusted: Vec<f64>,
    },
    /// A box for each value of the cause.
    Boxes {
        /// By value.
        boxes: Vec<LevelBox>,
    },
    /// The levels of the effect, in parts of the rows.
    Shares {
        /// The levels, ascending.
        levels: Vec<f64>,
        /// By value of the cause, or by part of its range.
        parts: Vec<Share>,
    },
}

/// The effect where the cause has one value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LevelBox {
    /// The value of the cause.
    pub value: f64,
    /// How many rows have it.
    pub rows: usize,
    /// The effect's quantiles at 5, 25, 50, 75 and 95 %.
    pub quantiles: [f64; 5],
    /// One scale below the fit, the fit, and one scale above, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fit: Option<[f64; 3]>,
}

/// How often the effect has which level in a part of the rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The least value of the cause.
    pub from: f64,
    /// The greatest.
    pub to: f64,
    /// The rows with each level.
    pub counts: Vec<usize>,
}

impl LinkEvidence {
    /// What needs no fit.
    pub(super) fn new(sample: &Prepared, (from, to): Edge) -> Self {
        let ordered = [from, to].iter().all(|&j| sample.type_of(j) != ColumnType::Categorical);
        let correlation = || {
            let exact = rank_correlation(sample.raw(from), sample.raw(to));
            (exact * 1e3).round() / 1e3
        };
        Self { from, to, rank_correlation: ordered.then(correlation), picture: None }
    }
}

/// Gives some edges a picture.
pub(super) fn add_pictures(
    edges: &mut [LinkEvidence],
    chosen: &[usize],
    (sample, found): (&Prepared, &Discovery),
    (columns, shown): (&[ColumnEvidence], &[usize]),
) {
    let mut of_effect: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    chosen.iter().for_each(|&k| of_effect.entry(edges[k].to).or_default().push(k));
    let effects: Vec<(usize, Vec<usize>)> = of_effect.into_iter().collect();
    let drawn: Vec<Vec<(usize, EdgePicture)>> = (effects.par_iter())
        .map(|(effect, chosen)| {
            let causes: Vec<usize> =
                found.edges.iter().filter(|edge| edge.to == *effect).map(|edge| edge.from).collect();
            let fitted = match causes.len() {
                0..=MOST_CAUSES => relations(sample, &found.seen, (*effect, &causes), shown, found.seed),
                _ => Vec::new(),
            };
            let of_edge = |&k: &usize| {
                let place = causes.iter().position(|&cause| cause == edges[k].from);
                let relation = place.and_then(|place| fitted.get(place));
                let pair =
                    Pair { sample, edge: (edges[k].from, *effect), decimals: columns[*effect].decimals() };
                (k, pair.picture(relation, columns, causes.len() == 1))
            };
            chosen.iter().map(of_edge).collect()
        })
        .collect();
    drawn.into_iter().flatten().for_each(|(k, picture)| edges[k].picture = Some(picture));
}

/// A cause and an effect that are drawn.
struct Pair<'a> {
    sample: &'a Prepared,
    edge: Edge,
    /// Those of the effect.
    decimals: Decimals,
}

impl Pair<'_> {
    fn picture(&self, relation: Option<&Relation>, columns: &[ColumnEvidence], alone: bool) -> EdgePicture {
        let (from, to) = self.edge;
        let levels = |j: usize| !matches!(columns[j].kind, ColumnType::Continuous | ColumnType::Count);
        match relation {
            _ if levels(to) => self.shares(levels(from)),
            relation if levels(from) && columns[from].distinct <= BOXES => self.boxes(relation),
            None => EdgePicture::Points,
            Some(relation) => self.curve(relation, columns[from].decimals(), alone),
        }
    }

    fn curve(&self, relation: &Relation, cause: Decimals, alone: bool) -> EdgePicture {
        let short = |values: &[f64]| self.decimals.all(values.iter().copied());
        EdgePicture::Curve {
            at: cause.all(relation.places.iter().map(|&row| self.sample.raw(self.edge.0)[row])),
            location: short(&relation.location),
            low: short(&relation.low),
            high: short(&relation.high),
            adjusted: if alone { Vec::new() } else { short(&relation.adjusted) },
        }
    }

    fn boxes(&self, relation: Option<&Relation>) -> EdgePicture {
        let (cause, effect) = (self.sample.raw(self.edge.0), self.sample.raw(self.edge.1));
        let of_level = |rows: &[usize]| {
            let mut values: Vec<f64> = rows.iter().map(|&row| effect[row]).collect();
            values.sort_by(f64::total_cmp);
            let quantile = |percent: usize| self.decimals.round(values[(values.len() - 1) * percent / 100]);
            let value = cause[rows[0]];
            let fit = relation.and_then(|relation| {
                let place = relation.places.iter().position(|&row| cause[row] == value)?;
                let three = [relation.low[place], relation.location[place], relation.high[place]];
                Some(three.map(|value| self.decimals.round(value)))
            });
            LevelBox { value, rows: rows.len(), quantiles: [5, 25, 50, 75, 95].map(quantile), fit }
        };
        EdgePicture::Boxes { boxes: by_value(cause).iter().map(|rows| of_level(rows)).collect() }
    }

    fn shares(&self, by_level: bool) -> EdgePicture {
        let (cause, effect) = (self.sample.raw(self.edge.0), self.sample.raw(self.edge.1));
        let levels: Vec<f64> = by_value(effect).iter().map(|rows| effect[rows[0]]).collect();
        let parts = if by_level { by_value(cause) } else { equal_parts(cause) };
        let share = |rows: &Vec<usize>| {
            let count = |level: &f64| rows.iter().filter(|&&row| effect[row] == *level).count();
            let (first, last) = (rows[0], rows[rows.len() - 1]);
            Share { from: cause[first], to: cause[last], counts: levels.iter().map(count).collect() }
        };
        EdgePicture::Shares { parts: parts.iter().map(share).collect(), levels }
    }
}

/// The rows with each value of a column, ascending.
fn by_value(column: &[f64]) -> Vec<Vec<usize>> {
    ascending(column).chunk_by(|&a, &b| column[a] == column[b]).map(<[usize]>::to_vec).collect()
}

/// The rows in parts of about one size, by value; equal values stay together.
fn equal_parts(column: &[f64]) -> Vec<Vec<usize>> {
    let rows = ascending(column);
    let mut parts: Vec<Vec<usize>> = Vec::new();
    for alike in rows.chunk_by(|&a, &b| column[a] == column[b]) {
        match parts.last_mut() {
            Some(part) if part.len() * PARTS < rows.len() => part.extend(alike),
            _ => parts.push(alike.to_vec()),
        }
    }
    parts
}

fn ascending(column: &[f64]) -> Vec<usize> {
    let mut rows: Vec<usize> = (0..column.len()).collect();
    rows.sort_by(|&a, &b| column[a].total_cmp(&column[b]));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_every_row_once_and_equal_values_together() {
        let column: Vec<f64> = (0..100).map(|k| f64::from(k * 37 % 100 / 3)).collect();
        let parts = equal_parts(&column);
        let mut all: Vec<usize> = parts.concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<usize>>());
        assert!(parts.len() <= PARTS && parts.len() >= PARTS - 2, "{}", parts.len());
        for two in parts.windows(2) {
            assert!(column[*two[0].last().unwrap()] < column[two[1][0]]);
        }
    }
}
