//! From rows to tables: ours, the published ones, and those that every table must have.

use oslow::metrics::{Answer, METRICS};
use oslow::report::{RowGroup, Table};
use oslow::{Dag, Kind, Ordering, find, methods};

use crate::cell::{ANSWER, Entrant};
use crate::experiment::Experiment;
use crate::plan::entrants;
use crate::row::Row;
use crate::statistic::Statistic;

/// A line of a table: an entrant, which of its orders, and which pruner.
#[derive(Clone, Debug)]
struct Line {
    label: String,
    group: &'static str,
    entrant: String,
    rule: String,
    /// `None`: the pruner does not matter to what is shown.
    prune: Option<String>,
}

const METHODS: &str = "methods";
const ABLATIONS: &str = "ablations";
const TRIVIAL: &str = "to compare with";
const GROUPS: [&str; 3] = [METHODS, ABLATIONS, TRIVIAL];

/// What stands where there is no number.
const NOTHING: &str = "–";

/// The lists of metrics that columns have, in the order of the experiment: there is a table for each.
pub fn metric_lists(experiment: &Experiment) -> Vec<&[String]> {
    let mut lists: Vec<&[String]> = Vec::new();
    for kind in &experiment.problems {
        if !lists.contains(&kind.metrics(experiment)) {
            lists.push(kind.metrics(experiment));
        }
    }
    lists
}

/// The table of the columns with these metrics: one column for each pooled column and metric.
pub fn main_table(experiment: &Experiment, metrics: &[String], rows: &[Row]) -> Table {
    let columns = columns(experiment, metrics);
    let rows = &of_columns(&columns, rows);
    let cells: Vec<(&str, &str)> =
        columns.iter().flat_map(|c| metrics.iter().map(move |m| (*c, m.as_str()))).collect();
    let mut header = vec!["method".to_string()];
    header.extend(cells.iter().map(|(column, metric)| heading(metrics, rows, column, metric)));
    header.push("seconds a run".into());
    let lines = lines(experiment, metrics);
    let mut groups: Vec<RowGroup> = GROUPS
        .iter()
        .map(|group| RowGroup {
            name: group.to_string(),
            rows: lines
                .iter()
                .filter(|l| l.group == *group)
                .map(|line| written(line, &cells, rows))
                .collect(),
        })
        .collect();
    groups.push(published(experiment, &cells));
    groups.push(sortability(&cells, rows));
    let metrics: Vec<String> = metrics.iter().map(|metric| shown(metric)).collect();
    Table {
        title: format!("{}: mean ± standard deviation", metrics.join(", ")),
        header,
        groups,
        notes: Vec::new(),
    }
}

/// The first of these metrics, benchmark row by benchmark row; `None` where that would repeat the main table.
pub fn family_table(experiment: &Experiment, metrics: &[String], rows: &[Row]) -> Option<Table> {
    let metric = metrics.first()?;
    let columns = columns(experiment, metrics);
    let rows = &of_columns(&columns, rows);
    let mut families: Vec<(&str, &str)> = Vec::new();
    for row in rows.iter() {
        if !families.contains(&(row.column.as_str(), row.family.as_str())) {
            families.push((&row.column, &row.family));
        }
    }
    if families.len() <= columns.len() {
        return None;
    }
    let lines = lines(experiment, std::slice::from_ref(metric));
    let has_value = |line: &&Line| rows.iter().any(|row| line.has(row) && row.value(metric).is_some());
    let lines: Vec<&Line> = lines.iter().filter(has_value).collect();
    let of_family = |column: &str, family: &str| -> Vec<String> {
        let here = || rows.iter().filter(|row| row.column == column && row.family == family);
        let values = |line: &Line| -> Vec<f64> {
            once(here().filter(|row| line.has(row))).filter_map(|row| row.value(metric)).collect()
        };
        let mut cells = vec![family.to_string(), problems(here()).to_string()];
        cells.extend(lines.iter().map(|line| mean_text(&values(line))));
        cells
    };
    let groups = columns
        .into_iter()
        .map(|column| RowGroup {
            name: column.into(),
            rows: families
                .iter()
                .filter(|(c, _)| *c == column)
                .map(|(c, family)| of_family(c, family))
                .collect(),
        })
        .collect();
    let mut header = vec!["benchmark row".to_string(), "data sets".into()];
    header.extend(lines.iter().map(|line| line.label.clone()));
    let title = format!("Mean {} of every row of the benchmark", shown(metric));
    Some(Table { title, header, groups, notes: Vec::new() })
}

