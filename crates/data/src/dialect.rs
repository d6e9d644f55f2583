//! Recognising how a text table is written: its delimiter and its header.

use oslow_core::{Choice, Remedy};

use crate::Note;
use crate::cell::Cell;

/// The delimiters that are recognised, the least ambiguous first: a decimal comma looks like a delimiter.
const DELIMITERS: [u8; 3] = [b'\t', b';', b','];

/// How many lines are looked at.
const LINES: usize = 20;

/// Lines of a title above a table, at most.
const LONGEST_TITLE: usize = 10;

/// The delimiter that occurs equally often on each of the first lines, or on each below a title without it; where none does, the one most
/// frequent on the first line that has any.
pub(crate) fn delimiter(text: &str, decimal: char) -> u8 {
    let counts = delimiters_per_line(text);
    let candidates = || (0..DELIMITERS.len()).filter(|&k| char::from(DELIMITERS[k]) != decimal);
    let steady = |title: usize| {
        let (above, table) = counts.split_at(title);
        let first = table.first().copied().unwrap_or_default();
        let enough = title == 0 || table.len() > 1;
        candidates().find(|&k| {
            enough
                && first[k] > 0
                && table.iter().all(|line| line[k] == first[k])
                && above.iter().all(|line| line[k] == 0)
        })
    };
    let best = (0..=LONGEST_TITLE.min(counts.len())).find_map(steady).or_else(|| {
        let first = counts.iter().find(|line| candidates().any(|k| line[k] > 0))?;
        // `rev`: of equals `max_by_key` takes the last, and the first of the list is to win.
        candidates().rev().filter(|&k| first[k] > 0).max_by_key(|&k| first[k])
    });
    match best {
        Some(k) => DELIMITERS[k],
        None if decimal == ',' => b';',
        None => b',',
    }
}

/// How often each delimiter occurs outside quotes on the first lines that are not blank.
fn delimiters_per_line(text: &str) -> Vec<[usize; DELIMITERS.len()]> {
    let mut lines = Vec::new();
    let (mut line, mut blank, mut quoted) = ([0; DELIMITERS.len()], true, false);
    for byte in text.bytes().chain([b'\n']) {
        match byte {
            b'\n' | b'\r' if !quoted => {
                if !blank {
                    lines.push(line);
                }
                if lines.len() == LINES {
                    break;
                }
                (line, blank) = ([0; DELIMITERS.len()], true);
                continue;
            }
            b'"' => quoted = !quoted,
            _ => {}
        }
        if let Some(k) = DELIMITERS.iter().position(|&d| d == byte && !quoted) {
            line[k] += 1;
        }
        blank &= byte == b' ';
    }
    lines
}

/// The decimal sign: a comma, if some fields are numbers only with a comma and none only with a point.
pub(crate) fn decimal<'a>(fields: impl Iterator<Item = &'a str>) -> char {
    let (mut commas, mut points) = (0, 0);
    for field in fields.filter(|field| field.contains(['.', ','])) {
        let is_number = |decimal: char| matches!(Cell::parse(field, decimal), Cell::Number(..));
        commas += usize::from(is_number(',') && !is_number('.'));
        points += usize::from(is_number('.') && !is_number(','));
    }
    if commas > 0 && points == 0 { ',' } else { '.' }
}

/// Says where a point may separate thousands: a column in which three digits follow every point, beside numbers without any.
pub(crate) fn thousands_doubt<'a>(
    rows: impl Iterator<Item = &'a csv::StringRecord> + Clone,
    names: &[String],
) -> Option<Note> {
    let doubtful = |j: usize| {
        let numbers = || rows.clone().filter_map(move |row| row.get(j)).filter(|field| is_number(field, '.'));
        let (with, without): (Vec<&str>, Vec<&str>) = numbers().partition(|field| field.contains('.'));
        let separated =
            |field: &&str| is_number(field, ',') && !field.trim_start_matches(['-', '+']).starts_with('0');
        let doubtful = with.len() > 1 && !without.is_empty() && with.iter().all(separated);
        doubtful.then(|| (j, with[0].to_string()))
    };
    let (j, example) = (0..names.len()).find_map(doubtful)?;
    Some(Note {
        text: format!("`{example}` in column `{}` was read as a number below 1000", names[j]),
        remedy: Some(Remedy::from("if its point separates thousands, pass ").and(Choice::Decimal.set(","))),
    })
}

