//! The average effect of setting a column, with the doubt about the rows and about the graph.

use oslow_core::{
    Capabilities, Choice, ColumnType, Dag, Error, Event, Observer, Outliers, ParentSet, Prepared, Preparing,
    Remedy, Result, Sample, Seed, SeenColumn, suggestion, unless_stopped,
};
use oslow_exact::{DoQuestion, SetMeans, do_means};
use oslow_math::central_range;
use serde::Serialize;

use crate::pool::with_threads;
use crate::{Extrapolation, GraphDoubt};

/// The interval covers the effect with this probability.
const COVERAGE: f64 = 0.9;
/// Redraws of the rows, all sets of causes together.
const DRAWS: usize = 200;
/// With fewer rows the interval is said to be rough.
const FEW_ROWS: usize = 50;

/// What is asked. Values are as the table has them: numbers, or the names of levels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EffectQuestion {
    /// The column that is set.
    pub on: String,
    /// The column whose mean is asked for.
    pub target: String,
    /// The value it is set from; without one, the lower quartile, or the first of two levels.
    pub from: Option<String>,
    /// The value it is set to; without one, the upper quartile, or the second of two levels.
    pub to: Option<String>,
    /// Values at which the mean itself is asked for.
    pub grid: Vec<f64>,
}

impl EffectQuestion {
    /// Refuses what cannot be asked of a table.
    pub fn check(&self, sample: &Sample) -> Result<()> {
        Asked::new(sample, self).map(drop)
    }
}

/// What is known of the graph.
#[derive(Clone, Copy, Debug)]
pub enum EffectGraph<'a> {
    /// What a run says about it.
    Doubted(&'a GraphDoubt),
    /// It is this one, and rows too far out are left out.
    Given(&'a Dag, Outliers),
}

/// The average effect of setting one column on the mean of another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeanEffect {
    /// The column that is set.
    pub on: String,
    /// The column whose mean changes.
    pub target: String,
    /// Where it is set from, and where to.
    pub from: Setting,
    /// See `from`.
    pub to: Setting,
    /// How these were chosen: `given` (at least one of them), `quartiles`, `two levels` or `range`.
    pub chosen: &'static str,
    /// What the mean is of: `mean`, `probability` (of `level`) or `mean of codes`.
    pub measure: &'static str,
    /// The level whose probability it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// How much the mean changes, in the units of the data.
    pub mean: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// The probability with which the interval is to hold the effect.
    pub coverage: f64,
    /// The probability that the column is not a cause of the target, directly or indirectly; absent where the graph is given, or the run does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_no_effect: Option<f64>,
    /// The mean itself, at each value of the grid.
    pub curve: Vec<CurvePoint>,
    /// The sets of direct causes that were adjusted for, the likeliest first.
    pub parent_sets: Vec<SetEffect>,
    /// How probable these are, all together.
    pub sets_probability: f64,
    /// Rows that were used.
    pub rows: usize,
    /// What must hold for the answer to be right.
    pub assumptions: Vec<String>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// The seed.
    pub seed: u64,
}

/// A value of a column: a number, or the name of a level.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Setting {
    /// A number.
    Number(f64),
    /// A level.
    Level(String),
}

/// The mean of the target where the column is set to a value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The value.
    pub value: f64,
    /// The mean.
    pub mean: f64,
    /// Where its interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// The effect if some columns are all direct causes of the one that is set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SetEffect {
    /// The set.
    pub parents: Vec<String>,
    /// Its probability.
    pub probability: f64,
    /// The effect.
    pub mean: f64,
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Level(level) => f.write_str(level),
        }
    }
}

