//! A number for each set of nodes, in blocks.

use rayon::prelude::*;

/// Sets that differ in the first nodes only, up to this many, share a block. Small blocks in tests, so that problems
/// that can be enumerated have several.
const LOW: usize = if cfg!(test) { 3 } else { 12 };

/// How a set of nodes, written as an integer, is split: its low bits are the place in a block, its high bits say
/// which block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    /// How many nodes are low.
    pub low: usize,
    /// How many are high.
    pub high: usize,
}

impl Split {
    /// The split of `d` nodes.
    pub fn new(d: usize) -> Self {
        let low = d.min(LOW);
        Self { low, high: d - low }
    }

    /// The sets in a block.
    pub fn block_len(self) -> usize {
        1 << self.low
    }

    /// The blocks in all.
    pub fn blocks(self) -> usize {
        1 << self.high
    }

    /// Block and place of a set.
    pub fn place(self, set: usize) -> (usize, usize) {
        (set >> self.low, set & (self.block_len() - 1))
    }
}

/// The way through the sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Subsets first.
    Up,
    /// Supersets first.
    Down,
}

/// A number for each set of nodes.
#[derive(Debug)]
pub(super) struct PrefixTable {
    split: Split,
    blocks: Vec<Vec<f64>>,
}

impl PrefixTable {
    /// Fills the table block by block; `fill` sees the blocks of all smaller (or larger) sets of high nodes. Blocks
    /// with equally many high nodes do not need each other and are filled in parallel.
    ///
    /// A block is a vector of its own, so that it can be written while others are read; `fill` may return an empty one
    /// for a block of zeros.
    pub fn sweep(split: Split, way: Way, fill: impl Fn(&Self, usize) -> Vec<f64> + Sync) -> Self {
        let mut table = Self { split, blocks: vec![Vec::new(); split.blocks()] };
        for layer in 0..=split.high {
            let size = if way == Way::Up { layer } else { split.high - layer };
            let blocks: Vec<usize> =
                (0..split.blocks()).filter(|block| block.count_ones() as usize == size).collect();
            let filled: Vec<Vec<f64>> = blocks.par_iter().map(|&block| fill(&table, block)).collect();
            for (block, numbers) in blocks.into_iter().zip(filled) {
                table.blocks[block] = numbers;
            }
        }
        table
    }

    /// The numbers of a block; none if all are zero.
    pub fn block(&self, block: usize) -> &[f64] {
        &self.blocks[block]
    }

    /// The number of a set.
    pub fn get(&self, set: usize) -> f64 {
        let (block, place) = self.split.place(set);
        self.blocks[block].get(place).copied().unwrap_or(0.0)
    }
}

/// The indices of the bits of a mask.
pub(super) fn bits(mut mask: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_visits_subsets_first_or_last() {
        let split = Split::new(LOW + 3);
        for way in [Way::Up, Way::Down] {
            let table = PrefixTable::sweep(split, way, |table, block| {
                for bit in 0..split.high {
                    let seen = !table.block(block ^ (1 << bit)).is_empty();
                    assert_eq!(seen, (block >> bit & 1 == 1) == (way == Way::Up));
                }
                vec![block as f64; split.block_len()]
            });
            assert_eq!(table.get(5 << LOW | 1), 5.0);
        }
        assert_eq!(bits(0b1011).collect::<Vec<_>>(), [0, 1, 3]);
    }
}
