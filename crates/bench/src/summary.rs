//! `summary.md`, `summary.html` and `summary.tex`.

use std::collections::BTreeMap;
use std::path::Path;

use oslow::report::{Curve, LinePlot, RowGroup, Table, escape, html_page, html_text};
use oslow::{Result, VERSION, write_whole};

use crate::experiment::Experiment;
use crate::figure::Point;
use crate::row::Row;
use crate::tables::{family_table, main_table, metric_lists};

/// What a summary says: fairness first, the command last.
#[derive(Debug)]
pub struct Summary {
    title: String,
    before: Vec<String>,
    tables: Vec<Table>,
    command: String,
}

/// How far a run has come, and what was left out.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Whether cells are missing, and how many.
    pub missing: usize,
    /// Problems that were skipped.
    pub skipped: Vec<String>,
}

impl Summary {
    /// The summary of judged rows.
    pub fn of_rows(experiment: &Experiment, rows: &[Row], state: &State, command: &str) -> Self {
        let lists = metric_lists(experiment);
        let mut tables: Vec<Table> =
            lists.iter().map(|metrics| main_table(experiment, metrics, rows)).collect();
        if let Some(last) = tables.last_mut() {
            last.notes = experiment.notes.clone();
            last.notes.push(failures(rows));
        }
        tables.extend(lists.iter().filter_map(|metrics| family_table(experiment, metrics, rows)));
        let mut before =
            vec![experiment.about.clone(), fairness(experiment, rows), experiment.tuning.clone()];
        before.extend(unfinished(state));
        Self { title: experiment.title.clone(), before, tables, command: command.into() }
    }

    /// The summary of curves.
    pub fn of_points(experiment: &Experiment, points: &[Point], state: &State, command: &str) -> Self {
        let mut table = Table {
            title: "How far the fitted curves lie from the true ones".into(),
            header: [
                "curve",
                "error inside",
                "error outside",
                "intervals that hold the truth",
                "seconds a fit",
            ]
            .map(String::from)
            .to_vec(),
            groups: vec![RowGroup::default()],
            notes: experiment.notes.clone(),
        };
        table.groups[0].rows = curves(points).iter().map(|curve| curve_row(curve)).collect();
        let mut before = vec![experiment.about.clone(), experiment.tuning.clone()];
        before.extend(unfinished(state));
        Self { title: experiment.title.clone(), before, tables: vec![table], command: command.into() }
    }

    /// Writes the three files.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let files =
            [("summary.md", self.markdown()), ("summary.html", self.html()), ("summary.tex", self.tex())];
        files.iter().try_for_each(|(name, text)| write_whole(&folder.join(name), text.as_bytes()))
    }

    /// The summary as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n", self.title);
        self.paragraphs().for_each(|paragraph| text += &format!("{}\n\n", paragraph.trim()));
        self.tables.iter().for_each(|table| text += &format!("{}\n", table.to_markdown()));
        text + &format!("Made by oslow {VERSION}:\n\n```\n{}\n```\n", self.command)
    }

    fn html(&self) -> String {
        let mut body: String = self.paragraphs().map(|p| format!("<p>{}</p>\n", html_text(p))).collect();
        self.tables.iter().for_each(|table| body += &table.to_html());
        body += &format!("<p>Made by oslow {VERSION}:</p>\n<pre>{}</pre>\n", escape(&self.command));
        html_page(&self.title, &body)
    }

    fn tex(&self) -> String {
        let comment = |text: &str| text.lines().map(|line| format!("% {line}\n")).collect::<String>();
        let mut text = comment(&self.title);
        self.paragraphs().for_each(|paragraph| text += &comment(paragraph.trim()));
        self.tables.iter().for_each(|table| text += &table.to_tex());
        text + &comment(&format!("made by oslow {VERSION}: {}", self.command))
    }

    fn paragraphs(&self) -> impl Iterator<Item = &str> {
        self.before.iter().map(String::as_str).filter(|text| !text.trim().is_empty())
    }
}

