//! Collecting rows: every cell is a number or a word, or it is missing.

use oslow_core::{Choice, Error, Remedy, Result, Sample};

use crate::column::{Column, Finished, shortened};
use crate::condition::Said;
use crate::kept_rows::KeptRows;
use crate::missing_values::MissingValues;
use crate::{Missing, Note, ReadOptions, cell::Cell, gaps};

/// The chosen columns of the rows read so far.
#[derive(Debug)]
pub(crate) struct Rows {
    names: Vec<String>,
    columns: Vec<Column>,
    /// Row by row; the number of a word, NaN where a value is missing.
    values: Vec<f64>,
    /// What a row is called in messages: `line` of a text file, `row` of an array.
    unit: &'static str,
    decimal: char,
    missing: Missing,
    missing_values: MissingValues,
    /// Which cells of a row are columns of the table: not those by which rows are only chosen.
    taken: Vec<bool>,
    kept: KeptRows,
    /// Columns that are the same in all rows that are kept.
    constant: Vec<String>,
    /// What one more column says of the condition of each row.
    condition: Option<Said>,
    dropped: usize,
    /// What the user should know about the reading.
    pub(crate) notes: Vec<Note>,
}

impl Rows {
    pub(crate) fn new(names: Vec<String>, unit: &'static str, options: &ReadOptions) -> Self {
        let condition = Said::new(options.condition.as_ref(), &names);
        let kept = KeptRows::new(&options.filters, &names);
        let constant: Vec<String> = names.iter().filter(|name| is_constant(name, options)).cloned().collect();
        let is_taken = |(at, name): (usize, &String)| {
            // Whoever names a column may need it, constant or not: a model does.
            let asked = match &options.columns {
                Some(columns) => columns.contains(name),
                None => !constant.contains(name),
            };
            let is_condition = condition.as_ref().is_some_and(|condition| condition.place == at);
            asked && !is_condition && options.index.as_ref() != Some(name)
        };
        let taken: Vec<bool> = names.iter().enumerate().map(is_taken).collect();
        let names: Vec<String> =
            names.into_iter().zip(&taken).filter(|(_, taken)| **taken).map(|(name, _)| name).collect();
        let columns = names.iter().map(|name| Column::new(options.type_of(name).cloned())).collect();
        Self {
            names,
            columns,
            values: Vec::new(),
            unit,
            decimal: options.decimal.unwrap_or('.'),
            missing: options.missing,
            missing_values: MissingValues::new(&options.missing_values, options.decimal.unwrap_or('.')),
            taken,
            kept,
            constant,
            condition,
            dropped: 0,
            notes: Vec::new(),
        }
    }

