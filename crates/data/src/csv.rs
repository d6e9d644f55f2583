//! Text tables: comma, semicolon or tab separated, with or without a header.

use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};
use oslow_core::{Choice, Error, Remedy, Result, decode_utf8};

use crate::{ReadOptions, cell::Cell, dialect, format, rows::Rows, selection};

/// Reads a text file; `tabs` says that its extension promises tabs.
pub(crate) fn read(path: &Path, tabs: bool, options: &ReadOptions) -> Result<Rows> {
    let text = read_text(path)?;
    let promised = tabs && text.lines().next().is_some_and(|line| line.contains('\t'));
    let delimiter = options.delimiter.or(promised.then_some(b'\t'));
    parse(&text, &ReadOptions { delimiter, ..options.clone() })
}

/// The text of a file.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).map_err(|e| Error::io("read", path, e))?;
    Ok(decode(&bytes)?.to_string())
}

/// Reads the text of a table.
pub(crate) fn parse(text: &str, options: &ReadOptions) -> Result<Rows> {
    options.check()?;
    let delimiter =
        options.delimiter.unwrap_or_else(|| dialect::delimiter(text, options.decimal.unwrap_or('.')));
    let decimal = match options.decimal {
        Some(decimal) => decimal,
        None => decimal(text, delimiter)?,
    };
    let options = &ReadOptions { decimal: Some(decimal), ..options.clone() };
    let mut lines = Lines::new(text, delimiter);
    let mut record = StringRecord::new();
    let Some(first_line) = lines.next(&mut record)? else {
        return Err(Error::input("the file is empty")
            .with_hint("a table has a line of names and a line for each row"));
    };

    let fields = record.len();
    let header = options.header.unwrap_or_else(|| dialect::is_header(record.iter(), decimal));
    let names: Vec<String> = match header {
        true => record.iter().map(str::to_string).collect(),
        false => format::default_names(fields),
    };
    let chosen = selection::choose(&names, options)?;
    let mut rows = Rows::new(chosen.iter().map(|&j| names[j].clone()).collect(), "line", options);
    if options.header.is_none() {
        rows.notes.extend(dialect::header_doubt(record.iter(), decimal));
    }

    let mut line = if header { lines.next(&mut record)? } else { Some(first_line) };
    if line.is_none() {
        return Err(Error::input("the table has a header and no rows").with_hint(
            Remedy::from("if its only line is data, pass ")
                .and(Choice::NoHeader)
                .and("; an order needs many more rows"),
        ));
    }
    while let Some(number) = line {
        if record.len() != fields {
            return Err(ragged(number, record.len(), first_line, fields, header));
        }
        rows.push(number, chosen.iter().map(|&j| Cell::parse(&record[j], decimal)))?;
        line = lines.next(&mut record)?;
    }
    Ok(rows)
}

/// How many lines are looked at for the decimal sign.
const LINES: usize = 100;

/// The decimal sign that the first lines have.
fn decimal(text: &str, delimiter: u8) -> Result<char> {
    let mut lines = Lines::new(text, delimiter);
    let (mut record, mut fields) = (StringRecord::new(), Vec::new());
    while fields.len() < LINES && lines.next(&mut record)?.is_some() {
        fields.push(record.clone());
    }
    Ok(dialect::decimal(fields.iter().flat_map(StringRecord::iter)))
}

/// A line with another number of fields than the first.
pub(crate) fn ragged(line: u64, found: usize, first_line: u64, expected: usize, header: bool) -> Error {
    let what = if header { "the header" } else { "the first row" };
    let count = |n: usize| if n == 1 { "1 field".to_string() } else { format!("{n} fields") };
    let message = format!("line {line}: {}, but {what} (line {first_line}) has {expected}", count(found));
    Error::input(message).with_hint(if header && found == expected + 1 {
        Remedy::from("if the rows begin with a name that the header does not have, add one to it and pass ")
            .and(Choice::Index)
            .and(" with it")
    } else {
        Remedy::from("repair the line; a field that contains the delimiter must stand in quotes")
    })
}

