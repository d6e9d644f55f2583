//! Writing tables as text.

use std::io::{self, Write};

use csv::WriterBuilder;
use oslow_core::{Conditions, Sample};

/// Writes names and row-major values as comma-separated text. Every number reads back bit for bit.
pub fn write_csv(names: &[impl AsRef<str>], values: &[f64], writer: impl Write) -> io::Result<()> {
    write_delimited(names, values, b',', writer)
}

/// [`write_csv`] with another delimiter.
pub fn write_delimited(
    names: &[impl AsRef<str>],
    values: &[f64],
    delimiter: u8,
    writer: impl Write,
) -> io::Result<()> {
    let mut writer = WriterBuilder::new().delimiter(delimiter).from_writer(writer);
    writer.write_record(names.iter().map(AsRef::as_ref))?;
    // A table without columns has no rows either.
    for row in values.chunks(names.len().max(1)) {
        writer.write_record(row.iter().map(|&x| shortest(x)))?;
    }
    writer.flush()
}

/// [`write_csv`] of a table: categories by their words, and conditions in a last column.
pub fn write_sample(sample: &Sample, writer: impl Write) -> io::Result<()> {
    let mut writer = WriterBuilder::new().from_writer(writer);
    let conditions = sample.conditions();
    let header = sample.names().iter().map(String::as_str);
    writer.write_record(header.chain(conditions.map(Conditions::column)))?;
    for row in 0..sample.rows() {
        let cell = |(j, &value): (usize, &f64)| match sample.labels(j) {
            [] => shortest(value),
            labels => labels[value as usize].clone(),
        };
        let condition = conditions.map(|all| all.names()[all.of_row()[row]].clone());
        writer.write_record(sample.row(row).iter().enumerate().map(cell).chain(condition))?;
    }
    writer.flush()
}

/// The shortest text that reads back as the same number: `17`, `0.1`, `1e300`.
fn shortest(number: f64) -> String {
    // `Debug` takes an exponent where `Display` would write hundreds of digits.
    let mut text = format!("{number:?}");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact() {
        let numbers = [17.0, 0.1, 1e300, -0.0, 5e-324, 1.0 / 3.0];
        assert_eq!(numbers.map(shortest), ["17", "0.1", "1e300", "-0", "5e-324", "0.3333333333333333"]);
        assert!(numbers.iter().all(|x| shortest(*x).parse::<f64>().unwrap().to_bits() == x.to_bits()));
    }

    #[test]
    fn categories_are_written_as_words() {
        let names = ["sex", "x"].map(String::from).to_vec();
        let sample = Sample::new(names, vec![0.0, 1.5, 1.0, 2.0, 0.0, 3.0]).unwrap();
        let sample = sample.with_labels(0, ["f", "m"].map(String::from).to_vec(), false);
        let mut text = Vec::new();
        write_sample(&sample, &mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "sex,x\nf,1.5\nm,2\nf,3\n");
    }

    #[test]
    fn names_with_delimiters_are_quoted() {
        let mut text = Vec::new();
        write_csv(&["a,b", "c"], &[1.0, 2.0, 3.5, -4.0], &mut text).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "\"a,b\",c\n1,2\n3.5,-4\n");
    }
}
