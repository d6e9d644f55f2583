//! `oslow intervene`.

use std::path::PathBuf;

use clap::Args;
use oslow::{
    CURVE_ROWS, Effect, Error, FittedFlow, Intervention, Interventional, Result, effect_curve, effects,
    extrapolations,
};
use serde_json::{Map, Value, json};

use crate::actions::{self, Grid};
use crate::arguments::Common;
use crate::{files, names, output};

/// What `low` and `high` are the ends of.
const INTERVAL: &str = "99 % Monte-Carlo interval of the fitted model";
/// Draws where there is a single point: cheap, and the interval is narrow.
const POINT_ROWS: usize = 1000;

/// What to set, and whose mean to tell.
#[derive(Args)]
#[command(after_help = "\
Examples:
  oslow intervene model.safetensors --do diet=2 --target weight
  oslow intervene model.safetensors --do age=50 --do diet=2 --rows 5000
  oslow intervene model.safetensors --grid diet=0:3:0.1 --target weight --json

Each mean has a 99 % Monte-Carlo interval: that of drawing a limited number of rows from the fitted model.
It does not hold the doubt about the model or the graph; `oslow effects` does.")]
pub struct InterveneArguments {
    /// A model made by `oslow fit`, or the folder of a run with --fit
    model: PathBuf,
    /// Set a variable, such as X=1.5; may be repeated
    #[arg(long = "do", value_name = "NAME=VALUE", required_unless_present = "grid")]
    actions: Vec<String>,
    /// Variable to report; repeatable [default: all others]
    #[arg(long, value_name = "NAME")]
    target: Vec<String>,
    /// Set one variable to many values: start, stop and step
    #[arg(long, value_name = "NAME=START:STOP:STEP")]
    grid: Option<String>,
    /// Draws per mean [default: 1000; with --grid 50 per point, as in the paper]
    #[arg(long, value_name = "N")]
    rows: Option<usize>,
}

/// The answer at one point.
struct Point {
    /// The value on the grid, where there is one.
    value: Option<f64>,
    effects: Vec<Effect>,
    extrapolates: bool,
}

pub fn run(arguments: &InterveneArguments, common: &Common) -> Result<()> {
    let flow = files::load_model(&arguments.model)?;
    let held = actions::interventions(&arguments.actions, flow.names())?;
    let grid = arguments.grid.as_deref().map(|text| actions::grid(text, flow.names())).transpose()?;
    check_apart(&held, grid.as_ref(), flow.names())?;
    let targets = targets(&arguments.target, &held, grid.as_ref(), flow.names())?;
    let mut points = answer(&flow, &held, grid.as_ref(), arguments.rows, common)?;
    for point in &mut points {
        point.effects.retain(|effect| targets.contains(&effect.target));
    }
    let warnings = warnings(&flow, &held, grid.as_ref());
    warnings.iter().for_each(|warning| common.warn(warning));
    if common.json {
        return output::print_json(&in_json(&flow, &held, grid.as_ref(), &points, &warnings));
    }
    output::print(in_csv(&flow, grid.as_ref(), &points)?)
}

/// A variable is set by `--do` or by `--grid`.
fn check_apart(held: &[Intervention], grid: Option<&Grid>, variables: &[String]) -> Result<()> {
    match grid.filter(|grid| held.iter().any(|action| action.node == grid.node)) {
        None => Ok(()),
        Some(grid) => Err(Error::input(format!("`{}` is set by both --do and --grid", variables[grid.node]))
            .with_hint("drop one of the two")),
    }
}

