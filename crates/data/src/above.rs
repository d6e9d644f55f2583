//! What stands above a table in a text: lines to pass over, comments, a title.

use csv::StringRecord;
use oslow_core::{Choice, Error, Remedy, Result};

use crate::column::shortened;
use crate::lines::Lines;
use crate::{Note, ReadOptions, dialect};

/// What comments begin with where nobody says.
const COMMENT: char = '#';
/// Lines at the start of a table that are looked at.
const LOOKED_AT: usize = 100;
/// Lines of a title, at most.
const LONGEST_TITLE: usize = 10;

/// A table in a text, and what was found above it.
pub(crate) struct Above<'a> {
    /// The text from the first line of the table on, …
    table: &'a str,
    /// … and how many lines stand before it.
    lines: u64,
    delimiter: u8,
    comment: Option<u8>,
    /// The last line of comments above the table, without its sign.
    last_comment: Option<&'a str>,
    start: Vec<(u64, StringRecord)>,
    pub notes: Vec<Note>,
}

impl<'a> Above<'a> {
    /// Finds the table in a text.
    pub fn of(text: &'a str, options: &ReadOptions) -> Result<Self> {
        let (mut table, mut lines) = (text, 0);
        while lines < options.skip as u64 && !table.is_empty() {
            table = below_first_line(table);
            lines += 1;
        }
        if options.skip > 0 && table.trim().is_empty() {
            return Err(Error::input(format!("nothing is left below the first {} lines", options.skip))
                .with_hint(Remedy::from("skip fewer lines with ").and(Choice::Skip)));
        }
        let sign = options.comment.unwrap_or(COMMENT);
        let (mut comments, mut last_comment) = (0, None);
        loop {
            let line = table.lines().next().unwrap_or_default();
            match line.trim_start().strip_prefix(sign) {
                Some(comment) => (comments, last_comment) = (comments + 1, Some(comment)),
                None if line.trim().is_empty() && !table.is_empty() => {}
                None => break,
            }
            table = below_first_line(table);
            lines += 1;
        }
        let comment = (comments > 0 || options.comment.is_some()).then_some(sign as u8);
        let delimiter =
            options.delimiter.unwrap_or_else(|| dialect::delimiter(table, options.decimal.unwrap_or('.')));
        let mut found =
            Self { table, lines, delimiter, comment, last_comment, start: Vec::new(), notes: Vec::new() };
        if comments > 0 {
            let which = if comments == 1 { "1 line".into() } else { format!("{comments} lines") };
            found.notes.push(format!("passed over {which} of comments above the table").into());
        }
        found.look()?;
        if options.header != Some(false) {
            found.pass_over_title()?;
        }
        Ok(found)
    }

    fn look(&mut self) -> Result<()> {
        let mut lines = self.lines();
        let (mut record, mut start) = (StringRecord::new(), Vec::new());
        while start.len() < LOOKED_AT
            && let Some(number) = lines.next(&mut record)?
        {
            start.push((number, record.clone()));
        }
        self.start = start;
        Ok(())
    }

    /// A title has one field, and a header with more fields stands below it.
    fn pass_over_title(&mut self) -> Result<()> {
        let title = self.start.iter().take(LONGEST_TITLE).take_while(|(_, record)| is_title(record)).count();
        if title == 0 || !self.start.get(title).is_some_and(|(_, record)| is_header(record)) {
            return Ok(());
        }
        let words = shortened(self.start[0].1.get(0).unwrap_or_default());
        self.notes.push(format!("passed over a title above the header: `{words}`").into());
        let first = self.start[title].0;
        while self.lines + 1 < first {
            self.table = below_first_line(self.table);
            self.lines += 1;
        }
        self.look()
    }

    /// The lines of the table.
    pub fn lines(&self) -> Lines<'a> {
        Lines::below(self.table, self.lines, self.delimiter, self.comment)
    }

    /// The first lines of the table, with their numbers.
    pub fn start(&self) -> impl Iterator<Item = (u64, &StringRecord)> + Clone {
        self.start.iter().map(|(number, record)| (*number, record))
    }

    /// The names in the last line of comments, where the table itself begins with data: NumPy writes headers so.
    pub fn names_in_comment(&self, decimal: char) -> Option<Vec<String>> {
        let (_, first) = self.start.first()?;
        let mut names = StringRecord::new();
        Lines::new(self.last_comment?, self.delimiter).next(&mut names).ok()??;
        let is_number = |field: &str| dialect::is_number(field, decimal);
        let fits = names.len() > 1 && names.len() == first.len();
        (fits && !names.iter().any(is_number) && first.iter().any(is_number))
            .then(|| names.iter().map(str::to_string).collect())
    }

    /// Names another cause of an error: lines above the header, which is wider than what was taken for one.
    pub fn with_title_hint(&self, error: Error, width: usize) -> Error {
        match self.wider_line(width) {
            Some(line) if width == 1 || self.is_header_above_data(line) => error.with_hint(
                Remedy::from("if the table begins below, pass over the lines above it with ")
                    .and(Choice::Skip.set((self.start[line].0 - 1).to_string())),
            ),
            _ => error,
        }
    }

    /// Whether what was taken for the header, with so many names, stands above a wider one.
    pub fn has_wider_header(&self, width: usize) -> bool {
        self.wider_line(width).is_some_and(|line| self.is_header_above_data(line))
    }

    /// The first line below the first one that has more fields.
    fn wider_line(&self, width: usize) -> Option<usize> {
        let is_wider = |(_, record): &(u64, StringRecord)| filled(record) > width;
        self.start.iter().take(LONGEST_TITLE + 1).position(is_wider).filter(|&line| line > 0)
    }

    fn is_header_above_data(&self, line: usize) -> bool {
        let has_number = |record: &StringRecord| {
            record.iter().any(|field| ['.', ','].iter().any(|sign| dialect::is_number(field, *sign)))
        };
        let mut records = self.start[line..].iter().map(|(_, record)| record);
        records.next().is_some_and(|record| is_header(record) && !has_number(record))
            && records.next().is_some_and(has_number)
    }
}

/// Names of columns, whatever the decimal sign, which is not known yet.
fn is_header(record: &StringRecord) -> bool {
    filled(record) > 1 && ['.', ','].iter().all(|sign| dialect::is_header(record.iter(), *sign))
}

fn filled(record: &StringRecord) -> usize {
    record.iter().filter(|field| !field.is_empty()).count()
}

/// Only the first field holds something. Two fields may be a header whose second name is missing.
fn is_title(record: &StringRecord) -> bool {
    filled(record) == 1 && record.len() != 2 && record.get(0).is_some_and(|field| !field.is_empty())
}

fn below_first_line(text: &str) -> &str {
    // Old Macs end lines by a return alone.
    match text.find(['\n', '\r']) {
        Some(end) => text[end..].strip_prefix("\r\n").unwrap_or_else(|| &text[end + 1..]),
        None => "",
    }
}