/// The average effect of setting a column of a table, given what is known of the graph of its columns. `None` if the observer asks to stop.
pub fn mean_effect(
    sample: &Sample,
    question: &EffectQuestion,
    graph: EffectGraph<'_>,
    seed: Seed,
    threads: Option<usize>,
    observer: &mut dyn Observer,
) -> Result<Option<MeanEffect>> {
    let asked = Asked::new(sample, question)?;
    let known = Known::new(sample, graph, &asked)?;
    let prepared = Prepared::new(sample, known.preparing)?;
    let values: Vec<f64> = [asked.from, asked.to].into_iter().chain(question.grid.iter().copied()).collect();
    let exact = DoQuestion { on: asked.on, values, target: asked.target };
    let _ = observer.on_event(&Event::Progress {
        stage: "estimating the effect",
        done: 0,
        total: 1,
        loss: None,
        best: None,
    });
    let found = with_threads(threads, &observer.stop(), |_| {
        let answer = || do_means(&prepared, &known.seen, &exact, &known.sets, DRAWS, seed);
        unless_stopped(answer).transpose()
    })?;
    Ok(found.map(|found| asked.answer(sample, &prepared, question, &known, &found, seed)))
}

/// What is known of the causes of the column that is set.
struct Known {
    sets: Vec<ParentSet>,
    p_no_effect: Option<f64>,
    seen: Vec<SeenColumn>,
    preparing: Preparing,
    assumptions: Vec<String>,
    /// The graph has no path from the column to the target.
    no_path: bool,
}

impl Known {
    fn new(sample: &Sample, graph: EffectGraph<'_>, asked: &Asked) -> Result<Self> {
        match graph {
            EffectGraph::Doubted(doubt) => Ok(Self {
                sets: doubt.parent_sets(asked.on)?,
                p_no_effect: doubt.causes(asked.on, asked.target).map(|causes| 1.0 - causes),
                seen: doubt.seen(),
                preparing: doubt.preparing()?,
                assumptions: doubt.assumptions.clone(),
                no_path: false,
            }),
            EffectGraph::Given(dag, outliers) => {
                let seen = |j: usize| SeenColumn { kind: sample.type_of(j), ..SeenColumn::default() };
                Ok(Self {
                    sets: vec![ParentSet { parents: dag.parents(asked.on), probability: 1.0 }],
                    p_no_effect: None,
                    seen: (0..sample.columns()).map(seen).collect(),
                    preparing: Preparing { outliers, ..Preparing::default() },
                    assumptions: vec!["the given graph is right".into(), "no hidden common causes".into()],
                    no_path: !dag.is_ancestor(asked.on, asked.target),
                })
            }
        }
    }
}

/// A question about a table, looked up.
struct Asked {
    on: usize,
    target: usize,
    from: f64,
    to: f64,
    chosen: &'static str,
}

impl Asked {
    fn new(sample: &Sample, question: &EffectQuestion) -> Result<Self> {
        let [on, target] = [&question.on, &question.target].map(|name| find(sample, name));
        let (on, target) = (on?, target?);
        if on == target {
            return Err(Error::input(format!("`{}` is both set and the target", question.on))
                .with_hint("name two different columns"));
        }
        check(sample, on, target, question)?;
        let read = |text: &Option<String>| text.as_deref().map(|text| value(sample, on, text)).transpose();
        let (from, to) = (read(&question.from)?, read(&question.to)?);
        let (low, high, chosen) = match (from, to) {
            (Some(from), Some(to)) => (from, to, "given"),
            _ => usual_values(sample, on)?,
        };
        let chosen = if from.is_some() || to.is_some() { "given" } else { chosen };
        let (from, to) = (from.unwrap_or(low), to.unwrap_or(high));
        if from == to {
            return Err(Error::input(format!(
                "`{}` is set from {from} to {to}, which is no change",
                question.on
            ))
            .with_hint("name two different values"));
        }
        Ok(Self { on, target, from, to, chosen })
    }

