//! The characters of a text file: UTF-8, UTF-16 with a byte order mark, or Windows-1252.

use std::borrow::Cow;

use oslow_core::{Error, Result, decode_utf8};

/// What Windows-1252 has for the bytes 0x80 to 0x9f; `None` where it has nothing. All others are those of Latin-1.
const WINDOWS_1252: [Option<char>; 32] = [
    Some('€'),
    None,
    Some('‚'),
    Some('ƒ'),
    Some('„'),
    Some('…'),
    Some('†'),
    Some('‡'),
    Some('ˆ'),
    Some('‰'),
    Some('Š'),
    Some('‹'),
    Some('Œ'),
    None,
    Some('Ž'),
    None,
    None,
    Some('‘'),
    Some('’'),
    Some('“'),
    Some('”'),
    Some('•'),
    Some('–'),
    Some('—'),
    Some('˜'),
    Some('™'),
    Some('š'),
    Some('›'),
    Some('œ'),
    None,
    Some('ž'),
    Some('Ÿ'),
];

/// The text of some bytes, and the name of its encoding where that had to be assumed or is unusual.
pub(crate) fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Option<&'static str>)> {
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        return Ok((utf_16(rest, u16::from_le_bytes)?.into(), Some("UTF-16")));
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        return Ok((utf_16(rest, u16::from_be_bytes)?.into(), Some("UTF-16")));
    }
    match decode_utf8(bytes) {
        Ok(text) => Ok((text.strip_prefix('\u{feff}').unwrap_or(text).into(), None)),
        Err(damaged) => match windows_1252(bytes) {
            Some(text) => Ok((text.into(), Some("Windows-1252 (Latin-1)"))),
            None => Err(damaged),
        },
    }
}

fn utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len() / 2);
    let mut line = 1;
    for decoded in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        let Ok(character) = decoded else { return Err(no_utf_16(line)) };
        line += usize::from(character == '\n');
        text.push(character);
    }
    if rest.is_empty() { Ok(text) } else { Err(no_utf_16(line)) }
}

fn no_utf_16(line: usize) -> Error {
    Error::input(format!("line {line}: the text begins as UTF-16, and is damaged here"))
        .with_hint("save the file as UTF-8")
}

/// The text in Windows-1252, unless it is more likely damaged UTF-8 or no text at all.
fn windows_1252(bytes: &[u8]) -> Option<String> {
    let controls =
        bytes.iter().any(|&byte| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r') || byte == 0x7f);
    if controls || has_utf_8_sequence(bytes) {
        return None;
    }
    bytes
        .iter()
        .map(|&byte| match byte {
            0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
            other => Some(char::from(other)),
        })
        .collect()
}

/// Whether some character of several bytes is written as UTF-8 writes it: in other encodings that hardly happens.
fn has_utf_8_sequence(bytes: &[u8]) -> bool {
    bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Option<(String, Option<&'static str>)> {
        decode(bytes).ok().map(|(text, encoding)| (text.into_owned(), encoding))
    }

    #[test]
    fn each_encoding_is_known_by_its_bytes() {
        let text = "größe,x\n1,2\n€,3";
        assert_eq!(read(text.as_bytes()), Some((text.into(), None)));
        assert_eq!(read(format!("\u{feff}{text}").as_bytes()), Some((text.into(), None)));
        let units = |bytes: fn(u16) -> [u8; 2]| {
            std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect::<Vec<u8>>()
        };
        assert_eq!(read(&units(u16::to_le_bytes)), Some((text.into(), Some("UTF-16"))));
        assert_eq!(read(&units(u16::to_be_bytes)), Some((text.into(), Some("UTF-16"))));
        let windows = b"gr\xf6\xdfe,x\n1,2\n\x80,3";
        assert_eq!(read(windows), Some((text.into(), Some("Windows-1252 (Latin-1)"))));
    }

    #[test]
    fn what_is_damaged_is_not_guessed() {
        // A cut sequence beside whole ones, a byte that Windows-1252 lacks, a control character, half a pair, a lone surrogate.
        for bytes in [
            &b"\xc3\xa4,b\n1,\xc3\n"[..],
            b"a,b\n1,\x81\n",
            b"a,b\n1,\xe9\x00\n",
            b"\xff\xfea\x00,",
            b"\xff\xfe\x00\xd8a\x00",
        ] {
            assert!(decode(bytes).unwrap_err().is_input(), "{bytes:?}");
        }
        assert_eq!(
            decode(b"\xff\xfea\x00\n\x00\x00\xd8").unwrap_err().to_string(),
            "line 2: the text begins as UTF-16, and is damaged here"
        );
    }
}
