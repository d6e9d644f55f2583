//! One cell of a table.

/// What stands in a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    /// A number, possibly infinite, and how it was written, if it was.
    Number(f64, &'a str),
    /// Nothing, or a word that stands for nothing.
    Missing(&'a str),
    /// Anything else.
    Text(&'a str),
}

/// Words for "no value", in lower case; the last ones are errors of Excel.
pub const MISSING_WORDS: [&str; 22] = [
    "", "na", "n/a", "<na>", "nan", "nat", "null", "none", "missing", "nd", "n.d.", ".", "-", "--", "?",
    "#n/a", "#num!", "#div/0!", "#value!", "#ref!", "#name?", "#null!",
];

/// What separates thousands beside points and commas: spaces, also narrow ones and those that do not break, and apostrophes.
const SPACES: [char; 5] = [' ', '\u{a0}', '\u{202f}', '\'', '’'];

impl<'a> Cell<'a> {
    /// Reads a field whose surrounding spaces are gone.
    pub(crate) fn parse(text: &'a str, decimal: char) -> Self {
        if MISSING_WORDS.iter().any(|word| word.eq_ignore_ascii_case(text)) {
            return Self::Missing(text);
        }
        let spaced = || {
            let space = text.chars().find(|sign| SPACES.contains(sign))?;
            number(&without_thousands(text, space, decimal)?, decimal)
        };
        match number(text, decimal).or_else(spaced) {
            Some(x) if x.is_nan() => Self::Missing(text),
            Some(x) => Self::Number(x, text),
            None => Self::Text(text),
        }
    }
}

fn number(text: &str, decimal: char) -> Option<f64> {
    match decimal {
        // A point separates thousands: reading `1.234` as 1.234 would be silently wrong.
        ',' if text.contains('.') => {
            without_thousands(text, '.', ',').and_then(|text| text.replace(',', ".").parse().ok())
        }
        ',' => text.replace(',', ".").parse::<f64>().ok(),
        _ if text.contains(',') => without_thousands(text, ',', '.').and_then(|text| text.parse().ok()),
        _ => text.parse::<f64>().ok(),
    }
}

/// The number without separators of thousands, each of which stands before three digits; `None` if it is not written that way.
fn without_thousands(text: &str, separator: char, decimal: char) -> Option<String> {
    let (whole, rest) = text.split_at(text.find(decimal).unwrap_or(text.len()));
    let mut groups = whole.trim_start_matches(['-', '+']).split(separator);
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let first = groups.next().is_some_and(|group| (1..=3).contains(&group.len()) && digits(group));
    let three = groups.all(|group| group.len() == 3 && digits(group));
    (first && three && !rest.contains(separator)).then(|| whole.replace(separator, "") + rest)
}

impl From<f64> for Cell<'_> {
    /// Binary formats write a missing number as NaN.
    fn from(number: f64) -> Self {
        if number.is_nan() { Self::Missing("NaN") } else { Self::Number(number, "") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_numbers_missing_or_text() {
        for (text, number) in
            [("1", 1.0), ("-.5", -0.5), ("+2.", 2.0), ("1e-3", 1e-3), ("inf", f64::INFINITY)]
        {
            assert_eq!(Cell::parse(text, '.'), Cell::Number(number, text));
        }
        for text in ["", "NA", "NaN", "nan", "-nan", "null", "?", "N/A", ".", "--", "None", "<NA>"] {
            assert_eq!(Cell::parse(text, '.'), Cell::Missing(text));
        }
        for text in ["abc", "1,5", "1 00", "1 000 0", "12 1 000", "1000 000", "0x10", "--1"] {
            assert_eq!(Cell::parse(text, '.'), Cell::Text(text));
        }
    }

    #[test]
    fn the_guide_lists_every_word_for_no_value() {
        let guide = include_str!("../../../docs/guide.md").to_lowercase();
        for word in MISSING_WORDS.iter().filter(|word| !word.is_empty()) {
            assert!(guide.contains(&format!("`{word}`")), "{word}");
        }
    }

    #[test]
    fn a_decimal_comma_is_read_and_a_point_beside_it_separates_thousands() {
        let number = |text: &str| match Cell::parse(text, ',') {
            Cell::Number(x, _) => Some(x),
            _ => None,
        };
        assert_eq!(number("-1,5e3"), Some(-1500.0));
        assert_eq!(number("7"), Some(7.0));
        assert_eq!(number("1.234"), Some(1234.0));
        assert_eq!(number("24.989,4"), Some(24_989.4));
        assert_eq!(number("4\u{a0}278,9"), Some(4278.9));
        assert_eq!((number("1.23"), number("1,2,3")), (None, None));
    }

    #[test]
    fn thousands_are_separated_before_three_digits() {
        let number = |text: &str| match Cell::parse(text, '.') {
            Cell::Number(x, _) => Some(x),
            _ => None,
        };
        assert_eq!(number("25,708"), Some(25_708.0));
        assert_eq!(number("-1,234,567.5"), Some(-1_234_567.5));
        assert_eq!(
            (number("25 708"), number("1\u{202f}234\u{a0}567"), number("-1'234.5")),
            (Some(25_708.0), None, Some(-1234.5))
        );
        for text in ["1,5", "1234,567", "1,23,456", ",123", "1,234.5,6"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
