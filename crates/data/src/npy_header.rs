//! What a NumPy file says of itself, looked at before any parser sees it.
//!
//! The parser of headers tries every way to read a bracket, so that twenty of them, one in the other, take hours; and shapes whose product no
//! number can hold wrap around in it. So only the plain header goes through that NumPy writes: `{'descr': …, 'fortran_order': …, 'shape': (…)}`.

use std::io::Read;

use oslow_core::{Error, Result};

use crate::decoder::damaged;

const FORMAT: &str = "NumPy";
const MAGIC: &[u8] = b"\x93NUMPY";
/// The longest header that NumPy itself reads.
const LONGEST: usize = 10_000;
/// The deepest brackets of a header of numbers: the dictionary's, and the shape's; one more for a type with fields, which is refused by its name.
const DEEPEST: usize = 4;

/// The bytes up to the values, if they are a plain header and speak of no more values than the file can hold.
pub(crate) fn checked(reader: &mut impl Read, file: u64) -> Result<Vec<u8>> {
    let mut head = vec![0; MAGIC.len() + 2];
    fill(reader, &mut head)?;
    let (magic, version) = head.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(refuse("it does not begin as one"));
    }
    let mut length = vec![0; if version[0] == 1 { 2 } else { 4 }];
    fill(reader, &mut length)?;
    let count = length.iter().rev().fold(0usize, |count, byte| count << 8 | usize::from(*byte));
    if count > LONGEST {
        return Err(refuse("its header is too long"));
    }
    let mut text = vec![0; count];
    fill(reader, &mut text)?;
    check(std::str::from_utf8(&text).map_err(|_| refuse("its header is no text"))?, file)?;
    Ok([head, length, text].concat())
}

fn refuse(why: &str) -> Error {
    damaged(FORMAT, why)
}

fn fill(reader: &mut impl Read, bytes: &mut [u8]) -> Result<()> {
    reader.read_exact(bytes).map_err(|e| damaged(FORMAT, e))
}

fn check(header: &str, file: u64) -> Result<()> {
    let (mut depth, mut deepest) = (0usize, 0);
    for c in header.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    if deepest > DEEPEST || !header.starts_with('{') {
        return Err(refuse("its header is not the one that NumPy writes"));
    }
    let shape = shape(header).ok_or_else(|| refuse("its header has no shape"))?;
    // An axis without places leaves no values, but the other axes must make sense all the same.
    let values = shape.iter().try_fold(1u64, |product, &axis| product.checked_mul(axis.max(1)));
    match values {
        Some(values) if values <= file || shape.contains(&0) => Ok(()),
        _ => Err(refuse("it promises more values than it has")),
    }
}

/// The numbers of `'shape': (n, d)`.
fn shape(header: &str) -> Option<Vec<u64>> {
    let (_, rest) = header.split_once("'shape'").or_else(|| header.split_once("\"shape\""))?;
    let (numbers, _) = rest.split_once('(')?.1.split_once(')')?;
    let axes = numbers.split(',').map(str::trim).filter(|axis| !axis.is_empty());
    axes.map(|axis| axis.trim_end_matches('L').parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str) -> Vec<u8> {
        [MAGIC, &[1, 0], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat()
    }

    fn refusal(header: &str) -> Option<String> {
        let bytes = file(header);
        checked(&mut bytes.as_slice(), 1000).err().map(|error| error.to_string())
    }

    #[test]
    fn the_header_that_numpy_writes_goes_through_unchanged() {
        let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }          \n";
        let bytes = file(header);
        assert_eq!(checked(&mut bytes.as_slice(), 1000).unwrap(), bytes);
        assert_eq!(refusal("{'descr': '<f8', 'fortran_order': False, 'shape': (), }"), None);
    }

    #[test]
    fn brackets_within_brackets_are_refused_at_once() {
        let nested = format!("{{'descr': {}{}, 'shape': (1, 1)}}", "[".repeat(200), "]".repeat(200));
        assert!(refusal(&nested).unwrap().contains("not the one that NumPy writes"));
    }

    #[test]
    fn shapes_that_no_file_can_have_are_refused() {
        for shape in ["4294967296, 4294967296", "2, 9223372036854775810", "4611686018427387919, 4", "0, 1e3"]
        {
            let header = format!("{{'descr': '<f8', 'fortran_order': True, 'shape': ({shape})}}");
            assert!(refusal(&header).is_some(), "{shape}");
        }
    }

    #[test]
    fn a_header_longer_than_numpys_own_is_not_allocated() {
        let endless = [MAGIC, &[2, 0], &[0xff; 4]].concat();
        assert!(checked(&mut endless.as_slice(), 1 << 40).is_err());
    }
}
