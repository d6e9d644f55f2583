//! The bytes of a file or of standard input, unpacked where they are packed.

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use oslow_core::{Error, Result, free_memory};

use crate::decoder::damaged;

/// What files packed by gzip begin with.
const GZIP: &[u8] = b"\x1f\x8b";
/// How many times longer than the file what comes out of it may be: real tables come to a tenth of that.
const MOST_TIMES: u64 = 100;
/// What may come out of any file, in bytes.
const ALWAYS: u64 = 64 << 20;

/// The bytes of a file, unpacked if its name ends in `.gz`.
pub(crate) fn of_file(path: &Path) -> Result<Vec<u8>> {
    let bytes = std::fs::read(path).map_err(|e| Error::io("read", path, e))?;
    let packed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
    if packed { unpacked(&bytes) } else { Ok(bytes) }
}

/// All bytes of standard input, unpacked if they are packed.
pub(crate) fn of_standard_input() -> Result<Vec<u8>> {
    let most = free_memory() / 4;
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock();
    input.take(most + 1).read_to_end(&mut bytes).map_err(|e| Error::io("read", "standard input", e))?;
    if bytes.len() as u64 > most {
        return Err(Error::input(format!("more than {} bytes came in", most))
            .with_hint("write the table to a file and choose fewer rows or columns"));
    }
    if bytes.starts_with(GZIP) { unpacked(&bytes) } else { Ok(bytes) }
}

/// The most bytes that a file of this length may be unpacked to.
pub(crate) fn most_unpacked(packed: u64) -> u64 {
    packed.saturating_mul(MOST_TIMES).max(ALWAYS).min(free_memory() / 4)
}

/// What a file that unpacks to too much is refused with.
pub(crate) fn too_much(most: u64) -> Error {
    Error::input(format!("the file unpacks to more than {} MB", most / 1_000_000))
        .with_hint("a table rarely does; if it is sound, unpack it first")
}

fn unpacked(bytes: &[u8]) -> Result<Vec<u8>> {
    let most = most_unpacked(bytes.len() as u64);
    let mut text = Vec::new();
    MultiGzDecoder::new(bytes).take(most + 1).read_to_end(&mut text).map_err(|e| damaged("gzip", e))?;
    if text.len() as u64 > most { Err(too_much(most)) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn packed_bytes_come_out_and_damage_is_refused() {
        let text = b"a,b\n1,2\n".repeat(100);
        let whole = packed(&text);
        assert_eq!(unpacked(&whole).unwrap(), text);
        assert_eq!(
            unpacked(&[whole.clone(), whole.clone()].concat()).unwrap(),
            [text.clone(), text].concat()
        );
        for length in 1..whole.len() {
            assert!(unpacked(&whole[..length]).unwrap_err().is_input(), "{length}");
        }
    }

    #[test]
    fn a_bomb_is_refused_before_it_is_unpacked() {
        let bomb = packed(&vec![b'a'; 80 << 20]);
        assert!(bomb.len() < 1 << 20);
        let refused = unpacked(&bomb).unwrap_err();
        assert!(refused.to_string().starts_with("the file unpacks to more than "), "{refused}");
    }
}
