//! Which columns of a table are taken.

use std::collections::HashMap;

use oslow_core::{Choice, Error, Remedy, Result, nearest, suggestion};

use crate::ReadOptions;

/// The positions of the columns to take, in their order. Only these need numbers and distinct names.
pub(crate) fn choose(names: &[String], options: &ReadOptions) -> Result<Vec<usize>> {
    choose_among(names, |_| true, options)
}

/// The same; columns that are not usable are taken by name only.
pub(crate) fn choose_among(
    names: &[String],
    usable: impl Fn(usize) -> bool,
    options: &ReadOptions,
) -> Result<Vec<usize>> {
    let left_out = options.index.as_deref().map(|name| position(names, name)).transpose()?;
    let mut chosen: Vec<usize> = match &options.columns {
        None => (0..names.len()).filter(|&j| Some(j) != left_out && usable(j)).collect(),
        Some(columns) => chosen_by_name(names, columns, left_out)?,
    };
    if let Some(condition) = &options.condition {
        let j = position(names, condition.column())?;
        if Some(j) == left_out {
            return Err(Error::input(format!(
                "column `{}` is both left out and the one that says the condition",
                names[j]
            ))
            .with_hint(Remedy::from("drop ").and(Choice::Index).and(" or ").and(Choice::Condition)));
        }
        if !chosen.contains(&j) {
            chosen.push(j);
        }
    }
    check_names(names, &chosen)?;
    check_count(names, &chosen, options)?;
    // What rows are chosen by need not be a column of the table.
    for filter in &options.filters {
        let j = position(names, filter.column())?;
        if !chosen.contains(&j) {
            chosen.push(j);
        }
    }
    Ok(chosen)
}

fn chosen_by_name(names: &[String], columns: &[String], left_out: Option<usize>) -> Result<Vec<usize>> {
    let mut chosen = Vec::with_capacity(columns.len());
    for name in columns {
        let j = position(names, name)?;
        if Some(j) == left_out {
            return Err(Error::input(format!("column `{name}` is both chosen and left out")).with_hint(
                Remedy::from("take it out of ").and(Choice::Columns).and(" or drop ").and(Choice::Index),
            ));
        }
        if chosen.contains(&j) {
            return Err(Error::input(format!("column `{name}` is chosen twice"))
                .with_hint(Remedy::from("name each column once in ").and(Choice::Columns)));
        }
        chosen.push(j);
    }
    Ok(chosen)
}

fn position(names: &[String], name: &str) -> Result<usize> {
    let mut places = (0..names.len()).filter(|&j| names[j] == name);
    match (places.next(), places.next()) {
        (Some(first), Some(second)) => Err(same_name(name, first, second)),
        (Some(only), None) => Ok(only),
        (None, _) => {
            Err(Error::input(format!("there is no column `{name}`")).with_hint(similar(name, names)))
        }
    }
}

/// [`suggestion`] for tables of any width: thousands of names would bury the message.
fn similar(name: &str, names: &[String]) -> String {
    const MOST: usize = 20;
    let known = || names.iter().map(String::as_str);
    if names.len() <= MOST || nearest(name, known()).is_some() {
        return suggestion(name, known());
    }
    let first: Vec<&str> = known().take(MOST).collect();
    format!("there are: {} and {} more", first.join(", "), names.len() - MOST)
}

fn check_names(names: &[String], chosen: &[usize]) -> Result<()> {
    let mut first = HashMap::new();
    for &j in chosen {
        if names[j].is_empty() {
            return Err(Error::input(format!("column {} has no name", j + 1)).with_hint(
                Remedy::from("name it in the header, or leave it out with ").and(Choice::Index.set("")),
            ));
        }
        if let Some(earlier) = first.insert(&names[j], j) {
            return Err(same_name(&names[j], earlier, j));
        }
    }
    Ok(())
}

fn same_name(name: &str, first: usize, second: usize) -> Error {
    Error::input(format!("columns {} and {} are both named `{name}`", first + 1, second + 1))
        .with_hint(Remedy::from("rename one, or choose other columns with ").and(Choice::Columns))
}

fn check_count(names: &[String], chosen: &[usize], options: &ReadOptions) -> Result<()> {
    let restricted = options.index.is_some() || options.columns.is_some();
    let message = match chosen {
        [] => "no column is left: an order needs at least 2".to_string(),
        [j] => format!("only one column, `{}`: an order needs at least 2", names[*j]),
        _ => return Ok(()),
    };
    Err(Error::input(message).with_hint(if restricted && names.len() > 2 {
        Remedy::from("choose two or more columns with ").and(Choice::Columns)
    } else {
        Remedy::from("if the columns are not separated by `,` `;` or tab, say by what with ")
            .and(Choice::Delimiter)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(names: &[&str], index: Option<&str>, columns: Option<&[&str]>) -> Result<Vec<usize>> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let columns = columns.map(|list| list.iter().map(ToString::to_string).collect());
        choose(&names, &ReadOptions { index: index.map(str::to_string), columns, ..ReadOptions::default() })
    }

    #[test]
    fn columns_come_in_the_asked_order_and_the_index_is_left_out() {
        assert_eq!(choice(&["a", "b", "c"], None, None).unwrap(), [0, 1, 2]);
        assert_eq!(choice(&["a", "b", "c"], Some("a"), None).unwrap(), [1, 2]);
        assert_eq!(choice(&["", "b", "c"], Some(""), None).unwrap(), [1, 2]);
        assert_eq!(choice(&["a", "b", "c"], Some("b"), Some(&["c", "a"])).unwrap(), [2, 0]);
    }

    #[test]
    fn a_wide_table_is_not_listed_in_full() {
        let names: Vec<String> = (0..1000).map(|j| format!("c{j}")).collect();
        let hint = similar("weight", &names);
        assert!(hint.starts_with("there are: c0, c1, ") && hint.ends_with("c19 and 980 more"), "{hint}");
        assert_eq!(similar("c_500", &names), "did you mean `c500`?");
    }

    #[test]
    fn a_doubled_name_matters_only_where_it_is_chosen() {
        assert_eq!(choice(&["a", "a", "b", "c"], None, Some(&["b", "c"])).unwrap(), [2, 3]);
        assert!(choice(&["a", "a", "b", "c"], None, Some(&["a", "c"])).is_err());
        assert!(choice(&["a", "a", "b", "c"], None, None).is_err());
    }
}