    /// Adds a row, if it is to be kept; `number` is its line or row number, counted from 1.
    pub(crate) fn push<'a>(&mut self, number: u64, cells: impl Iterator<Item = Cell<'a>>) -> Result<()> {
        let missing_values = std::mem::take(&mut self.missing_values);
        let cells = cells.map(|cell| missing_values.in_place_of(cell));
        let pushed = if self.kept.is_everything() {
            self.push_kept(number, cells)
        } else {
            let cells: Vec<Cell<'_>> = cells.collect();
            match self.kept.keeps(&cells, self.decimal) {
                Ok(true) => self.push_kept(number, cells.into_iter()),
                Ok(false) => Ok(()),
                Err(e) => Err(e.at(format!("{} {number}", self.unit))),
            }
        };
        self.missing_values = missing_values;
        pushed
    }

    fn push_kept<'a>(&mut self, number: u64, cells: impl Iterator<Item = Cell<'a>>) -> Result<()> {
        let start = self.values.len();
        let mut drop = false;
        let unit = self.unit;
        let place = |name: &str| format!("{unit} {number}, column `{name}`");
        let mut columns = 0..;
        for (at, cell) in cells.enumerate() {
            if let Some(condition) = self.condition.as_mut().filter(|condition| condition.place == at) {
                condition.push(&cell).map_err(|e| e.at(format!("{unit} {number}")))?;
                continue;
            }
            if !self.taken.get(at).is_some_and(|taken| *taken) {
                continue;
            }
            let Some(j) = columns.next() else { break };
            let trouble = match cell {
                Cell::Number(x, text) if x.is_finite() => {
                    let value = self.columns[j]
                        .number(&self.names[j], x, text)
                        .map_err(|e| e.at(place(&self.names[j])))?;
                    self.values.push(value);
                    continue;
                }
                Cell::Text(text) => match self.columns[j].word(text) {
                    Some(value) => {
                        self.values.push(value);
                        continue;
                    }
                    None => return Err(self.text_error(text, &self.names[j]).at(place(&self.names[j]))),
                },
                Cell::Number(x, _) => format!("{x} is not a finite number"),
                Cell::Missing("") => "the value is missing".to_string(),
                Cell::Missing(word) => format!("the value is missing (`{word}`)"),
            };
            match self.missing {
                Missing::Refuse => {
                    return Err(Error::input(trouble).at(place(&self.names[j])).with_hint(Remedy::gaps()));
                }
                Missing::DropRows => drop = true,
                Missing::Auto | Missing::Impute => {}
            }
            self.values.push(f64::NAN);
        }
        if drop {
            self.values.truncate(start);
            self.condition.iter_mut().for_each(Said::pop);
            self.dropped += 1;
        }
        Ok(())
    }

    fn text_error(&self, text: &str, column: &str) -> Error {
        let hint = if self.decimal == '.' && matches!(Cell::parse(text, ','), Cell::Number(..)) {
            Remedy::from("if that is a decimal comma, pass ").and(Choice::Decimal.set(","))
        } else if self.decimal == ',' && matches!(Cell::parse(text, '.'), Cell::Number(..)) {
            Remedy::from("with ")
                .and(Choice::Decimal.set(","))
                .and(" numbers are written like 1,5 or 1.234,5")
        } else {
            Remedy::from("if the column holds categories, pass ")
                .and(Choice::Type.set(format!("{column}=categorical")))
                .and("; if not, repair the cell or leave the column out with ")
                .and(Choice::Index.set(column))
        };
        Error::input(format!("`{}` is not a number", shortened(text))).with_hint(hint)
    }

    /// The sample, and how many rows were dropped.
    pub(crate) fn finish(self) -> Result<(Sample, usize, Vec<Note>)> {
        let kept_rows = self.kept.told()?;
        let Self { names, columns, values, mut dropped, missing, constant, mut condition, mut notes, .. } =
            self;
        notes.extend(kept_rows);
        let same = |name: &String| format!("left out `{name}`: it is the same in all rows that were kept");
        notes.extend(constant.iter().map(|name| Note::from(same(name))));
        let d = names.len().max(1);
        let read = values.len() / d + dropped;
        let mut kept = Kept { names: Vec::new(), columns: Vec::new(), finished: Vec::new() };
        for (j, (name, column)) in names.into_iter().zip(columns).enumerate() {
            let cells: Vec<f64> = values[j..].iter().step_by(d).copied().collect();
            if constant.contains(&name) {
                continue;
            }
            let finished = column.finish(&name, &cells, &mut notes)?;
            kept.take(name, cells, finished, &mut notes);
        }
        drop(values);
        let mut mask = gaps::Gaps::of(&kept.columns);
        if missing == Missing::Auto && mask.few() {
            let left = mask.drop_rows(&mut kept.columns);
            dropped += left.iter().filter(|left| !**left).count();
            condition.iter_mut().for_each(|condition| condition.retain(&left));
        }
        if dropped > 0 {
            notes.push(format!("dropped {dropped} of {read} rows: values are missing or infinite").into());
        }
        notes.extend(mask.fill(&kept.names, &mut kept.columns)?);
        let sample = kept.sample(dropped)?.with_gaps(mask.cells());
        let conditions = condition.map(|condition| condition.finish(sample.names())).transpose()?;
        Ok((sample.with_conditions(conditions), dropped, notes))
    }
}

/// Whether a column is the same in all rows that are kept.
fn is_constant(name: &str, options: &ReadOptions) -> bool {
    options.filters.iter().any(|filter| filter.column() == name && filter.is_equal())
}

/// The columns that are kept.
struct Kept {
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
    finished: Vec<Finished>,
}

impl Kept {
    fn take(&mut self, name: String, cells: Vec<f64>, finished: Finished, notes: &mut Vec<Note>) {
        let cells = match &finished {
            Finished::LeftOut => return,
            Finished::Numbers(None) if counts_rows(&name, &cells) => {
                notes.push(format!("left out `{name}`: it numbers the rows").into());
                return;
            }
            Finished::Numbers(None) if counts_by_one(&cells) => {
                notes.push(Note {
                    text: format!("`{name}` counts the rows by one"),
                    remedy: Some(
                        Remedy::from("if it only numbers them, leave it out with ")
                            .and(Choice::Index.set(name.clone())),
                    ),
                });
                cells
            }
            Finished::Numbers(_) => cells,
            Finished::Converted(days) => days.clone(),
            Finished::Levels { codes, .. } => codes.clone(),
        };
        self.names.push(name);
        self.columns.push(cells);
        self.finished.push(finished);
    }