/// Whether a field is a number.
pub(crate) fn is_number(field: &str, decimal: char) -> bool {
    matches!(Cell::parse(field, decimal), Cell::Number(..))
}

/// Whether a first line holds names: one of its fields is neither a number nor missing.
pub(crate) fn is_header<'a>(mut fields: impl Iterator<Item = &'a str>, decimal: char) -> bool {
    fields.any(|field| matches!(Cell::parse(field, decimal), Cell::Text(_)))
}

/// What is doubtful about the reading of the first line.
pub(crate) fn header_doubt<'a>(fields: impl Iterator<Item = &'a str>, decimal: char) -> Option<Note> {
    let numbers: Vec<Option<f64>> = fields
        .map(|field| match Cell::parse(field, decimal) {
            Cell::Number(x, _) => Some(x),
            _ => None,
        })
        .collect();
    let count = numbers.iter().flatten().count();
    if numbers.iter().enumerate().all(|(j, x)| *x == Some(j as f64)) {
        let last = count - 1;
        return Some(Note {
            text: format!("the first line counts from 0 to {last} like default names, but was read as data"),
            remedy: Some(Remedy::from("if it holds names, pass ").and(Choice::Header)),
        });
    }
    let fields = numbers.len();
    (count < fields && 2 * count > fields).then(|| Note {
        text: format!(
            "the first line was read as a header, though {count} of its {fields} fields are numbers"
        ),
        remedy: Some(Remedy::from("if it is data, pass ").and(Choice::NoHeader)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_are_recognised() {
        assert_eq!(delimiter("a,b\n1,2\n", '.'), b',');
        assert_eq!(delimiter("a;b\n1,5;2,5\n", '.'), b';');
        assert_eq!(delimiter("1,5;2,5\n3;4,0\n", ','), b';');
        assert_eq!(delimiter("\n\n\"a;b\"\t\"c\td\"\r\n1\t2", '.'), b'\t');
        assert_eq!(delimiter("a,b,c\n1,2\n", '.'), b',');
        assert_eq!(delimiter("Study 12, Bern\n\na;b;c\n1;2;3\n4;5;6\n", '.'), b';');
        assert_eq!(delimiter("a,b\n1,2\n3\n", '.'), b',');
        assert_eq!(
            (delimiter("a\n1\n", '.'), delimiter("a\n1,5\n", ','), delimiter("", '.')),
            (b',', b';', b',')
        );
    }

    #[test]
    fn points_before_three_digits_are_doubted() {
        let doubt = |fields: &[&str]| {
            let rows: Vec<csv::StringRecord> = fields.iter().map(|field| vec![*field].into()).collect();
            thousands_doubt(rows.iter(), &["a".into()]).map(|note| note.text)
        };
        let told = "`8.932` in column `a` was read as a number below 1000";
        assert_eq!(doubt(&["913", "8.932", "12.450"]).as_deref(), Some(told));
        for fine in
            [&["913", "8.93", "12.450"][..], &["8.932", "12.450"], &["1", "0.932", "0.450"], &["1", "8.932"]]
        {
            assert_eq!(doubt(fine), None, "{fine:?}");
        }
    }

    #[test]
    fn headers_are_recognised_and_doubted() {
        let header = |line: &'static str| is_header(line.split(','), '.');
        assert!(header("a,b") && header("1,b") && header(",b"));
        assert!(!header("1,2") && !header("1,NA") && !header("1e5,"));
        let doubt = |line: &'static str| header_doubt(line.split(','), '.');
        assert!(doubt("0,1,2").unwrap().text.ends_with("was read as data"));
        assert!(doubt("1.5,2.x,3").unwrap().text.contains("2 of its 3 fields"));
        assert_eq!((doubt("a,b,3"), doubt("1,2,3")), (None, None));
    }
}
