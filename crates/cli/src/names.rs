//! Variables by name.

use std::path::Path;

use oslow::{Error, Result, name_list, suggestion};

use crate::files;

/// The file of a run that holds its order.
const ORDER: &str = "order.txt";

/// The names in `a,b,c`; a name that holds a comma stands in quotes.
pub fn split(text: &str) -> Result<Vec<String>> {
    name_list(text)
}

/// The names of an order: a list, the folder of a run or its file of the order. A list has two names or more, so that it is not taken for a file.
pub fn order(text: &str) -> Result<Vec<String>> {
    let path = Path::new(text);
    match path.metadata() {
        Ok(found) if found.is_dir() => split(&files::read_text(&path.join(ORDER))?),
        Ok(_) => split(&files::read_text(path)?),
        Err(_) => split(text),
    }
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