/// What every method was given.
fn fairness(experiment: &Experiment, rows: &[Row]) -> String {
    let other: BTreeMap<&str, &str> = rows
        .iter()
        .filter(|row| row.standardize != experiment.standardize)
        .map(|row| (row.label.as_str(), row.standardize.as_str()))
        .collect();
    let mut text = format!(
        "Every method saw the same rows, columns shuffled (seeded), standardisation `{}`, outliers `{}`; {} run{} on each data set, \
         one thread each, several at once. Numbers are mean ± standard deviation over data sets and runs.",
        experiment.standardize,
        experiment.outliers,
        experiment.runs,
        if experiment.runs == 1 { "" } else { "s" }
    );
    for (label, standardize) in other {
        text += &format!(" {label}: standardisation `{standardize}`.");
    }
    for kind in experiment.problems.iter().filter(|kind| !kind.told.is_empty()) {
        let told: Vec<String> =
            kind.told.iter().map(|(method, s)| format!("{method}: {}", one_line(s))).collect();
        text += &format!(" Told beforehand on `{}`: {}.", kind.column, told.join("; "));
    }
    text
}

/// Settings on one line.
fn one_line(settings: &oslow::Settings) -> String {
    settings.iter().map(|(key, value)| format!("{key} = {value}")).collect::<Vec<_>>().join(", ")
}

fn failures(rows: &[Row]) -> String {
    let failed: Vec<&Row> = rows.iter().filter(|row| !row.error.is_empty()).collect();
    match failed.first() {
        None => "No cell failed.".into(),
        Some(first) => format!(
            "{} rows failed and count nowhere; the first: {} on {}: {}",
            failed.len(),
            first.label,
            first.problem,
            first.error
        ),
    }
}

fn unfinished(state: &State) -> Vec<String> {
    let mut texts = state.skipped.clone();
    if state.missing > 0 {
        texts.push(format!("**Not finished: {} cells are missing.**", state.missing));
    }
    texts
}

/// The points of each curve, in the order in which they came.
fn curves(points: &[Point]) -> Vec<Vec<&Point>> {
    let mut curves: Vec<Vec<&Point>> = Vec::new();
    for point in points {
        match curves.last_mut() {
            Some(curve) if curve[0].figure == point.figure && curve[0].target == point.target => {
                curve.push(point)
            }
            _ => curves.push(vec![point]),
        }
    }
    curves
}

fn curve_row(curve: &[&Point]) -> Vec<String> {
    // Root mean square, in observational standard deviations of the target.
    let error = |inside: bool| {
        let squares: Vec<f64> = curve
            .iter()
            .filter(|p| p.is_inside() == inside)
            .map(|p| ((p.mean - p.truth) / p.target_sd).powi(2))
            .collect();
        format!("{:.3} sd", (squares.iter().sum::<f64>() / squares.len().max(1) as f64).sqrt())
    };
    let inside: Vec<&&Point> = curve.iter().filter(|p| p.is_inside()).collect();
    let hold = inside.iter().filter(|p| (p.low..=p.high).contains(&p.truth)).count();
    vec![
        format!("{}, {}", curve[0].figure, curve[0].target),
        error(true),
        error(false),
        format!("{hold} of {}", inside.len()),
        format!("{:.1}", curve[0].seconds),
    ]
}

/// A picture of each curve: `FIGURE-TARGET.svg`.
pub fn write_pictures(folder: &Path, points: &[Point]) -> Result<()> {
    for curve in curves(points) {
        let words: Vec<&str> = curve[0].figure.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let name = format!("{}-{}.svg", words.join("-"), curve[0].target);
        write_whole(&folder.join(name), picture(&curve).to_svg().as_bytes())?;
    }
    Ok(())
}

fn picture(curve: &[&Point]) -> LinePlot {
    let points = |value: fn(&Point) -> f64| curve.iter().map(|p| (p.x, value(p))).collect();
    LinePlot {
        title: format!("{}: the mean of {} when X1 is set", curve[0].figure, curve[0].target),
        x_label: "value that X1 is set to".into(),
        y_label: format!("mean of {}", curve[0].target),
        curves: vec![
            Curve {
                name: "fitted to observations, 99 % Monte-Carlo interval".into(),
                points: points(|p| p.mean),
                band: Some(curve.iter().map(|p| (p.low, p.high)).collect()),
                dashed: false,
            },
            Curve { name: "the truth".into(), points: points(|p| p.truth), band: None, dashed: true },
        ],
        shaded: Some((curve[0].from, curve[0].to, "99 % of the data".into())),
    }
}
