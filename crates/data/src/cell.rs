//! One cell of a table.

/// What stands in a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    /// A number, possibly infinite.
    Number(f64),
    /// Nothing, or a word that stands for nothing.
    Missing(&'a str),
    /// Anything else.
    Text(&'a str),
}

/// Words for "no value", in lower case.
const MISSING: [&str; 6] = ["", "na", "n/a", "nan", "null", "?"];

impl<'a> Cell<'a> {
    /// Reads a field whose surrounding spaces are gone.
    pub(crate) fn parse(text: &'a str, decimal: char) -> Self {
        if MISSING.iter().any(|word| word.eq_ignore_ascii_case(text)) {
            return Self::Missing(text);
        }
        let number = match decimal {
            // A point would separate thousands: reading `1.234` as 1.234 would be silently wrong.
            ',' if text.contains('.') => None,
            ',' => text.replace(',', ".").parse::<f64>().ok(),
            _ => text.parse::<f64>().ok(),
        };
        match number {
            Some(x) if x.is_nan() => Self::Missing(text),
            Some(x) => Self::Number(x),
            None => Self::Text(text),
        }
    }
}

impl From<f64> for Cell<'_> {
    /// Binary formats write a missing number as NaN.
    fn from(number: f64) -> Self {
        if number.is_nan() { Self::Missing("NaN") } else { Self::Number(number) }
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
            assert_eq!(Cell::parse(text, '.'), Cell::Number(number));
        }
        for text in ["", "NA", "NaN", "nan", "-nan", "null", "?", "N/A"] {
            assert_eq!(Cell::parse(text, '.'), Cell::Missing(text));
        }
        for text in ["abc", "1,5", "1 000", "0x10", "--1"] {
            assert_eq!(Cell::parse(text, '.'), Cell::Text(text));
        }
    }

    #[test]
    fn a_decimal_comma_is_read_and_a_point_beside_it_is_not() {
        assert_eq!(Cell::parse("-1,5e3", ','), Cell::Number(-1500.0));
        assert_eq!(Cell::parse("7", ','), Cell::Number(7.0));
        assert_eq!(Cell::parse("1.234", ','), Cell::Text("1.234"));
        assert_eq!(Cell::parse("1,2,3", ','), Cell::Text("1,2,3"));
    }
}