/// The lines of a table that are not blank.
pub(crate) struct Lines<'a> {
    text: &'a [u8],
    reader: csv::Reader<&'a [u8]>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str, delimiter: u8) -> Self {
        let mut builder = ReaderBuilder::new();
        builder.delimiter(delimiter).has_headers(false).flexible(true).trim(Trim::All);
        Self { text: text.as_bytes(), reader: builder.from_reader(text.as_bytes()) }
    }

    /// Reads the next line into `record` and gives its number, counted from 1.
    pub(crate) fn next(&mut self, record: &mut StringRecord) -> Result<Option<u64>> {
        loop {
            let more =
                self.reader.read_record(record).map_err(|e| Error::input(format!("not a table: {e}")))?;
            if !more {
                return Ok(None);
            }
            let blank = record.len() <= 1 && record.iter().all(str::is_empty);
            if !blank {
                return Ok(Some(record.position().map_or(1, |start| self.line(start))));
            }
        }
    }

    /// The line where a record begins: the reader's position lies before the line ends that it skipped.
    fn line(&self, start: &csv::Position) -> u64 {
        let rest = &self.text[start.byte() as usize..];
        let skipped = rest.iter().take_while(|byte| matches!(byte, b'\n' | b'\r'));
        start.line() + skipped.filter(|&&byte| byte == b'\n').count() as u64
    }
}

/// The text of a file without its byte order mark.
fn decode(bytes: &[u8]) -> Result<&str> {
    if let Some((what, remedy)) = format::foreign(bytes) {
        return Err(Error::input(format!("this is {what}, not a text table")).with_hint(remedy));
    }
    let text = decode_utf8(bytes)?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Sample;

    fn table(text: &str, options: &ReadOptions) -> Result<Sample> {
        Ok(parse(decode(text.as_bytes())?, options)?.finish()?.0)
    }

    fn values(text: &str) -> (Vec<String>, Vec<f64>) {
        let sample = table(text, &ReadOptions::default()).unwrap();
        (sample.names().to_vec(), sample.values().to_vec())
    }

    #[test]
    fn the_ways_to_write_a_table_are_understood() {
        let expected = (vec!["a".to_string(), "b c".to_string()], vec![1.0, 2.5, -3.0, 4e2]);
        for text in [
            "a,b c\n1,2.5\n-3,4e2\n",
            "\u{feff}a,b c\r\n1,2.5\r\n-3,4e2",
            "\"a\";\"b c\"\n\"1\";\"2.5\"\n\n-3;4e2\n\n",
            " a \t b c \n 1 \t 2.5 \n -3 \t 4e2 \n   \n",
            "a,b c\r1,2.5\r-3,4e2\r",
        ] {
            assert_eq!(values(text), expected, "{text:?}");
        }
        assert_eq!(values("1,2\n3,4").0, ["X0", "X1"]);
        assert_eq!(values("x,\"y,z\"\n1,2\n3,4").0, ["x", "y,z"]);
    }

    #[test]
    fn a_decimal_comma_goes_with_semicolons_and_tabs() {
        let options = ReadOptions { decimal: Some(','), ..ReadOptions::default() };
        for text in ["a;b\n1,5;2\n3;-4,25\n", "a\tb\n1,5\t2\n3\t-4,25\n", "1,5;2\n3;-4,25"] {
            assert_eq!(table(text, &options).unwrap().values(), [1.5, 2.0, 3.0, -4.25]);
        }
    }

    #[test]
    fn options_overrule_what_would_be_recognised() {
        let forced = ReadOptions { header: Some(true), ..ReadOptions::default() };
        assert_eq!(table("1,2\n3,4\n5,6", &forced).unwrap().names(), ["1", "2"]);
        let bar = ReadOptions { delimiter: Some(b'|'), ..ReadOptions::default() };
        assert_eq!(table("a|b\n3|4\n5|6", &bar).unwrap().values(), [3.0, 4.0, 5.0, 6.0]);
    }

    #[test]
    fn line_numbers_count_blank_lines() {
        for ends in ["\n", "\r\n"] {
            let text = "|a,b||1,2||  |3,x|4,5".replace('|', ends);
            let error = table(&text, &ReadOptions::default()).unwrap_err();
            assert_eq!(error.to_string(), "line 7, column `b`: `x` is not a number");
        }
    }

    #[test]
    fn thousands_of_columns_are_read() {
        let line = |f: &dyn Fn(usize) -> String| (0..5000).map(f).collect::<Vec<_>>().join(",");
        let text =
            [line(&|j| format!("c{j}")), line(&|j| j.to_string()), line(&|j| (j * j).to_string())].join("\n");
        let sample = table(&text, &ReadOptions::default()).unwrap();
        assert_eq!((sample.columns(), sample.value(1, 4999)), (5000, 4999.0 * 4999.0));
    }
}
