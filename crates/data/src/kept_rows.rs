//! Which rows of a table meet the conditions of the user.

use std::collections::BTreeSet;

use oslow_core::{Error, Remedy, Result, nearest};

use crate::cell::Cell;
use crate::row_filter::text_of;
use crate::{Note, RowFilter};

/// Different values of a column that are remembered for a message.
const MOST_SEEN: usize = 1000;
/// Values that a message lists.
const MOST_LISTED: usize = 10;

/// The conditions, and how many rows met them so far.
#[derive(Debug, Default)]
pub(crate) struct KeptRows {
    filters: Vec<Placed>,
    kept: usize,
    read: usize,
}

/// A condition and what it was asked of.
#[derive(Debug)]
struct Placed {
    filter: RowFilter,
    /// The place of its column among those that are read.
    place: usize,
    met: usize,
    seen: BTreeSet<String>,
}

impl KeptRows {
    /// The conditions on columns of these names.
    pub fn new(filters: &[RowFilter], names: &[String]) -> Self {
        let placed = |filter: &RowFilter| {
            let place = names.iter().position(|name| name == filter.column())?;
            Some(Placed { filter: filter.clone(), place, met: 0, seen: BTreeSet::new() })
        };
        Self { filters: filters.iter().filter_map(placed).collect(), kept: 0, read: 0 }
    }

    /// Whether every row is kept.
    pub fn is_everything(&self) -> bool {
        self.filters.is_empty()
    }

    /// Whether a row of these cells is kept.
    pub fn keeps(&mut self, cells: &[Cell<'_>], decimal: char) -> Result<bool> {
        self.read += 1;
        let mut all = true;
        for placed in &mut self.filters {
            let cell = &cells[placed.place];
            let met = placed.filter.holds(cell, decimal)?;
            placed.met += usize::from(met);
            if !met && placed.met == 0 && placed.seen.len() < MOST_SEEN {
                placed.seen.insert(match cell {
                    Cell::Number(number, "") => number.to_string(),
                    other => text_of(other).to_string(),
                });
            }
            all &= met;
        }
        self.kept += usize::from(all);
        Ok(all)
    }

    /// What is to be said of the rows that were kept. Refuses a table of which none is left.
    pub fn told(&self) -> Result<Option<Note>> {
        if self.is_everything() || self.read == 0 {
            return Ok(None);
        }
        if let Some(never) = self.filters.iter().find(|placed| placed.met == 0) {
            return Err(Error::input(format!("no row has `{}`", never.filter)).with_hint(never.suggestion()));
        }
        if self.kept == 0 {
            return Err(Error::input(format!("no row meets all of {}", self.listed()))
                .with_hint("each is met by some rows, but no row meets all of them: ask for fewer"));
        }
        Ok(Some(format!("kept {} of {} rows: {}", self.kept, self.read, self.listed()).into()))
    }

    fn listed(&self) -> String {
        let each: Vec<String> = self.filters.iter().map(|placed| format!("`{}`", placed.filter)).collect();
        each.join(", ")
    }
}

impl Placed {
    /// The value that was meant, or those that there are.
    fn suggestion(&self) -> Remedy {
        let known = || self.seen.iter().map(String::as_str).filter(|value| !value.is_empty());
        if let Some(near) = nearest(self.filter.value(), known()).filter(|_| self.filter.is_equal()) {
            return format!("did you mean `{near}`?").as_str().into();
        }
        let column = self.filter.column();
        let mut numbers: Vec<f64> = known().filter_map(|value| value.parse().ok()).collect();
        numbers.sort_by(f64::total_cmp);
        let remedy = match (numbers.first(), numbers.last()) {
            (Some(least), Some(most)) if numbers.len() == known().count() => {
                format!("`{column}` lies between {least} and {most}")
            }
            _ => {
                let listed: Vec<&str> = known().take(MOST_LISTED).collect();
                let more = if known().count() > MOST_LISTED { " and others" } else { "" };
                format!("the values of `{column}` are: {}{more}", listed.join(", "))
            }
        };
        remedy.as_str().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(filters: &[&str], rows: &[[&str; 2]]) -> Result<Option<String>> {
        let filters: Vec<RowFilter> = filters.iter().map(|filter| filter.parse().unwrap()).collect();
        let mut kept = KeptRows::new(&filters, &["site", "x"].map(String::from));
        for row in rows {
            kept.keeps(&row.map(|cell| Cell::parse(cell, '.')), '.')?;
        }
        kept.told().map(|note| note.map(|note| note.text))
    }

    #[test]
    fn counts_are_told_and_an_unknown_value_is_refused() {
        let rows = [["A", "1"], ["B", "2"], ["B", "30"], ["NA", "4"]];
        assert_eq!(told(&[], &rows).unwrap(), None);
        assert_eq!(told(&["site=B", "x<10"], &rows).unwrap().unwrap(), "kept 1 of 4 rows: `site=B`, `x<10`");
        let refused = |filters: &[&str]| {
            let error = told(filters, &rows).unwrap_err();
            (error.to_string(), error.hint().unwrap())
        };
        let words = |message: &str, hint: &str| (message.to_string(), hint.to_string());
        assert_eq!(refused(&["site=C"]), words("no row has `site=C`", "the values of `site` are: A, B, NA"));
        assert_eq!(refused(&["x>99"]), words("no row has `x>99`", "`x` lies between 1 and 30"));
        assert_eq!(refused(&["site=A", "x=2"]).0, "no row meets all of `site=A`, `x=2`");
    }
}