/// The variables whose means are told; refuses those that are set.
fn targets(
    given: &[String],
    held: &[Intervention],
    grid: Option<&Grid>,
    variables: &[String],
) -> Result<Vec<usize>> {
    let is_set = |node: usize| {
        held.iter().any(|action| action.node == node) || grid.is_some_and(|grid| grid.node == node)
    };
    if given.is_empty() {
        return Ok((0..variables.len()).filter(|&node| !is_set(node)).collect());
    }
    let find = |name: &String| {
        let node = names::find(name, variables).map_err(|e| e.at(format_args!("--target {name}")))?;
        if is_set(node) {
            return Err(Error::input(format!("--target {name}: it is set, so its mean is known"))
                .with_hint("name a variable that is not set, or leave `--target` out"));
        }
        Ok(node)
    };
    given.iter().map(find).collect()
}

fn answer(
    flow: &FittedFlow,
    held: &[Intervention],
    grid: Option<&Grid>,
    rows: Option<usize>,
    common: &Common,
) -> Result<Vec<Point>> {
    let held_outside = !extrapolations(flow, held).is_empty();
    let Some(Grid { node, values }) = grid else {
        let effects = effects(flow, held, rows.unwrap_or(POINT_ROWS), common.seed())?;
        return Ok(vec![Point { value: None, effects, extrapolates: held_outside }]);
    };
    let curve = effect_curve(flow, *node, values, held, rows.unwrap_or(CURVE_ROWS), common.seed())?;
    let point = |(&value, effects)| {
        let action = [Intervention { node: *node, value }];
        let extrapolates = held_outside || !extrapolations(flow, &action).is_empty();
        Point { value: Some(value), effects, extrapolates }
    };
    Ok(values.iter().zip(curve).map(point).collect())
}

/// What lies outside the data; of a grid its ends stand for all.
fn warnings(flow: &FittedFlow, held: &[Intervention], grid: Option<&Grid>) -> Vec<String> {
    let mut set = held.to_vec();
    if let Some(Grid { node, values }) = grid {
        let mut ends = vec![values[0], values[values.len() - 1]];
        ends.dedup();
        set.extend(ends.into_iter().map(|value| Intervention { node: *node, value }));
    }
    extrapolations(flow, &set).iter().map(ToString::to_string).collect()
}

fn in_csv(flow: &FittedFlow, grid: Option<&Grid>, points: &[Point]) -> Result<Vec<u8>> {
    let texts = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<String>>();
    let mut records = vec![match grid {
        Some(_) => texts(&["variable", "value", "target", "mean", "low", "high"]),
        None => texts(&["target", "mean", "low", "high"]),
    }];
    for point in points {
        for effect in &point.effects {
            let mut record = Vec::new();
            if let (Some(grid), Some(value)) = (grid, point.value) {
                record = vec![flow.names()[grid.node].clone(), value.to_string()];
            }
            let mean = effect.mean;
            record.push(flow.names()[effect.target].clone());
            record.extend([mean.mean, mean.low, mean.high].map(|x| x.to_string()));
            records.push(record);
        }
    }
    output::csv_text(records)
}

fn in_json(
    flow: &FittedFlow,
    held: &[Intervention],
    grid: Option<&Grid>,
    points: &[Point],
    warnings: &[String],
) -> Value {
    let name = |node: usize| flow.names()[node].as_str();
    let actions: Map<String, Value> =
        held.iter().map(|action| (name(action.node).to_string(), json!(action.value))).collect();
    let effect = |point: &Point, effect: &Effect| {
        let mut value = json!({
            "target": name(effect.target),
            "mean": effect.mean.mean,
            "low": effect.mean.low,
            "high": effect.mean.high,
            "extrapolates": point.extrapolates,
        });
        if let Some(at) = point.value {
            value["value"] = json!(at);
        }
        value
    };
    let effects: Vec<Value> =
        points.iter().flat_map(|point| point.effects.iter().map(move |e| effect(point, e))).collect();
    json!({
        "do": actions,
        "grid": grid.map(|grid| name(grid.node)),
        "effects": effects,
        "interval": INTERVAL,
        "extrapolates": points.iter().any(|point| point.extrapolates),
        "warnings": warnings,
    })
}
