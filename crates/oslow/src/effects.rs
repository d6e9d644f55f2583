//! What interventions would do: means and their intervals, from draws of a model.
//!
//! The true model and a fitted flow both are [`Interventional`], so one function serves both.

use oslow_core::{Error, Intervention, Interventional, Result, Seed};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Draws per point of a curve, as in the paper.
pub const CURVE_ROWS: usize = 50;
/// The intervals cover the mean with this probability.
const COVERAGE: f64 = 0.99;

/// A mean and its 99 % Monte-Carlo interval: that of drawing a limited number of rows from the model. It says nothing about how right the model is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanInterval {
    /// The mean of the draws.
    pub mean: f64,
    /// Where the interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
}

/// The mean of one variable under an intervention.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// The variable.
    pub target: usize,
    /// Its mean, in data units.
    pub mean: MeanInterval,
}

impl MeanInterval {
    /// Student's interval of the mean of independent draws: mean ± t(n − 1)·sd/√n.
    pub fn of(draws: &[f64]) -> Result<Self> {
        let n = draws.len() as f64;
        if draws.len() < 2 {
            return Err(Error::input(format!("rows = {}: an interval needs at least 2", draws.len()))
                .with_hint("draw more rows"));
        }
        let mean = draws.iter().sum::<f64>() / n;
        let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let half = quantile(n - 1.0)? * (variance / n).sqrt();
        Ok(Self { mean, low: mean - half, high: mean + half })
    }
}

/// How many standard errors the interval reaches to either side.
fn quantile(freedom: f64) -> Result<f64> {
    let student = StudentsT::new(0.0, 1.0, freedom)
        .map_err(|e| Error::internal(format!("the interval cannot be computed: {e}")))?;
    Ok(student.inverse_cdf(0.5 + COVERAGE / 2.0))
}

/// The mean of every variable that is not set, from `rows` draws under the interventions.
pub fn effects(
    model: &dyn Interventional,
    interventions: &[Intervention],
    rows: usize,
    seed: Seed,
) -> Result<Vec<Effect>> {
    means(model, interventions, rows, &mut seed.stream("oslow/effects"))
}

/// [`effects`] at each value of one variable while the others are held as given. Points are drawn
/// independently, so that a curve that wiggles more than its intervals does so for a reason.
///
/// ```
/// use oslow::prelude::*;
/// let spec = oslow::scm::Spec { nodes: 2, graph: "path".into(), ..Default::default() };
/// let truth = oslow::scm::simulate(&spec, 100, Seed(0))?.scm;
/// let root = truth.dag().topological_order().nodes()[0];
/// let curve = effect_curve(&truth, root, &[-1.0, 0.0, 1.0], &[], oslow::CURVE_ROWS, Seed(0))?;
/// assert!(curve.iter().all(|point| point.len() == 1 && point[0].target != root));
/// # Ok::<(), Error>(())
/// ```
pub fn effect_curve(
    model: &dyn Interventional,
    node: usize,
    grid: &[f64],
    others: &[Intervention],
    rows: usize,
    seed: Seed,
) -> Result<Vec<Vec<Effect>>> {
    let point = |(k, &value): (usize, &f64)| {
        let mut interventions = others.to_vec();
        interventions.push(Intervention { node, value });
        means(model, &interventions, rows, &mut seed.indexed("oslow/effect-curve", k as u64))
    };
    grid.iter().enumerate().map(point).collect()
}

/// E[target | do(node = to)] − E[target | do(node = from)]. Both sides see the same noise, so that the interval
/// is that of the difference and not of two unrelated means.
pub fn average_effect(
    model: &dyn Interventional,
    node: usize,
    [from, to]: [f64; 2],
    target: usize,
    rows: usize,
    seed: Seed,
) -> Result<MeanInterval> {
    let d = model.names().len();
    if target >= d {
        return Err(Error::input(format!("there is no variable {target}: the model has {d}")));
    }
    let draw =
        |value| model.draw(rows, &[Intervention { node, value }], &mut seed.stream("oslow/average-effect"));
    let (before, after) = (draw(from)?, draw(to)?);
    let column = |table: &[f64]| table.iter().skip(target).step_by(d).copied().collect::<Vec<f64>>();
    let differences: Vec<f64> = column(&after).iter().zip(column(&before)).map(|(a, b)| a - b).collect();
    MeanInterval::of(&differences)
}

fn means(
    model: &dyn Interventional,
    interventions: &[Intervention],
    rows: usize,
    rng: &mut oslow_core::Rng,
) -> Result<Vec<Effect>> {
    let d = model.names().len();
    let table = model.draw(rows, interventions, rng)?;
    let is_set = |node: &usize| interventions.iter().any(|action| action.node == *node);
    (0..d)
        .filter(|node| !is_set(node))
        .map(|target| {
            let column: Vec<f64> = table.iter().skip(target).step_by(d).copied().collect();
            let mean = MeanInterval::of(&column)?;
            if ![mean.mean, mean.low, mean.high].iter().all(|x| x.is_finite()) {
                return Err(Error::input(format!(
                    "the mean of `{}` is no finite number under this intervention",
                    model.names()[target]
                ))
                .with_hint("set values nearer to those of the data"));
            }
            Ok(Effect { target, mean })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_students() {
        // Tables: t(0.995; 1) = 63.657, t(0.995; 49) = 2.680, t(0.995; 10⁶) ≈ 2.5758.
        for (freedom, expected) in [(1.0, 63.656_741), (49.0, 2.679_952), (1e6, 2.575_834)] {
            assert!((quantile(freedom).unwrap() - expected).abs() < 1e-4 * expected, "{freedom}");
        }
        let interval = MeanInterval::of(&[1.0, 3.0]).unwrap();
        assert_eq!(interval.mean, 2.0);
        assert!((interval.high - interval.low - 2.0 * 63.656_741).abs() < 1e-2);
        assert!(MeanInterval::of(&[1.0]).unwrap_err().is_input());
    }
}
