//! Whether the data speak against what the engine assumes.
//!
//! Residuals of a right graph are independent of the causes and of each other. Both are tested by kernels on at most [`TESTED`] rows, every residual under a fit that has
//! not seen its row. The other checks look at rows: whether they follow each other, whether they are copies, and whether few of them decide.

mod residuals;

use oslow_core::{Check, Dag, Edge, Result, Seed, holm};
use oslow_math::Kci;
use rayon::prelude::*;
use statrs::function::erf::erfc;

use crate::columns::Columns;
use crate::local_scores::LocalScores;
use crate::{LocalConfig, Score};
use residuals::residuals;

/// Rows that kernels look at, at most.
const TESTED: usize = 400;
/// Residuals further out than this are drawn in: one row must not decide a test.
const FAR: f64 = 4.0;
/// Tables with more columns have only pairs of residuals tested that could have an edge.
const ALL_PAIRS_UP_TO: usize = 100;
/// Fewest rows that are looked at.
const FEWEST_ROWS: usize = 10;
/// The level of all tests of a table together.
const LEVEL: f64 = 0.01;
/// The share of rows that may be copies of others.
const COPIES: f64 = 0.01;
/// The share of rows without which an edge must still be worth something.
const FEW: f64 = 0.01;

/// A test to be corrected for the number of tests.
struct Tested {
    name: &'static str,
    columns: Vec<usize>,
    p_value: f64,
    violated: String,
    fine: String,
}

impl LocalScores {
    /// Looks at what must hold for an answer to be right. Residuals are those of the graph that predicts best, of which the answer may leave out weak edges.
    pub fn checks(
        &self,
        (best, answer): (&Dag, &Dag),
        names: &[String],
        config: &LocalConfig,
        seed: Seed,
    ) -> Result<Vec<Check>> {
        // Where conditions act, residuals are none of the common mechanism.
        let untouched = self.untouched_rows(best).map(|rows| self.columns().only(&rows));
        let columns = untouched.as_ref().unwrap_or(self.columns());
        if columns.rows() < FEWEST_ROWS {
            return Ok(Vec::new());
        }
        let residuals: Vec<Vec<f64>> = (0..best.nodes())
            .into_par_iter()
            .map(|node| {
                let parents = best.parents(node);
                let family = self.with_parents(node, &parents)?.family;
                Some(residuals(columns, node, &parents, family, &config.effort(), seed))
            })
            .collect::<Option<_>>()
            .unwrap_or_default();
        if residuals.is_empty() {
            return Ok(Vec::new());
        }
        let (worth, others) = self.pairs_to_test(best);
        let mut tests = independence(columns, (answer, &worth), &residuals, names)?;
        tests.extend(row_order(&residuals, names));
        // The pairs that are left out were chosen by the same rows: they count as tests, too.
        let p_values = tests.iter().map(|test| test.p_value).chain(vec![1.0; others]);
        let corrected = holm(&p_values.collect::<Vec<_>>());
        let judged = |(test, p_value): (Tested, f64)| Check {
            name: test.name,
            columns: test.columns,
            p_value: Some(p_value),
            violated: p_value < LEVEL,
            meaning: if p_value < LEVEL { test.violated } else { test.fine },
        };
        let mut checks: Vec<Check> = tests.into_iter().zip(corrected).map(judged).collect();
        checks.push(copies(columns));
        checks.extend(columns.determined.iter().map(|&pair| determined(pair, names)));
        checks.extend(answer.edges().into_iter().filter_map(|edge| self.influence(edge, answer, names)));
        Ok(checks)
    }

    /// The pairs without an edge whose residuals are compared, and how many others there are.
    fn pairs_to_test(&self, best: &Dag) -> (Vec<(usize, usize)>, usize) {
        let d = best.nodes();
        // What two columns with an edge between them share, the edge takes on.
        let linked = |a: usize, b: usize| best.has(a, b) || best.has(b, a);
        let pairs = (0..d).flat_map(|a| (a + 1..d).map(move |b| (a, b)));
        let (candidates, few) = (self.candidates(), d <= ALL_PAIRS_UP_TO);
        let near = |a: usize, b: usize| few || candidates[a].contains(&b) || candidates[b].contains(&a);
        let (worth, others): (Vec<_>, Vec<_>) =
            pairs.filter(|&(a, b)| !linked(a, b)).partition(|&(a, b)| near(a, b));
        (worth, others.len())
    }

    /// Whether a cause is still worth something without the few rows that speak for it most.
    fn influence(&self, (cause, effect): Edge, dag: &Dag, names: &[String]) -> Option<Check> {
        let (with, without) = self.with_and_without((cause, effect), dag)?;
        let few = ((with.rows.len() as f64 * FEW) as usize).max(1);
        let violated = gain_without(with, without, few) <= 0.0;
        let (cause_name, effect_name) = (&names[cause], &names[effect]);
        Some(Check {
            name: "many-rows-agree",
            columns: vec![cause, effect],
            p_value: None,
            violated,
            meaning: if violated {
                format!("{cause_name} → {effect_name} rests on {few} rows: without them it gains nothing")
            } else {
                format!("{cause_name} → {effect_name} does not rest on a few rows")
            },
        })
    }
}

