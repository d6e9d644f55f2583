//! Scores that were computed: what a stopped run keeps.

use std::collections::BTreeMap;

use oslow_core::{Error, Remedy, Result, Transform};

use crate::{Family, Location, Noise, Score};

/// A node and a set of parents, in increasing order.
pub(crate) type Key = (usize, Vec<usize>);

/// What a score depends on: the set, and whether Gaussian processes competed for it.
pub(crate) type ScoreKey = (Key, bool);

/// Scores by all that they depend on but for table, settings, knowledge and seed, so that what was found for one order of a table holds for
/// every other.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Store {
    /// The coordinates in which all of it was found.
    pub coordinates: Vec<Transform>,
    /// Full scores.
    pub scores: BTreeMap<ScoreKey, Score>,
    /// Screening scores: their mean is all that is needed.
    pub screened: BTreeMap<Key, f64>,
    /// The causes that interact, by node and all causes that it was allowed.
    pub interacting: BTreeMap<Key, Interacting>,
}

/// Columns that explain a node together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Interacting {
    pub columns: Vec<usize>,
    /// How much better than the other families a Gaussian process of them predicts the node, in nats per row.
    pub gain: f64,
}

/// The first bytes of a stored state, with the version of its form.
const MAGIC: &[u8; 8] = b"oslowsc6";
/// What stands for no noise.
const NO_NOISE: u8 = 255;

impl Store {
    /// The store where columns have some coordinates: what was found in others is forgotten.
    pub fn take_coordinates(&mut self, coordinates: Vec<Transform>) {
        if self.coordinates != coordinates {
            *self = Self { coordinates, ..Self::default() };
        }
    }

    /// The store as bytes; numbers are little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let count = |bytes: &mut Vec<u8>, value: usize| bytes.extend((value as u64).to_le_bytes());
        let columns = |bytes: &mut Vec<u8>, columns: &[usize]| {
            count(bytes, columns.len());
            columns.iter().for_each(|&column| count(bytes, column));
        };
        let key = |bytes: &mut Vec<u8>, (node, parents): &Key| {
            count(bytes, *node);
            columns(bytes, parents);
        };
        count(&mut bytes, self.coordinates.len());
        bytes.extend(self.coordinates.iter().map(|transform| *transform as u8));
        count(&mut bytes, self.scores.len());
        for ((at, processes), score) in &self.scores {
            key(&mut bytes, at);
            let Family { location, affine, noise } = score.family;
            bytes.extend([
                location as u8,
                u8::from(affine),
                noise.map_or(NO_NOISE, |noise| noise as u8),
                u8::from(*processes),
            ]);
            bytes.extend(score.nll.to_le_bytes());
            bytes.extend(score.changed_by.to_le_bytes());
            count(&mut bytes, score.rows.len());
            score.rows.iter().for_each(|row| bytes.extend(row.to_le_bytes()));
        }
        count(&mut bytes, self.screened.len());
        for (at, nll) in &self.screened {
            key(&mut bytes, at);
            bytes.extend(nll.to_le_bytes());
        }
        count(&mut bytes, self.interacting.len());
        for (at, found) in &self.interacting {
            key(&mut bytes, at);
            columns(&mut bytes, &found.columns);
            bytes.extend(found.gain.to_le_bytes());
        }
        bytes
    }

    /// The store that was written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::read(&mut Reader(bytes))
            .ok_or_else(|| Error::input("the saved scores are damaged").with_hint(Remedy::start_over()))
    }

    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let mut store = Self::default();
        if reader.bytes::<8>()? != *MAGIC {
            return None;
        }
        for _ in 0..reader.count()? {
            store.coordinates.push(match reader.bytes()? {
                [0] => Transform::None,
                [1] => Transform::NormalScores,
                [2] => Transform::Log,
                [3] => Transform::LogFromEnd,
                _ => return None,
            });
        }
        for _ in 0..reader.count()? {
            let key = reader.key()?;
            let location = match reader.bytes()? {
                [0] => Location::Units,
                [1] => Location::Cubic,
                [2] => Location::Process,
                [3] => Location::Linear,
                _ => return None,
            };
            let [affine] = reader.bytes()?.map(|byte| byte == 1);
            let noise = match reader.bytes()? {
                [0] => Some(Noise::Gaussian),
                [1] => Some(Noise::Laplace),
                [2] => Some(Noise::Mixture),
                [NO_NOISE] => None,
                _ => return None,
            };
            let [processes] = reader.bytes()?.map(|byte| byte == 1);
            let nll = f64::from_le_bytes(reader.bytes()?);
            let changed_by = u64::from_le_bytes(reader.bytes()?);
            let count = reader.count()?;
            let rows = (0..count).map(|_| reader.bytes().map(f32::from_le_bytes)).collect::<Option<_>>()?;
            let score = Score { rows, nll, family: Family { location, affine, noise }, changed_by };
            store.scores.insert((key, processes), score);
        }
        for _ in 0..reader.count()? {
            let key = reader.key()?;
            store.screened.insert(key, f64::from_le_bytes(reader.bytes()?));
        }
        for _ in 0..reader.count()? {
            let (key, columns) = (reader.key()?, reader.columns()?);
            let gain = f64::from_le_bytes(reader.bytes()?);
            store.interacting.insert(key, Interacting { columns, gain });
        }
        reader.0.is_empty().then_some(store)
    }
}

/// Bytes that are still to be read.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn count(&mut self) -> Option<usize> {
        usize::try_from(u64::from_le_bytes(self.bytes()?)).ok()
    }

    fn key(&mut self) -> Option<Key> {
        Some((self.count()?, self.columns()?))
    }

    fn columns(&mut self) -> Option<Vec<usize>> {
        let count = self.count()?;
        (0..count).map(|_| self.count()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_damage_is_noticed() {
        let mut store =
            Store { coordinates: vec![Transform::None, Transform::LogFromEnd], ..Store::default() };
        for (node, location) in [Location::Units, Location::Cubic, Location::Process].into_iter().enumerate()
        {
            let family = Family { location, affine: false, noise: Some(Noise::Mixture) };
            let score = Score { rows: vec![1.5, -0.25], nll: 0.625, family, changed_by: 5 };
            store.scores.insert(((node, vec![3, 5]), node == 2), score);
        }
        store.interacting.insert((2, vec![0, 1, 4]), Interacting { columns: vec![4, 1], gain: -0.5 });
        store.screened.insert((1, vec![]), -7.5);
        let bytes = store.to_bytes();
        assert_eq!(Store::from_bytes(&bytes).unwrap(), store);
        assert!(Store::from_bytes(&bytes[..bytes.len() - 1]).is_err());
        assert!(Store::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
        assert!(Store::from_bytes(b"").is_err());
        assert!(Store::from_bytes(&[b"oslowsc3", &bytes[8..]].concat()).is_err(), "an older form");
    }
}
