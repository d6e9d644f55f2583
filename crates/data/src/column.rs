//! The cells of one column: numbers, or words that stand for levels.

use std::collections::{HashMap, HashSet};

use oslow_core::{Choice, ColumnType, Error, MOST_LEVELS, Remedy, Result};

use crate::date::days;
use crate::{GivenType, Note};

/// A column of words of which this share is different names rows, not kinds of rows.
const MOSTLY_DIFFERENT: f64 = 0.9;

/// What a column holds, as far as it was read.
#[derive(Debug)]
pub(crate) struct Column {
    given: Option<GivenType>,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Unknown,
    Numbers,
    Words(Words),
}

/// Words in the order in which they came; a cell holds the number of its word.
#[derive(Debug, Default)]
struct Words {
    known: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Words {
    fn number(&mut self, word: &str) -> f64 {
        if let Some(&number) = self.numbers.get(word) {
            return number as f64;
        }
        self.known.push(word.to_string());
        self.numbers.insert(word.to_string(), self.known.len() - 1);
        (self.known.len() - 1) as f64
    }
}

/// A column that was read to its end.
#[derive(Debug, PartialEq)]
pub(crate) enum Finished {
    /// Numbers as they are, of the type that was given, if one was.
    Numbers(Option<ColumnType>),
    /// Other numbers than those of the words.
    Converted(Vec<f64>),
    /// Numbers of levels, and what these are called.
    Levels { codes: Vec<f64>, labels: Vec<String>, ordered: bool },
    /// Nothing that a graph could hold.
    LeftOut,
}

impl Column {
    pub fn new(given: Option<GivenType>) -> Self {
        let words = given.as_ref().is_some_and(GivenType::has_levels);
        let content = if words { Content::Words(Words::default()) } else { Content::Unknown };
        Self { given, content }
    }

    /// A cell of the column of this name that holds a number, and how it was written.
    pub fn number(&mut self, name: &str, number: f64, text: &str) -> Result<f64> {
        match &mut self.content {
            Content::Unknown => self.content = Content::Numbers,
            Content::Numbers => {}
            Content::Words(words) if self.given.is_some() => {
                return Ok(words.number(&if text.is_empty() {
                    number.to_string()
                } else {
                    text.to_string()
                }));
            }
            Content::Words(words) => {
                let first = words.known.first().map(String::as_str).unwrap_or_default();
                return Err(Error::input(format!(
                    "`{text}` is a number, but the column holds words such as `{}`",
                    shortened(first)
                ))
                .with_hint(
                    Remedy::from("if the numbers are names of categories too, pass ")
                        .and(Choice::Type.set(format!("{name}=categorical"))),
                ));
            }
        }
        Ok(number)
    }

    /// A cell that holds a word; `None` if the column holds numbers.
    pub fn word(&mut self, word: &str) -> Option<f64> {
        if matches!(self.content, Content::Unknown) && self.given.is_none() {
            self.content = Content::Words(Words::default());
        }
        match &mut self.content {
            Content::Words(words) => Some(words.number(word)),
            Content::Unknown | Content::Numbers => None,
        }
    }

    /// Whether its cells are words.
    pub fn has_words(&self) -> bool {
        matches!(self.content, Content::Words(_))
    }

