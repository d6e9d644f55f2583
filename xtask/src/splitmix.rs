//! Numbers that look random: splitmix64.

/// A stream of numbers that depends on a seed and a number alone.
pub struct SplitMix(u64);

impl SplitMix {
    /// The stream of this number.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut stream = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (number + 1));
        stream.next();
        stream
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Whether something of this probability happens.
    pub fn happens(&mut self, probability: f64) -> bool {
        ((self.next() >> 11) as f64) < probability * (1u64 << 53) as f64
    }
}