    /// The sample of these columns, some rows having been dropped.
    fn sample(self, dropped: usize) -> Result<Sample> {
        let Self { names, columns, finished } = self;
        let kept = columns.first().map_or(0, Vec::len);
        let values = (0..kept).flat_map(|row| columns.iter().map(move |column| column[row])).collect();
        let too_few = kept < 2;
        let mut sample = Sample::new(names, values).map_err(|e| match (too_few, dropped) {
            (true, 0) => e.with_hint("pass a table with more rows"),
            (true, _) => e.with_hint(
                Remedy::from(format!("{dropped} rows with missing values were dropped: "))
                    .and("leave the columns with gaps out with ")
                    .and(Choice::Columns),
            ),
            _ => e,
        })?;
        for (j, finished) in finished.into_iter().enumerate() {
            match finished {
                Finished::Numbers(Some(kind)) => sample = sample.with_type(j, kind)?,
                Finished::Levels { labels, ordered, .. } => sample = sample.with_labels(j, labels, ordered),
                Finished::Numbers(None) | Finished::Converted(_) | Finished::LeftOut => {}
            }
        }
        Ok(sample)
    }
}

/// Words in the names of columns that number rows, in lower case.
const ROW_NUMBERS: [&str; 9] = ["id", "ids", "index", "row", "rownames", "nr", "no", "number", "unnamed"];
/// With fewer rows, numbers may be in a row by chance.
const FEWEST_ROWS: usize = 10;

/// Whether a column is called like one that numbers rows, and does; rows may have been dropped.
fn counts_rows(name: &str, cells: &[f64]) -> bool {
    let lower = name.to_lowercase();
    let called = lower.is_empty()
        || lower.split(|c: char| !c.is_alphanumeric()).any(|word| ROW_NUMBERS.contains(&word))
        || name.ends_with("ID")
        || name.ends_with("Id");
    let counts = |two: &[f64]| two[1] - two[0] >= 1.0 && (two[1] - two[0]).fract() == 0.0;
    called && cells.len() >= FEWEST_ROWS && cells.windows(2).all(counts)
}

/// Whether a column is 1, 2, 3, … or the like, whatever it is called: rows may be times.
fn counts_by_one(cells: &[f64]) -> bool {
    cells.len() >= FEWEST_ROWS && cells.windows(2).all(|two| two[1] - two[0] == 1.0)
}

/// Rows to ask a model about: unlike a sample they may be few, and their columns may be constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Observations {
    /// The columns' names.
    pub names: Vec<String>,
    /// The values, row by row.
    pub values: Vec<f64>,
    /// What the user should know: rows that were dropped.
    pub notes: Vec<Note>,
}