    /// Makes numbers of words; `cells` are those of the column, NaN where they are missing.
    pub fn finish(self, name: &str, cells: &[f64], notes: &mut Vec<Note>) -> Result<Finished> {
        let Self { given, content } = self;
        let Content::Words(Words { known, .. }) = content else {
            return Ok(Finished::Numbers(given.map(|given| given.kind)));
        };
        let rows = cells.iter().filter(|cell| !cell.is_nan()).count();
        let used: HashSet<usize> =
            cells.iter().filter(|cell| !cell.is_nan()).map(|&cell| cell as usize).collect();
        let mut labels: Vec<String> = used.iter().map(|&k| known[k].clone()).collect();
        if given.is_none() {
            let dates: Vec<Option<f64>> = known.iter().map(|word| days(word)).collect();
            if used.iter().all(|&k| dates[k].is_some()) {
                notes.push(format!("`{name}` holds dates: read as days since 1970-01-01").into());
                let day =
                    |&cell: &f64| dates.get(cell as usize).copied().flatten().filter(|_| !cell.is_nan());
                return Ok(Finished::Converted(
                    cells.iter().map(|cell| day(cell).unwrap_or(f64::NAN)).collect(),
                ));
            }
            if labels.len() > 2 && labels.len() as f64 >= MOSTLY_DIFFERENT * rows as f64 {
                notes.push(
                    format!("left out `{name}`: nearly every row has another text, so it names rows").into(),
                );
                return Ok(Finished::LeftOut);
            }
        }
        if labels.len() > MOST_LEVELS {
            return Err(Error::input(format!("column `{name}` holds {} different texts", labels.len()))
                .with_hint(
                    Remedy::from(format!(
                        "at most {MOST_LEVELS} are taken as categories: leave it out with "
                    ))
                    .and(Choice::Index.set(name))
                    .and(", or put rare ones together"),
                ));
        }
        let order = given.as_ref().map_or(&[][..], |given| &given.levels[..]);
        let ordered = given.as_ref().is_some_and(|given| given.kind == ColumnType::Ordinal);
        let numbers: Option<Vec<f64>> = labels.iter().map(|label| label.parse().ok()).collect();
        if !order.is_empty() {
            if let Some(other) = labels.iter().find(|label| !order.contains(label)) {
                return Err(Error::input(format!(
                    "column `{name}` holds `{}`, which is none of its levels",
                    shortened(other)
                ))
                .with_hint(Remedy::from("name all of them in ").and(Choice::Type)));
            }
            labels = order.to_vec();
        } else if numbers.is_some() {
            labels.sort_by(|a, b| number(a).total_cmp(&number(b)));
        } else if ordered && labels.len() > 2 {
            let example = Choice::Type.set(format!("{name}=ordinal:{}", first_three(&labels)));
            return Err(Error::input(format!("column `{name}` is ordinal, but nothing says in which order"))
                .with_hint(Remedy::from("name its levels, the lowest first, for example ").and(example)));
        } else {
            labels.sort();
        }
        if given.as_ref().is_some_and(|given| given.kind == ColumnType::Binary) && labels.len() > 2 {
            return Err(Error::input(format!(
                "column `{name}` holds {} different values, not two",
                labels.len()
            ))
            .with_hint(Remedy::from("pass ").and(Choice::Type.set(format!("{name}=categorical")))));
        }
        let place = |&cell: &f64| match cell.is_nan() {
            true => f64::NAN,
            false => {
                labels.iter().position(|label| *label == known[cell as usize]).map_or(f64::NAN, |k| k as f64)
            }
        };
        let codes = cells.iter().map(place).collect();
        Ok(Finished::Levels { codes, labels, ordered })
    }
}

fn number(label: &str) -> f64 {
    label.parse().unwrap_or(f64::NAN)
}

fn first_three(labels: &[String]) -> String {
    let mut labels = labels.to_vec();
    labels.sort();
    labels.iter().take(3).map(String::as_str).collect::<Vec<_>>().join("<")
}

/// The text, cut to what fits into a message.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(given: Option<&str>, words: &[&str]) -> Result<(Finished, Vec<Note>)> {
        let mut column = Column::new(given.map(|given| given.parse().unwrap()));
        let cells: Vec<f64> = words.iter().map(|word| column.word(word).unwrap()).collect();
        let mut notes = Vec::new();
        Ok((column.finish("c", &cells, &mut notes)?, notes))
    }

    #[test]
    fn words_become_categories_in_the_order_of_the_alphabet() {
        let words = ["f", "m", "f", "d", "m", "f"];
        let (found, notes) = finished(None, &words).unwrap();
        let labels = ["d", "f", "m"].map(String::from).to_vec();
        assert_eq!(
            found,
            Finished::Levels { codes: vec![1.0, 2.0, 1.0, 0.0, 2.0, 1.0], labels, ordered: false }
        );
        assert_eq!(notes, []);
    }

    #[test]
    fn levels_have_the_order_that_was_said_or_that_of_numbers() {
        let (found, _) = finished(Some("ordinal:low<high"), &["high", "low", "low"]).unwrap();
        assert!(matches!(found, Finished::Levels { codes, ordered: true, .. } if codes == [1.0, 0.0, 0.0]));
        let (found, _) = finished(Some("ordinal"), &["10", "9", "10"]).unwrap();
        assert!(matches!(found, Finished::Levels { codes, .. } if codes == [1.0, 0.0, 1.0]));
        let error = finished(Some("ordinal:low<high"), &["high", "middle"]).unwrap_err();
        assert_eq!(error.to_string(), "column `c` holds `middle`, which is none of its levels");
        let error = finished(Some("ordinal"), &["a", "b", "c"]).unwrap_err();
        assert_eq!(error.to_string(), "column `c` is ordinal, but nothing says in which order");
    }

    #[test]
    fn dates_are_days_and_names_of_rows_are_left_out() {
        let (found, notes) = finished(None, &["1970-01-03", "1970-01-02"]).unwrap();
        assert_eq!((found, notes.len()), (Finished::Converted(vec![2.0, 1.0]), 1));
        let (found, notes) = finished(None, &["ann", "bob", "cy", "di"]).unwrap();
        assert_eq!((found, notes.len()), (Finished::LeftOut, 1));
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        assert_eq!(shortened(&"é".repeat(50)), format!("{}…", "é".repeat(40)));
    }
}
