//! Finding things by the name that users type.

use crate::{Error, Result};

/// Something that is found by its name.
pub trait Named {
    /// The name users type.
    fn name(&self) -> &'static str;
}

impl Named for crate::Method {
    fn name(&self) -> &'static str {
        self.name
    }
}

impl Named for crate::PrunerEntry {
    fn name(&self) -> &'static str {
        self.name
    }
}

/// The entry of this name; otherwise an error with the nearest name.
pub fn find<'a, T: Named + 'a>(
    kind: &str,
    name: &str,
    entries: impl IntoIterator<Item = &'a T> + Clone,
) -> Result<&'a T> {
    entries.clone().into_iter().find(|entry| entry.name() == name).ok_or_else(|| {
        Error::input(format!("there is no {kind} `{name}`"))
            .with_hint(suggestion(name, entries.into_iter().map(Named::name)))
    })
}

/// "did you mean" for a name that is not there, or the list of those that are.
pub fn suggestion<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    match nearest(name, known.iter().copied()) {
        Some(candidate) => format!("did you mean `{candidate}`?"),
        None if known.is_empty() => "there are none".into(),
        None => format!("there are: {}", known.join(", ")),
    }
}

/// The known name nearest in spelling, where one is near enough to be meant.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|candidate| (strsim::jaro_winkler(&name.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::suggestion;

    #[test]
    fn the_nearest_name_is_suggested() {
        let known = ["oslow", "random"];
        assert_eq!(suggestion("osolw", known.into_iter()), "did you mean `oslow`?");
        assert_eq!(suggestion("xyz", known.into_iter()), "there are: oslow, random");
        assert_eq!(suggestion("xyz", [].into_iter()), "there are none");
    }
}