/// The gain of a cause without the rows that gain most, in nats, all rows together.
fn gain_without(with: &Score, without: &Score, few: usize) -> f64 {
    let mut gains: Vec<f64> =
        without.rows.iter().zip(&with.rows).map(|(without, with)| f64::from(without - with)).collect();
    gains.sort_by(f64::total_cmp);
    gains[..gains.len() - few.min(gains.len())].iter().sum()
}

/// Residuals against causes, and some pairs of them against each other.
fn independence(
    columns: &Columns,
    (answer, pairs): (&Dag, &[(usize, usize)]),
    residuals: &[Vec<f64>],
    names: &[String],
) -> Result<Vec<Tested>> {
    let step = columns.rows().div_ceil(TESTED);
    let thinned = |column: &Vec<f64>| -> Vec<f64> {
        column.iter().step_by(step).map(|value| value.clamp(-FAR, FAR)).collect()
    };
    let looked_at: Vec<Vec<f64>> = columns.values.iter().chain(residuals).map(thinned).collect();
    // What is rare may be constant in these rows, and then it says nothing.
    let varies = |&k: &usize| looked_at[k].iter().any(|value| *value != looked_at[k][0]);
    let varying: Vec<usize> = (0..looked_at.len()).filter(varies).collect();
    let d = answer.nodes();
    let causes = answer.edges().into_iter().map(|(cause, effect)| (cause, d + effect));
    let pairs = pairs.iter().map(|&(a, b)| (d + a, d + b));
    let place = |k: usize| varying.binary_search(&k).ok();
    let asked: Vec<_> =
        causes.chain(pairs).filter_map(|(a, b)| Some(((a, b), (place(a)?, place(b)?)))).collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    let test = Kci::new(&varying.iter().map(|&k| looked_at[k].as_slice()).collect::<Vec<_>>())?;
    asked
        .into_par_iter()
        .map(|((a, b), (first, second))| {
            let p_value = test.test(first, second, &[])?.p_value;
            let (first, second) = (&names[a % d], &names[b % d]);
            Ok(if a < d {
                Tested {
                    name: "residuals-independent",
                    columns: vec![b - d, a],
                    p_value,
                    violated: format!("what {first} does to {second} is not described well: the residual of {second} still depends on {first}. Doubt the direction of this edge"),
                    fine: format!("the residual of {second} does not depend on {first}"),
                }
            } else {
                Tested {
                    name: "no-hidden-cause",
                    columns: vec![a - d, b - d],
                    p_value,
                    violated: format!("{first} and {second} share something that the graph does not explain: a hidden common cause or a missing edge"),
                    fine: format!("the graph explains what {first} and {second} share"),
                }
            })
        })
        .collect()
}

/// Whether a residual tells that of the next row.
fn row_order<'a>(residuals: &'a [Vec<f64>], names: &'a [String]) -> impl Iterator<Item = Tested> + 'a {
    residuals.iter().enumerate().map(|(node, values)| {
        let drawn_in: Vec<f64> = values.iter().map(|value| value.clamp(-FAR, FAR)).collect();
        let n = drawn_in.len() as f64;
        let mean = drawn_in.iter().sum::<f64>() / n;
        let variance: f64 = drawn_in.iter().map(|value| (value - mean).powi(2)).sum();
        let next: f64 = drawn_in.windows(2).map(|two| (two[0] - mean) * (two[1] - mean)).sum();
        // Under independence the correlation of neighbours is normal with mean −1/n and variance 1/n.
        let z = (next / variance + 1.0 / n) * n.sqrt();
        let name = &names[node];
        Tested {
            name: "rows-independent",
            columns: vec![node],
            p_value: erfc(z.abs() / std::f64::consts::SQRT_2),
            violated: format!("neighbouring rows of {name} are alike: if rows follow each other in time or space, confidences are too high"),
            fine: format!("neighbouring rows of {name} are not alike"),
        }
    })
}

/// Whether rows repeat others, which continuous columns do not do by chance.
fn copies(columns: &Columns) -> Check {
    let repeated = columns.repeated;
    let rounded = columns.seen.iter().any(|seen| seen.grid.is_some() || seen.kind.is_discrete());
    let violated = !rounded && repeated as f64 > COPIES * columns.rows() as f64;
    let meaning = match repeated {
        0 => "no row repeats another".into(),
        1 => "1 row repeats another".into(),
        more if violated => {
            format!("{more} rows repeat others: if they are copies, confidences are too high")
        }
        more => format!("{more} rows repeat others"),
    };
    Check { name: "no-copied-rows", columns: Vec::new(), p_value: None, violated, meaning }
}

fn determined((a, b): (usize, usize), names: &[String]) -> Check {
    let meaning = format!(
        "{} and {} determine each other: the data cannot tell which is the cause",
        names[a], names[b]
    );
    Check { name: "not-determined", columns: vec![a, b], p_value: None, violated: true, meaning }
}
