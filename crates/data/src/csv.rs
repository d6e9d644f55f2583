//! Text tables: comma, semicolon or tab separated, with or without a header.

use csv::StringRecord;
use oslow_core::{Choice, Error, Remedy, Result};

use crate::above::Above;
use crate::shape::Shape;
use crate::{Note, ReadOptions, cell::Cell, dialect, encoding, format, rows::Rows, selection, units};

/// Reads the bytes of a text file; `tabs` says that its extension promises tabs.
pub(crate) fn read(bytes: &[u8], tabs: bool, options: &ReadOptions) -> Result<Rows> {
    let (text, note) = text(bytes)?;
    let promised = tabs && text.lines().next().is_some_and(|line| line.contains('\t'));
    let delimiter = options.delimiter.or(promised.then_some(b'\t'));
    let mut rows = parse(&text, &ReadOptions { delimiter, ..options.clone() })?;
    rows.notes.splice(0..0, note);
    Ok(rows)
}

/// The text of some bytes, and the encoding that was assumed.
pub(crate) fn text(bytes: &[u8]) -> Result<(std::borrow::Cow<'_, str>, Option<Note>)> {
    if let Some((what, remedy)) = format::foreign(bytes) {
        return Err(Error::input(format!("this is {what}, not a text table")).with_hint(remedy));
    }
    let (text, encoding) = encoding::decode(bytes)?;
    Ok((text, encoding.map(|name| format!("not UTF-8: read as {name}").into())))
}

/// Reads the text of a table.
pub(crate) fn parse(text: &str, options: &ReadOptions) -> Result<Rows> {
    parse_in(text, "line", options)
}

/// The same; `unit` is what messages call a line.
pub(crate) fn parse_in(text: &str, unit: &'static str, options: &ReadOptions) -> Result<Rows> {
    options.check()?;
    let above = Above::of(text, options)?;
    let Some((first_line, first)) = above.start().next() else {
        return Err(Error::input("the file is empty")
            .with_hint("a table has a line of names and a line for each row"));
    };
    let decimal = match options.decimal {
        Some(decimal) => decimal,
        None => dialect::decimal(above.start().flat_map(|(_, record)| record.iter())),
    };
    let decimal_is_given = options.decimal.is_some();
    let options = &ReadOptions { decimal: Some(decimal), ..options.clone() };
    let mut notes = above.notes.clone();
    let commented = above.names_in_comment(decimal);
    let header = match &commented {
        Some(_) => false,
        None => options.header.unwrap_or_else(|| dialect::is_header(first.iter(), decimal)),
    };
    let mut names: Vec<String> = match (&commented, header) {
        (Some(names), _) => names.clone(),
        (None, true) => first.iter().map(in_one_line).collect(),
        (None, false) => format::default_names(first.len()),
    };
    let shape = Shape::of(&above, &mut names, header)?;
    let usable = |j: usize| shape.is_usable(j);
    let chosen = selection::choose_among(&names, usable, options)
        .map_err(|e| above.with_title_hint(e, names.len()))?;
    notes.extend(shape.notes());
    if header {
        notes.extend(renamed(first, &names));
    }
    if options.header.is_none() && commented.is_none() {
        let doubt = dialect::header_doubt(first.iter(), decimal);
        notes.extend(doubt.or_else(|| (!header).then(|| no_header(&names, first))));
    }
    if decimal == '.' && !decimal_is_given {
        notes.extend(dialect::thousands_doubt(above.start().map(|(_, record)| record), &names));
    }
    let mut rows = Rows::new(chosen.iter().map(|&j| names[j].clone()).collect(), unit, options);
    rows.notes.splice(0..0, notes);

    let mut lines = above.lines();
    let mut record = StringRecord::new();
    let mut line = lines.next(&mut record)?;
    if header {
        line = lines.next(&mut record)?;
    }
    let holds_units = header && shape.fits(&record) && units::is_row_of_units(above.start(), decimal);
    if let Some(number) = line.filter(|_| holds_units) {
        rows.notes.push(units::note(unit, number, &record));
        line = lines.next(&mut record)?;
    }
    if line.is_none() {
        return Err(Error::input("the table has a header and no rows").with_hint(
            Remedy::from("if its only line is data, pass ")
                .and(Choice::NoHeader)
                .and("; an order needs many more rows"),
        ));
    }
    while let Some(number) = line {
        if !shape.fits(&record) {
            let error = ragged(number, record.len(), first_line, names.len(), header);
            return Err(above.with_title_hint(error, names.len()));
        }
        let cell = |&j: &usize| Cell::parse(record.get(j).unwrap_or_default(), decimal);
        rows.push(number, chosen.iter().map(cell))?;
        line = lines.next(&mut record)?;
    }
    if lines.empty > 0 {
        rows.notes.push(format!("passed over {} empty rows", lines.empty).into());
    }
    Ok(rows)
}

/// A name without line breaks, which Excel puts into long ones.
fn in_one_line(name: &str) -> String {
    if name.contains(['\n', '\r']) {
        name.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        name.to_string()
    }
}

/// That line breaks were taken out of names.
fn renamed(first: &StringRecord, names: &[String]) -> Option<Note> {
    let broken = first.iter().filter(|name| name.contains(['\n', '\r'])).map(in_one_line);
    let broken: Vec<String> =
        broken.filter(|name| names.contains(name)).map(|name| format!("`{name}`")).collect();
    (!broken.is_empty()).then(|| format!("line breaks in names became spaces: {}", broken.join(", ")).into())
}

/// That the first line was read as data.
fn no_header(names: &[String], first: &StringRecord) -> Note {
    let last = names.len().saturating_sub(1);
    let start: Vec<&str> = first.iter().take(3).collect();
    let more = if first.len() > start.len() { ",…" } else { "" };
    Note {
        text: format!("no header found: the columns are named X0 to X{last}"),
        remedy: Some(
            Remedy::from(format!("if the first line (`{}{more}`) holds names, pass ", start.join(",")))
                .and(Choice::Header),
        ),
    }
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