/// The pooled columns with these metrics, in the order of the experiment.
fn columns<'a>(experiment: &'a Experiment, metrics: &[String]) -> Vec<&'a str> {
    let mut columns: Vec<&str> = Vec::new();
    for kind in experiment.problems.iter().filter(|kind| kind.metrics(experiment) == metrics) {
        if !columns.contains(&kind.column.as_str()) {
            columns.push(&kind.column);
        }
    }
    columns
}

/// The rows of these columns.
fn of_columns(columns: &[&str], rows: &[Row]) -> Vec<Row> {
    rows.iter().filter(|row| columns.contains(&row.column.as_str())).cloned().collect()
}

/// Whether a metric looks at the graph, and so at what a pruner did.
fn needs_graph(metric: &str) -> bool {
    let order = Ordering::identity(2);
    let answer = Answer { order: Some(&order), graph: None };
    let known = METRICS.iter().find(|known| known.name == metric);
    known.is_some_and(|known| (known.measure)(&Dag::tournament(&order), &answer).is_none())
}

/// Every entrant with every order and pruner that makes a difference to these metrics.
fn lines(experiment: &Experiment, metrics: &[String]) -> Vec<Line> {
    let pruning_matters = metrics.iter().any(|metric| needs_graph(metric));
    let mut lines = Vec::new();
    for entrant in entrants(experiment) {
        let mut rules = vec![ANSWER.to_string()];
        if let Entrant::Method(contestant) = &entrant {
            rules.extend(contestant.also.iter().cloned());
        }
        for rule in rules {
            let name =
                if rule == ANSWER { entrant.label().into() } else { format!("{}: {rule}", entrant.label()) };
            let line = Line {
                label: name,
                group: group(&entrant),
                entrant: entrant.label().into(),
                rule,
                prune: None,
            };
            if !pruning_matters || matches!(entrant, Entrant::EmptyGraph) {
                lines.push(line);
                continue;
            }
            for pruner in entrant.pruners(experiment) {
                let label = format!("{} + {pruner}", line.label);
                lines.push(Line { label, prune: Some(pruner.clone()), ..line.clone() });
            }
        }
    }
    lines
}

fn group(entrant: &Entrant) -> &'static str {
    let Entrant::Method(contestant) = entrant else { return TRIVIAL };
    match find("method", &contestant.name, methods()).map(|method| method.kind) {
        Ok(Kind::Contestant) => METHODS,
        Ok(Kind::Ablation) => ABLATIONS,
        _ => TRIVIAL,
    }
}

impl Line {
    /// Whether a row of results belongs to this line. A graph learner's own graph stands under every pruner; where
    /// the pruner makes no difference, the first one's row is taken.
    fn has(&self, row: &Row) -> bool {
        row.label == self.entrant
            && row.rule == self.rule
            && self.prune.as_ref().is_none_or(|p| *p == row.prune || row.prune.is_empty())
    }
}

fn written(line: &Line, cells: &[(&str, &str)], rows: &[Row]) -> Vec<String> {
    let own: Vec<&Row> = rows.iter().filter(|row| line.has(row)).collect();
    let mut texts = vec![line.label.clone()];
    for (column, metric) in cells {
        let here: Vec<&&Row> = own.iter().filter(|row| row.column == *column).collect();
        let values: Vec<f64> =
            once(here.iter().map(|row| **row)).filter_map(|row| row.value(metric)).collect();
        texts.push(Statistic::of(&values).map_or(NOTHING.into(), |s| s.text()));
    }
    let seconds: Vec<f64> = once(own.iter().copied()).filter_map(|row| row.seconds).collect();
    texts.push(Statistic::of(&seconds).map_or(NOTHING.into(), |s| format!("{:.1}", s.mean)));
    texts
}

/// One row for each run on a problem: several pruners' rows share the order.
fn once<'a>(rows: impl Iterator<Item = &'a Row>) -> impl Iterator<Item = &'a Row> {
    let mut seen = std::collections::HashSet::new();
    rows.filter(move |row| seen.insert((row.problem.clone(), row.run)))
}

/// How many problems there are among rows.
fn problems<'a>(rows: impl Iterator<Item = &'a Row>) -> usize {
    rows.map(|row| row.problem.as_str()).collect::<std::collections::HashSet<_>>().len()
}

