//! Built-in data sets: one file and one line of [`datasets`] each.

mod sachs;
mod sachs_conditions;

use oslow_core::{Named, Result, find};

use crate::{ConditionColumn, GraphFile, ReadOptions, Table, csv, rows::Rows};

/// A built-in data set.
#[derive(Clone, Copy, Debug)]
pub struct Dataset {
    /// The name users type.
    pub name: &'static str,
    /// One line: what was measured, and how often.
    pub summary: &'static str,
    /// The publication to cite.
    pub citation: &'static str,
    /// Where the file was got.
    pub source: &'static str,
    /// Under which terms, as far as they are known.
    pub licence: &'static str,
    /// The table as text.
    csv: &'static str,
    /// The column that names conditions, where there are several.
    condition: Option<&'static str>,
    /// The edges as text with the header `from,to`, where a graph is held to be true.
    edges: Option<&'static str>,
}

/// All built-in data sets.
pub fn datasets() -> &'static [Dataset] {
    &[sachs::SACHS, sachs_conditions::SACHS_CONDITIONS]
}

/// The data set of this name; otherwise an error with the nearest name.
pub fn load(name: &str) -> Result<Table> {
    find("data set", name, datasets())?.read(&ReadOptions::default())
}

impl Dataset {
    /// The table; of the options, `index`, `columns`, `condition` and `filters` are heeded.
    pub fn read(&self, options: &ReadOptions) -> Result<Table> {
        self.read_as(options, Table::from_rows)
    }

    pub(crate) fn read_as<T>(&self, options: &ReadOptions, finish: impl Fn(Rows) -> Result<T>) -> Result<T> {
        let (index, columns) = (options.index.clone(), options.columns.clone());
        let own = self.condition.map(|name| ConditionColumn::Names(name.into()));
        let condition = options.condition.clone().or(own);
        let filters = options.filters.clone();
        let options = ReadOptions { index, columns, condition, filters, ..ReadOptions::default() };
        csv::parse(self.csv, &options).and_then(finish).map_err(|e| e.at(self.name))
    }

    /// The edges (cause, effect) of the graph that is held to be true, by column name. For judges only: no
    /// learner may see it.
    pub fn truth(&self) -> Option<Vec<(&'static str, &'static str)>> {
        Some(self.edges?.lines().skip(1).filter_map(|line| line.split_once(',')).collect())
    }

    /// The same as a graph that was read.
    pub fn graph(&self) -> Option<Result<GraphFile>> {
        Some(GraphFile::from_text(self.edges?, self.name))
    }
}

impl Named for Dataset {
    fn name(&self) -> &'static str {
        self.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_data_set_loads_and_its_truth_is_a_graph_over_its_columns() {
        for set in datasets() {
            let sample = load(set.name).unwrap().sample;
            let edges: Vec<_> = set
                .truth()
                .unwrap_or_default()
                .iter()
                .map(|(from, to)| (sample.index_of(from).unwrap(), sample.index_of(to).unwrap()))
                .collect();
            oslow_core::Dag::new(sample.columns(), &edges).unwrap();
        }
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_nearest() {
        let error = load("sach").unwrap_err();
        assert_eq!(error.to_string(), "there is no data set `sach`");
        assert_eq!(error.hint().as_deref(), Some("did you mean `sachs`?"));
    }

    #[test]
    fn columns_can_be_chosen() {
        let columns = Some(vec!["Mek".to_string(), "Raf".to_string()]);
        let table = datasets()[0].read(&ReadOptions { columns, ..ReadOptions::default() }).unwrap();
        assert_eq!(
            (table.sample.names(), table.sample.row(0)),
            (&["Mek".into(), "Raf".into()][..], &[13.2, 26.4][..])
        );
    }
}
