//! The paper's figures of interventions: E[X | do(X₁ = x)] of a flow fitted to observations, beside the truth's.
//!
//! Variables are called by their place in the causal order, X1 first, as in the paper.

use std::time::Instant;

use oslow::scm::{Simulated, simulate};
use oslow::{
    Effect, FitOptions, Interventional, Observer, Prepared, Preparing, Result, Seed, StableHash, VERSION,
    effect_curve, fit, fit_settings,
};

use crate::experiment::{Experiment, Figure, spec};
use crate::row::written;
use crate::schedule::Job;

/// A point of a curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The figure.
    pub figure: String,
    /// The variable whose mean is asked for.
    pub target: String,
    /// The value that the first variable is set to.
    pub x: f64,
    /// The flow's mean.
    pub mean: f64,
    /// Where the 99 % Monte-Carlo interval of that mean begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// The true model's mean.
    pub truth: f64,
    /// The observational standard deviation of the target.
    pub target_sd: f64,
    /// Where the central 99 % of the first variable begin.
    pub from: f64,
    /// Where they end.
    pub to: f64,
    /// How long the fit took.
    pub seconds: f64,
}

impl Point {
    /// The names of the fields.
    pub fn header() -> Vec<String> {
        let names = [
            "figure",
            "target",
            "x",
            "mean",
            "low",
            "high",
            "truth",
            "target_sd",
            "from",
            "to",
            "seconds",
            "error",
        ];
        names.map(String::from).to_vec()
    }

    fn fields(&self) -> Vec<String> {
        let numbers = [
            self.x,
            self.mean,
            self.low,
            self.high,
            self.truth,
            self.target_sd,
            self.from,
            self.to,
            self.seconds,
        ];
        let names = [self.figure.clone(), self.target.clone()];
        names.into_iter().chain(numbers.map(|x| written(Some(x)))).chain([String::new()]).collect()
    }

    /// Reads the fields back; `None` for a row that holds an error.
    pub fn from_fields(fields: &[String]) -> Option<Self> {
        let number = |k: usize| fields.get(k)?.parse::<f64>().ok();
        Some(Self {
            figure: fields.first()?.clone(),
            target: fields.get(1)?.clone(),
            x: number(2)?,
            mean: number(3)?,
            low: number(4)?,
            high: number(5)?,
            truth: number(6)?,
            target_sd: number(7)?,
            from: number(8)?,
            to: number(9)?,
            seconds: number(10)?,
        })
    }

    /// Whether there was data around x.
    pub fn is_inside(&self) -> bool {
        (self.from..=self.to).contains(&self.x)
    }
}

/// One figure to be made.
#[derive(Debug)]
pub struct FigureJob {
    key: String,
    figure: Figure,
    rows: usize,
    seed: u64,
}

/// How far beyond the data a curve goes, as a share of its range: there the answer is extrapolated.
const BEYOND: f64 = 0.25;

impl FigureJob {
    /// The figures of an experiment, once for each set.
    pub fn all(experiment: &Experiment) -> Result<Vec<Self>> {
        let figures = (0..experiment.sets).flat_map(|set| experiment.figures.iter().map(move |f| (set, f)));
        figures.map(|(set, figure)| Self::new(experiment, figure, set)).collect()
    }

    fn new(experiment: &Experiment, figure: &Figure, set: usize) -> Result<Self> {
        let figure = Figure { name: numbered(&figure.name, set), ..figure.clone() };
        let (rows, seed) = (experiment.rows, experiment.seed + set as u64);
        let settings = fit_settings(&oslow::Settings::new())?;
        let identity = format!("{VERSION}\n{figure:?}\n{rows}\n{seed}\n{settings}");
        Ok(Self { key: StableHash::of(&identity)[..16].into(), figure, rows, seed })
    }

    /// Simulates, fits with the true order, and asks both models; `None` if it was stopped.
    fn points(&self, observer: &mut dyn Observer) -> Result<Option<Vec<Point>>> {
        let Simulated { sample, scm, dag } =
            simulate(&spec(&self.figure.simulate)?, self.rows, Seed(self.seed))?;
        let order = dag.topological_order();
        let first = order.nodes()[0];
        let start = Instant::now();
        let options = FitOptions { threads: Some(1), ..FitOptions::new(order.clone()) };
        let fitted = fit(&sample, &options, observer)?;
        if fitted.interrupted {
            return Ok(None);
        }
        let seconds = start.elapsed().as_secs_f64();
        let (from, to) = fitted.flow.observed(first);
        let grid = self.grid(from, to);
        let curve = |model: &dyn Interventional, draws| {
            effect_curve(model, first, &grid, &[], draws, Seed(self.seed))
        };
        let (ours, truth) = (curve(&fitted.flow, self.figure.draws)?, curve(&scm, self.figure.true_draws)?);
        let (place, data) = (order.positions(), Prepared::new(&sample, Preparing::as_given())?);
        let point = |(x, ours, truth): (f64, &Effect, &Effect)| Point {
            figure: self.figure.name.clone(),
            target: format!("X{}", place[ours.target] + 1),
            x,
            mean: ours.mean.mean,
            low: ours.mean.low,
            high: ours.mean.high,
            truth: truth.mean.mean,
            target_sd: data.deviation(ours.target),
            from,
            to,
            seconds,
        };
        let at = |((x, ours), truth): ((&f64, &Vec<Effect>), &Vec<Effect>)| {
            let x = *x;
            ours.iter().zip(truth).map(|(a, b)| point((x, a, b))).collect::<Vec<_>>()
        };
        let mut points: Vec<Point> = grid.iter().zip(&ours).zip(&truth).flat_map(at).collect();
        points.sort_by(|a, b| a.target.cmp(&b.target).then(a.x.total_cmp(&b.x)));
        Ok(Some(points))
    }

    fn grid(&self, from: f64, to: f64) -> Vec<f64> {
        let steps = self.figure.points.max(2) - 1;
        let (start, width) = (from - BEYOND * (to - from), (1.0 + 2.0 * BEYOND) * (to - from));
        (0..=steps).map(|k| start + width * k as f64 / steps as f64).collect()
    }
}

impl Job for FigureJob {
    fn key(&self) -> &str {
        &self.key
    }

    fn run(&self, observer: &mut dyn Observer) -> Option<Vec<Vec<String>>> {
        match self.points(observer) {
            Ok(points) => Some(points?.iter().map(Point::fields).collect()),
            Err(error) => {
                let mut fields = vec![String::new(); Point::header().len()];
                fields[0].clone_from(&self.figure.name);
                if let Some(last) = fields.last_mut() {
                    *last = error.to_string();
                }
                Some(vec![fields])
            }
        }
    }
}

/// The second and later sets of a figure are told by their number.
fn numbered(name: &str, set: usize) -> String {
    if set == 0 { name.into() } else { format!("{name}, set {set}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_goes_through_text() {
        let point = Point {
            figure: "a".into(),
            target: "X2".into(),
            x: 0.1,
            mean: 1.0 / 3.0,
            low: 0.2,
            high: 0.4,
            truth: 0.3,
            target_sd: 1.1,
            from: 0.0,
            to: 1.0,
            seconds: 2.0,
        };
        assert_eq!(Point::from_fields(&point.fields()), Some(point.clone()));
        assert_eq!(point.fields().len(), Point::header().len());
        assert!(point.is_inside() && !Point { x: 1.5, ..point }.is_inside());
    }
}