fn heading(metrics: &[String], rows: &[Row], column: &str, metric: &str) -> String {
    let sets = problems(rows.iter().filter(|row| row.column == column));
    let what = if metrics.len() > 1 { format!(" {}", shown(metric)) } else { String::new() };
    format!("{column}{what} ({sets} data set{})", if sets == 1 { "" } else { "s" })
}

/// A metric's name as a table writes it.
fn shown(metric: &str) -> String {
    if metric.len() <= 3 { metric.to_uppercase() } else { metric.replace('_', " ") }
}

fn mean_text(values: &[f64]) -> String {
    Statistic::of(values).map_or(NOTHING.into(), |s| format!("{:.3}", s.mean))
}

fn published(experiment: &Experiment, cells: &[(&str, &str)]) -> RowGroup {
    // Shares have two digits in the paper, counts as many as they need.
    let number = |x: f64| if x.abs() < 1.0 { format!("{x:.2}") } else { x.to_string() };
    let text = |(mean, sd): (f64, Option<f64>)| match sd {
        Some(sd) => format!("{} ± {}", number(mean), number(sd)),
        None => number(mean),
    };
    let row = |published: &crate::published::Published| {
        let mut texts = vec![match &published.prune {
            Some(pruner) => format!("{} + {pruner}", published.label),
            None => published.label.clone(),
        }];
        let values = cells.iter().map(|(column, metric)| published.value(metric, column));
        texts.extend(values.map(|value| value.map_or(NOTHING.into(), text)));
        texts.push(NOTHING.into());
        texts
    };
    RowGroup { name: "as published".into(), rows: experiment.published.iter().map(row).collect() }
}

/// How easily the data gives its order away.
fn sortability(cells: &[(&str, &str)], rows: &[Row]) -> RowGroup {
    let line = |name: &str, value: fn(&Row) -> Option<f64>| {
        let mut texts = vec![name.to_string()];
        let mut before = "";
        for (column, _) in cells {
            let here = once(rows.iter().filter(|row| row.column == *column && row.error.is_empty()));
            let values: Vec<f64> = here.filter_map(value).collect();
            texts.push(if *column == before { String::new() } else { mean_text(&values) });
            before = column;
        }
        texts.push(String::new());
        texts
    };
    RowGroup {
        name: "the data (0.5: the statistic says nothing about the order)".into(),
        rows: vec![
            line("var-sortability", |row| row.var_sortability),
            line("R²-sortability", |row| row.r2_sortability),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_metrics_of_graphs_depend_on_the_pruner() {
        let of_orders = |name: &&str| !needs_graph(name);
        let names: Vec<&str> = METRICS.iter().map(|metric| metric.name).filter(of_orders).collect();
        assert_eq!(names, ["cbc", "accuracy"]);
        assert!(!needs_graph(crate::experiment::PROXY));
    }

    #[test]
    fn columns_with_other_metrics_have_a_table_of_their_own() {
        let text = "
            metrics = ['cbc', 'shd']
            methods = [{ name = 'random' }]
            [[problems]]
            column = 'pairs'
            metrics = ['accuracy']
            families = ['an', 'ls']
            graphs = ['path']
            [[problems]]
            column = 'graphs'
            families = ['hidden']
            graphs = ['path']
        ";
        let experiment = Experiment::parse(text, None).unwrap();
        let row = |column: &str, family: &str| Row {
            column: column.into(),
            family: family.into(),
            problem: family.into(),
            label: "random".into(),
            rule: ANSWER.into(),
            prune: "none".into(),
            metrics: METRICS.iter().map(|_| Some(0.25)).collect(),
            ..Row::default()
        };
        let rows = [row("pairs", "an"), row("pairs", "ls"), row("graphs", "hidden")];
        let [pairs, graphs] = metric_lists(&experiment)[..] else { panic!("two lists of metrics") };
        let table = main_table(&experiment, pairs, &rows);
        assert_eq!(table.title, "accuracy: mean ± standard deviation");
        assert_eq!(table.header, ["method", "pairs (2 data sets)", "seconds a run"]);
        let table = main_table(&experiment, graphs, &rows);
        let header = ["method", "graphs CBC (1 data set)", "graphs SHD (1 data set)", "seconds a run"];
        assert_eq!(table.header, header);
        assert_eq!(family_table(&experiment, pairs, &rows).unwrap().groups[0].rows.len(), 2);
        assert!(family_table(&experiment, graphs, &rows).is_none());
    }
}