    fn answer(
        &self,
        sample: &Sample,
        prepared: &Prepared,
        question: &EffectQuestion,
        known: &Known,
        found: &[SetMeans],
        seed: Seed,
    ) -> MeanEffect {
        let names = sample.names();
        let zero = if known.no_path { 0.0 } else { 1.0 };
        let effect = Summary::of(found, |means| zero * (means[1] - means[0]));
        let point = |(k, &value): (usize, &f64)| {
            let Summary { mean, low, high } = match known.no_path {
                // The mean stays what it is, wherever the column is set.
                true => Summary::of(found, |means| means.iter().sum::<f64>() / means.len() as f64),
                false => Summary::of(found, |means| means[2 + k]),
            };
            CurvePoint { value, mean, low, high }
        };
        let set = |found: &SetMeans| SetEffect {
            parents: found.set.parents.iter().map(|&parent| names[parent].clone()).collect(),
            probability: found.set.probability,
            mean: zero * (found.means[1] - found.means[0]),
        };
        let (measure, level) = measure(sample, self.target);
        MeanEffect {
            on: question.on.clone(),
            target: question.target.clone(),
            from: setting(sample, self.on, self.from),
            to: setting(sample, self.on, self.to),
            chosen: self.chosen,
            measure,
            level,
            mean: effect.mean,
            low: effect.low,
            high: effect.high,
            coverage: COVERAGE,
            p_no_effect: known.p_no_effect,
            curve: question.grid.iter().enumerate().map(point).collect(),
            parent_sets: found.iter().map(set).collect(),
            sets_probability: known.sets.iter().map(|set| set.probability).sum::<f64>().min(1.0),
            rows: prepared.rows(),
            assumptions: known.assumptions.clone(),
            warnings: self.warnings(prepared, question),
            seed: seed.0,
        }
    }

    fn warnings(&self, prepared: &Prepared, question: &EffectQuestion) -> Vec<String> {
        let mut warnings = Vec::new();
        if prepared.type_of(self.on) != ColumnType::Categorical {
            let grid = question.grid.first().into_iter().chain(question.grid.last());
            let mut values: Vec<f64> = [self.from, self.to].into_iter().chain(grid.copied()).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            let (low, high) = central_range(observed(prepared.raw(self.on), prepared.gaps(self.on)));
            let outside = values.into_iter().filter(|value| !(low..=high).contains(value));
            let name = &question.on;
            warnings.extend(
                outside.map(|value| Extrapolation { name: name.clone(), value, low, high }.to_string()),
            );
        }
        if prepared.rows() < FEW_ROWS {
            warnings.push(format!("the table has only {} rows; the interval is rough", prepared.rows()));
        }
        warnings
    }
}

/// A mean over sets of causes, and the interval of the mixture of their redraws.
struct Summary {
    mean: f64,
    low: f64,
    high: f64,
}

impl Summary {
    fn of(found: &[SetMeans], number: impl Fn(&[f64]) -> f64) -> Self {
        let total: f64 = found.iter().map(|of| of.set.probability).sum();
        let mean = found.iter().map(|of| of.set.probability * number(&of.means)).sum::<f64>() / total;
        let weighted = |of: &SetMeans| {
            let weight = of.set.probability / total / of.draws.len() as f64;
            of.draws.iter().map(|draw| (number(draw), weight)).collect::<Vec<_>>()
        };
        let mut draws: Vec<(f64, f64)> = found.iter().flat_map(weighted).collect();
        draws.sort_by(|a, b| a.0.total_cmp(&b.0));
        let tail = 0.5 * (1.0 - COVERAGE);
        Self { mean, low: quantile(&draws, tail), high: quantile(&draws, 1.0 - tail) }
    }
}

/// The first of some values, which ascend, up to which the weights sum to a share of all.
fn quantile(weighted: &[(f64, f64)], share: f64) -> f64 {
    let mut sum = 0.0;
    for (value, weight) in weighted {
        sum += weight;
        // What rounding takes away counts.
        if sum >= share - 1e-12 {
            return *value;
        }
    }
    weighted.last().map_or(f64::NAN, |last| last.0)
}

