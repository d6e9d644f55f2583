//! The lines of a text table.

use csv::{ReaderBuilder, StringRecord, Trim};
use oslow_core::{Error, Result};

/// The lines of a table that are neither empty nor comments.
pub(crate) struct Lines<'a> {
    text: &'a [u8],
    reader: csv::Reader<&'a [u8]>,
    comment: Option<u8>,
    /// The lines above the text.
    above: u64,
    /// How many rows of empty fields were passed over.
    pub empty: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str, delimiter: u8) -> Self {
        Self::below(text, 0, delimiter, None)
    }

    /// The lines of a text above which there are others.
    pub(crate) fn below(text: &'a str, above: u64, delimiter: u8, comment: Option<u8>) -> Self {
        let mut builder = ReaderBuilder::new();
        builder.delimiter(delimiter).has_headers(false).flexible(true).trim(Trim::All).comment(comment);
        let reader = builder.from_reader(text.as_bytes());
        Self { text: text.as_bytes(), reader, comment, above, empty: 0 }
    }

    /// Reads the next line into `record` and gives its number, counted from 1.
    pub(crate) fn next(&mut self, record: &mut StringRecord) -> Result<Option<u64>> {
        loop {
            let more =
                self.reader.read_record(record).map_err(|e| Error::input(format!("not a table: {e}")))?;
            if !more {
                return Ok(None);
            }
            if record.iter().any(|field| !field.is_empty()) {
                return Ok(Some(record.position().map_or(1, |start| self.line(start))));
            }
            self.empty += usize::from(record.len() > 1);
        }
    }

    /// The line where a record begins: the reader's position lies before the line ends and comments that it skipped.
    fn line(&self, start: &csv::Position) -> u64 {
        let mut rest = &self.text[start.byte() as usize..];
        let mut line = self.above + start.line();
        while let Some((&byte, others)) = rest.split_first() {
            match byte {
                b'\n' => line += 1,
                b'\r' => {}
                _ if Some(byte) == self.comment => {
                    let end = others.iter().position(|&byte| byte == b'\n').unwrap_or(others.len());
                    rest = &others[end..];
                    continue;
                }
                _ => break,
            }
            rest = others;
        }
        line
    }
}
