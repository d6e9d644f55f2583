//! How a file is damaged.

use crate::splitmix::SplitMix;

/// What parsers stumble over.
const WORDS: &[&[u8]] = &[
    b"nan",
    b"inf",
    b"-1",
    b"1e308",
    b"1e-320",
    b"18446744073709551616",
    b"9223372036854775807",
    b"\0",
    b"\xff\xfe",
    b"\"",
    b"'",
    b",",
    b";",
    b"\n",
    b"\r",
    b"[",
    b"]",
    b"{",
    b"}",
    b"(((((((((((",
    b"=",
    b"null",
    b"true",
    b"\xf0\x9f\x98\x80",
    b"\x1b[31m",
    b"..",
];
/// Changes to one file, at most.
const MOST_CHANGES: u64 = 4;
/// Bytes that are removed or repeated at once, at most.
const LONGEST: usize = 64;

/// Damage that depends on its numbers alone.
pub struct Damage(SplitMix);

impl Damage {
    /// The damage of this number.
    pub fn new(seed: u64, number: u64) -> Self {
        Self(SplitMix::new(seed, number))
    }

    fn below(&mut self, end: usize) -> usize {
        (self.0.next() % end.max(1) as u64) as usize
    }

    /// A damaged copy.
    pub fn of(&mut self, valid: &[u8]) -> Vec<u8> {
        let mut bytes = valid.to_vec();
        for _ in 0..=self.0.next() % MOST_CHANGES {
            self.change(&mut bytes);
        }
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len() + 1);
        let end = (at + 1 + self.below(LONGEST)).min(bytes.len());
        match self.0.next() % 5 {
            0 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => bytes.truncate(at),
            3 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            _ => {
                let word = WORDS[self.below(WORDS.len())];
                bytes.splice(at..at, word.iter().copied());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_numbers_damage_alike() {
        let valid = b"a,b\n1,2\n3,4\n";
        let all = |seed| (0..50).map(|number| Damage::new(seed, number).of(valid)).collect::<Vec<_>>();
        assert_eq!(all(1), all(1));
        assert_ne!(all(1), all(2));
        assert!(all(1).iter().filter(|damaged| *damaged != valid).count() > 40);
    }
}