fn find(sample: &Sample, name: &str) -> Result<usize> {
    sample.names().iter().position(|known| known == name).ok_or_else(|| {
        Error::input(format!("there is no column `{name}`"))
            .with_hint(suggestion(name, sample.names().iter().map(String::as_str)))
    })
}

/// Refuses what has no mean, and what cannot be put on a grid.
fn check(sample: &Sample, on: usize, target: usize, question: &EffectQuestion) -> Result<()> {
    Capabilities { conditions: false, ..Capabilities::EVERYTHING }.check(sample, "an effect", &[])?;
    let levels = levels(sample, target);
    if sample.type_of(target) == ColumnType::Categorical && levels.len() > 2 {
        return Err(Error::input(format!(
            "the target `{}` is categorical with {} levels, so it has no mean",
            question.target,
            levels.len()
        ))
        .with_hint(
            Remedy::from("if its levels have an order, say so with ")
                .and(Choice::Type.set(format!("{}=ordinal", question.target)))
                .and(", or add a column of 0 and 1 for the level of interest"),
        ));
    }
    if !question.grid.is_empty() && sample.type_of(on) == ColumnType::Categorical {
        return Err(Error::input(format!("`{}` is categorical, so it has no curve", question.on))
            .with_hint("compare two of its levels"));
    }
    question.grid.iter().try_for_each(|&number| known_value(sample, on, number))
}

/// The values of a column in which it was observed, ascending, each once.
fn levels(sample: &Sample, j: usize) -> Vec<f64> {
    let values = sample.column(j).enumerate().filter(|(row, _)| !sample.is_gap(*row, j));
    let mut values: Vec<f64> = values.map(|(_, value)| value).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    values
}

fn observed(column: &[f64], gaps: &[usize]) -> Vec<f64> {
    let there = column.iter().enumerate().filter(|(row, _)| gaps.binary_search(row).is_err());
    there.map(|(_, value)| *value).collect()
}

/// A value of a column as the user writes it.
fn value(sample: &Sample, on: usize, text: &str) -> Result<f64> {
    let (name, labels) = (&sample.names()[on], sample.labels(on));
    if !labels.is_empty() {
        let found = labels.iter().position(|label| label == text).map(|code| code as f64);
        return found.ok_or_else(|| {
            Error::input(format!("`{name}` has no level `{text}`"))
                .with_hint(suggestion(text, labels.iter().map(String::as_str)))
        });
    }
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let number = number.ok_or_else(|| {
        Error::input(format!("`{text}` is not a number, and `{name}` holds numbers"))
            .with_hint("give a number in the units of the table")
    })?;
    known_value(sample, on, number)?;
    Ok(number)
}

/// Refuses a number that a discrete column cannot have.
fn known_value(sample: &Sample, on: usize, number: f64) -> Result<()> {
    let name = &sample.names()[on];
    match sample.type_of(on) {
        ColumnType::Continuous => Ok(()),
        ColumnType::Count if number >= 0.0 && number.fract() == 0.0 => Ok(()),
        ColumnType::Count => Err(Error::input(format!("`{name}` is a count, and {number} is not one"))
            .with_hint("give a whole number from 0 on")),
        kind => {
            let levels = levels(sample, on);
            if levels.contains(&number) {
                return Ok(());
            }
            let all: Vec<String> =
                levels.iter().map(|level| setting(sample, on, *level).to_string()).collect();
            Err(Error::input(format!("`{name}` is {kind} and never {number}"))
                .with_hint(format!("choose one of: {}", all.join(", "))))
        }
    }
}

