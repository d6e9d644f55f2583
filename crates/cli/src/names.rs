//! Variables by name.

use oslow::{Error, Result, suggestion};

/// The names in `a,b,c`; a name that holds a comma stands in quotes.
pub fn split(text: &str) -> Result<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let record = reader.records().next().transpose();
    let record = record.map_err(|e| Error::input(format!("`{text}` is not a list of names: {e}")))?;
    Ok(record.iter().flatten().map(|name| name.trim().to_string()).collect())
}

/// The variable of this name in a model.
pub fn find(name: &str, names: &[String]) -> Result<usize> {
    names.iter().position(|known| known == name).ok_or_else(|| {
        Error::input(format!("the model has no variable `{name}`"))
            .with_hint(suggestion(name, names.iter().map(String::as_str)))
    })
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn names_are_split_at_commas_outside_quotes() {
        assert_eq!(split("a, b,c").unwrap(), ["a", "b", "c"]);
        assert_eq!(split("\"a,b\",c").unwrap(), ["a,b", "c"]);
        assert_eq!(split("").unwrap(), Vec::<String>::new());
    }
}