impl Observations {
    pub(crate) fn from_rows(rows: Rows) -> Result<Self> {
        let kept = rows.kept.told()?;
        let Rows { names, columns, values, dropped, mut notes, .. } = rows;
        notes.extend(kept);
        if let Some(j) = columns.iter().position(Column::has_words) {
            return Err(Error::input(format!(
                "column `{}` holds text, and models know numbers only",
                names[j]
            ))
            .with_hint(Remedy::from("choose the columns of the model with ").and(Choice::Columns)));
        }
        if let Some(k) = values.iter().position(|value| value.is_nan()) {
            return Err(Error::input(format!("column `{}` has gaps", names[k % names.len()]))
                .with_hint(Remedy::drop_rows()));
        }
        if dropped > 0 {
            notes.push(format!("dropped {dropped} rows: values are missing or infinite").into());
        }
        if values.is_empty() {
            return Err(Error::input("no row is left").with_hint("pass a table with at least one whole row"));
        }
        Ok(Self { names, values, notes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ConditionColumn;

    fn rows(missing: Missing) -> Rows {
        let names = vec!["a".to_string(), "b".to_string()];
        Rows::new(names, "row", &ReadOptions { missing, ..ReadOptions::default() })
    }

    #[test]
    fn dropped_rows_are_counted_and_told() {
        let mut rows = rows(Missing::DropRows);
        for (number, row) in
            [[1.0, 2.0], [f64::NAN, 1.0], [0.0, f64::INFINITY], [3.0, 4.0]].iter().enumerate()
        {
            rows.push(number as u64 + 1, row.iter().map(|&x| x.into())).unwrap();
        }
        let (sample, dropped, notes) = rows.finish().unwrap();
        assert_eq!((sample.values(), dropped), (&[1.0, 2.0, 3.0, 4.0][..], 2));
        assert_eq!(notes, ["dropped 2 of 4 rows: values are missing or infinite".to_string().into()]);
    }

    #[test]
    fn text_among_numbers_is_refused_even_in_a_row_to_be_dropped() {
        let mut rows = rows(Missing::DropRows);
        rows.push(6, [1.0, 2.0].into_iter().map(Cell::from)).unwrap();
        let error = rows.push(7, [Cell::Missing(""), Cell::Text("x")].into_iter()).unwrap_err();
        assert_eq!(error.to_string(), "row 7, column `b`: `x` is not a number");
    }

    #[test]
    fn a_column_of_conditions_is_no_column_of_the_table() {
        let read = |condition: ConditionColumn, cells: [Cell<'static>; 4]| {
            let options = ReadOptions {
                missing: Missing::DropRows,
                condition: Some(condition),
                ..ReadOptions::default()
            };
            let names = ["a", "k", "b"].map(String::from).to_vec();
            let mut rows = Rows::new(names, "row", &options);
            for (k, cell) in cells.into_iter().enumerate() {
                let a = if k == 1 { f64::NAN } else { k as f64 };
                rows.push(k as u64 + 1, [Cell::from(a), cell, Cell::from((k * k) as f64)].into_iter())?;
            }
            rows.finish().map(|(sample, _, _)| sample)
        };
        let named = |cells| read(ConditionColumn::Names("k".into()), cells);
        let word = Cell::Text;
        let sample = named([word("x"), word("y"), word("z"), Cell::from(3.0)]).unwrap();
        assert_eq!((sample.names(), sample.rows()), (&["a", "b"].map(String::from)[..], 3));
        let conditions = sample.conditions().unwrap();
        assert_eq!(conditions.names(), ["3", "x", "z"].map(String::from));
        assert_eq!(conditions.of_row(), [1, 2, 0]);
        let refused = named([word("x"), word("y"), Cell::Missing(""), word("x")]).unwrap_err().to_string();
        assert_eq!(refused, "row 3: nothing says under which condition this row was observed");

        let set = |cells| read(ConditionColumn::Targets("k".into()), cells);
        let sample = set([word("a"), word("a"), Cell::Missing(""), word("a+b")]).unwrap();
        assert_eq!(sample.conditions().unwrap().names(), ["", "a", "a+b"].map(String::from));
        let refused = set([word("a"), word("a"), word("q"), word("b")]).unwrap_err().to_string();
        assert_eq!(refused, "column `k` says that `q` was set, but the table has no such column");
    }

    #[test]
    fn a_column_that_filters_is_left_out_of_a_sample_but_not_of_rows_for_a_model() {
        let read = |columns: Option<[&str; 2]>| {
            let options = ReadOptions {
                columns: columns.map(|names| names.map(String::from).to_vec()),
                filters: vec!["a=1".parse().unwrap()],
                ..ReadOptions::default()
            };
            let mut rows = Rows::new(["a", "b", "c"].map(String::from).to_vec(), "row", &options);
            for k in 0..6u64 {
                let [a, b, c] = [(k % 2) as f64, (k * k) as f64, k as f64 * 0.5];
                rows.push(k + 1, [a, b, c].map(Cell::from).into_iter()).unwrap();
            }
            rows
        };
        let (sample, _, notes) = read(None).finish().unwrap();
        assert_eq!(
            (sample.names(), sample.values()),
            (&["b", "c"].map(String::from)[..], &[1.0, 0.5, 9.0, 1.5, 25.0, 2.5][..])
        );
        assert_eq!(notes[0].text, "kept 3 of 6 rows: `a=1`");
        let asked = Observations::from_rows(read(Some(["a", "b"]))).unwrap();
        assert_eq!(
            (asked.names, asked.values),
            (["a", "b"].map(String::from).to_vec(), vec![1.0, 1.0, 1.0, 9.0, 1.0, 25.0])
        );
    }

    #[test]
    fn words_are_categories_and_row_numbers_are_left_out() {
        let names = ["id", "sex", "x"].map(String::from).to_vec();
        let mut rows = Rows::new(names, "row", &ReadOptions::default());
        for k in 0..12u64 {
            let sex = Cell::Text(if k % 3 == 0 { "m" } else { "f" });
            rows.push(k + 1, [Cell::from(k as f64), sex, Cell::from((k * k) as f64)].into_iter()).unwrap();
        }
        let (sample, _, notes) = rows.finish().unwrap();
        assert_eq!(
            (sample.names(), sample.labels(0)),
            (&["sex", "x"].map(String::from)[..], &["f", "m"].map(String::from)[..])
        );
        assert_eq!(sample.type_of(0), oslow_core::ColumnType::Binary);
        assert_eq!(notes, ["left out `id`: it numbers the rows".to_string().into()]);
    }
}