/// From where to where a column is set if nobody says so.
fn usual_values(sample: &Sample, on: usize) -> Result<(f64, f64, &'static str)> {
    let levels = levels(sample, on);
    if let [first, second] = levels[..] {
        return Ok((first, second, "two levels"));
    }
    if sample.type_of(on) == ColumnType::Categorical {
        let all: Vec<String> = levels.iter().map(|level| setting(sample, on, *level).to_string()).collect();
        return Err(Error::input(format!(
            "`{}` is categorical: say which two of its levels to compare",
            sample.names()[on]
        ))
        .with_hint(
            Remedy::from("give ")
                .and(Choice::From)
                .and(" and ")
                .and(Choice::To)
                .and(format!("; its levels are {}", all.join(", "))),
        ));
    }
    let mut values: Vec<f64> = sample
        .column(on)
        .enumerate()
        .filter(|(row, _)| !sample.is_gap(*row, on))
        .map(|(_, value)| value)
        .collect();
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[(share * (values.len() - 1) as f64).round() as usize];
    let (lower, upper) = (at(0.25), at(0.75));
    match lower < upper {
        true => Ok((lower, upper, "quartiles")),
        false => Ok((values[0], values[values.len() - 1], "range")),
    }
}

/// A value of a column as its table has it.
fn setting(sample: &Sample, on: usize, value: f64) -> Setting {
    match sample.labels(on).get(value as usize) {
        Some(label) => Setting::Level(label.clone()),
        None => Setting::Number(value),
    }
}

/// What the mean of a column is, and of which level.
fn measure(sample: &Sample, target: usize) -> (&'static str, Option<String>) {
    let levels = levels(sample, target);
    let coded = !sample.labels(target).is_empty();
    match sample.type_of(target) {
        ColumnType::Binary | ColumnType::Categorical if coded || levels == [0.0, 1.0] => {
            ("probability", levels.last().map(|&level| setting(sample, target, level).to_string()))
        }
        ColumnType::Ordinal if coded => ("mean of codes", None),
        _ => ("mean", None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(probability: f64, mean: f64, draws: &[f64]) -> SetMeans {
        SetMeans {
            set: ParentSet { parents: Vec::new(), probability },
            means: vec![0.0, mean],
            draws: draws.iter().map(|draw| vec![0.0, *draw]).collect(),
        }
    }

    #[test]
    fn the_interval_is_that_of_the_mixture() {
        let effect = |means: &[f64]| means[1] - means[0];
        let spread: Vec<f64> = (1..=100).map(f64::from).collect();
        let Summary { mean, low, high } = Summary::of(&[found(0.8, 50.0, &spread)], effect);
        assert_eq!((mean, low, high), (50.0, 5.0, 95.0));
        // With an effect of 0 in half of all graphs, the upper end is where a tenth of the others lies above.
        let both = [found(0.4, 50.0, &spread), found(0.4, 0.0, &[0.0, 0.0])];
        let Summary { mean, low, high } = Summary::of(&both, effect);
        assert_eq!((mean, low, high), (25.0, 0.0, 90.0));
        // One in a hundred graphs does not move it, however far its effect lies.
        let far = [found(0.99, 50.0, &spread), found(0.01, 1e6, &[1e6, 1e6])];
        assert!(Summary::of(&far, effect).high <= 96.0);
    }

    #[test]
    fn values_nobody_chose_are_quartiles_or_levels() {
        let column = |values: Vec<f64>| {
            let rows = values.iter().enumerate().flat_map(|(k, value)| [*value, k as f64]).collect();
            Sample::new(vec!["x".into(), "y".into()], rows).unwrap()
        };
        let usual = |values: Vec<f64>| usual_values(&column(values), 0).unwrap();
        assert_eq!(usual((0..=100).map(f64::from).collect()), (25.0, 75.0, "quartiles"));
        assert_eq!(usual((0..100).map(|k| f64::from(k % 2)).collect()), (0.0, 1.0, "two levels"));
        let mut rare = vec![1.0; 100];
        rare.extend([0.0, 7.0]);
        assert_eq!(usual(rare), (0.0, 7.0, "range"));
    }
}
