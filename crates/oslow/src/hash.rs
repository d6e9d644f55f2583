//! A hash that means the same tomorrow and elsewhere.

/// FNV-1a over 128 bits: the same on every platform and in every version, unlike the standard library's.
#[derive(Clone, Debug)]
pub struct StableHash(u128);

impl Default for StableHash {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl StableHash {
    /// Takes more bytes in.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }

    /// The hash as 32 hexadecimal digits.
    pub fn text(&self) -> String {
        format!("{:032x}", self.0)
    }

    /// The hash of a text.
    pub fn of(text: &str) -> String {
        let mut hash = Self::default();
        hash.add(text.as_bytes());
        hash.text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_published_function() {
        // The offset basis, and the first test vector of the FNV authors' 128-bit list.
        assert_eq!(StableHash::of(""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(StableHash::of("a"), "d228cb696f1a8caf78912b704e4a8964");
    }
}
