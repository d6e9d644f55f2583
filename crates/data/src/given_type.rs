//! What the user says a column holds.

use oslow_core::{Choice, ColumnType, Error, Remedy, Result};

/// A type, and the order of its levels where the user says one: `ordinal:low<middle<high`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenType {
    /// The type.
    pub kind: ColumnType,
    /// The levels of an ordinal column, the lowest first; empty: as numbers.
    pub levels: Vec<String>,
}

impl GivenType {
    /// Whether its values are levels, be they written as numbers or as words.
    pub(crate) fn has_levels(&self) -> bool {
        matches!(self.kind, ColumnType::Ordinal | ColumnType::Binary | ColumnType::Categorical)
    }
}

impl std::str::FromStr for GivenType {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (kind, levels) = text.split_once(':').map_or((text, None), |(kind, levels)| (kind, Some(levels)));
        let kind: ColumnType = kind.trim().parse()?;
        let levels: Vec<String> = levels
            .into_iter()
            .flat_map(|levels| levels.split('<'))
            .map(|level| level.trim().to_string())
            .collect();
        if !levels.is_empty() && kind != ColumnType::Ordinal {
            return Err(Error::input(format!("`{text}`: only ordinal columns have levels in an order")));
        }
        if levels.len() == 1 {
            let example = Choice::Type.set("stage=ordinal:I<II<III");
            return Err(Error::input(format!("`{text}` names one level"))
                .with_hint(Remedy::from("name all of them, for example ").and(example)));
        }
        Ok(Self { kind, levels })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_with_and_without_levels() {
        let read = |text: &str| text.parse::<GivenType>().unwrap();
        assert_eq!(read("count"), GivenType { kind: ColumnType::Count, levels: Vec::new() });
        assert_eq!(read("ordinal:low < high").levels, ["low", "high"]);
        for wrong in ["nominal", "count:1<2", "ordinal:low"] {
            assert!(wrong.parse::<GivenType>().is_err(), "{wrong}");
        }
    }
}
