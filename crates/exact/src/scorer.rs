//! The local score: cross-fitted negative log-likelihood of a node given a set of parents.

use std::sync::Arc;

use oslow_core::{Error, Result, Rng, Sample, Seed};

use crate::columns::Columns;
use crate::config::LocalConfig;
use crate::folds::folds;
use crate::regression::{Basis, Effort, Fit, Inputs, ScaledRows, average, process_held_out};
use crate::store::{Key, ScoreKey};
use crate::{Family, Location, Noise, Score};

/// Residuals must look so much more like a Gaussian, in nats per row, that a Laplace density is not tried.
const CLEARLY_GAUSSIAN: f64 = 0.02;
/// A mixture must describe residuals better by this, in nats per row, to be tried: that is what its parameters gain with any residuals.
const MIXTURE_GAIN: f64 = 0.01;
/// Fewest causes of which a Gaussian process may know better than smooth units.
const FEWEST_CAUSES: usize = 2;
/// Fewest rows that a fit may have.
const FEWEST_ROWS: usize = 5;

/// Scores sets of parents on one table.
pub struct Scorer {
    config: LocalConfig,
    seed: Seed,
    columns: Arc<Columns>,
    /// Rows to fit and rows to score, fold by fold.
    splits: Vec<(Vec<usize>, Vec<usize>)>,
    /// Whether Gaussian processes compete.
    processes: bool,
}

impl Scorer {
    /// A scorer for the table, its columns as they are.
    pub fn new(sample: &Sample, config: &LocalConfig, seed: Seed) -> Result<Self> {
        Self::on(Arc::new(Columns::new(sample, config.spread_grids, seed)?), config, seed)
    }

    /// A scorer for some columns.
    pub(crate) fn on(columns: Arc<Columns>, config: &LocalConfig, seed: Seed) -> Result<Self> {
        config.check()?;
        let rows = columns.rows();
        let fold = folds(rows, columns.groups.as_deref(), config.folds, seed);
        let split = |f: usize| -> (Vec<usize>, Vec<usize>) { (0..rows).partition(|&row| fold[row] != f) };
        let splits: Vec<_> = (0..config.folds).map(split).collect();
        if let Some((fitted, scored)) =
            splits.iter().find(|(fitted, scored)| fitted.len() < FEWEST_ROWS || scored.is_empty())
        {
            return Err(Error::input(format!(
                "{rows} rows are too few: {} folds leave {} to fit and {} to score",
                config.folds,
                fitted.len(),
                scored.len()
            ))
            .with_hint(format!("a fit needs at least {FEWEST_ROWS} rows: add rows")));
        }
        Ok(Self { config: config.clone(), seed, columns, splits, processes: false })
    }

    /// Gaussian processes compete with smooth units, from two causes on.
    pub fn with_processes(self) -> Self {
        Self { processes: true, ..self }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns.rows()
    }

    /// How well the parents predict the node, on rows that no fit has seen: of all families the best.
    pub fn score(&self, node: usize, parents: &[usize]) -> Score {
        let mut contestants = self.fitted(node, parents, self.splits.len());
        if self.admits_processes(parents) {
            contestants.extend(self.process(node, parents, &contestants, true));
        }
        let all: Vec<usize> = (0..self.rows()).collect();
        let best = self.best(&contestants, &all);
        let offset = |(row, offset): (&f64, &f64)| (row + offset) as f32;
        Score::new(best.rows.iter().zip(&self.columns.offsets[node]).map(offset).collect(), best.family)
    }

    /// A first impression: the cost of a set, the price of its family included, on the rows of the first fold alone.
    pub(crate) fn glance(&self, node: usize, parents: &[usize]) -> f64 {
        let contestants = self.fitted(node, parents, 1);
        let rows = &self.splits[0].1;
        let offset: f64 = rows.iter().map(|&row| self.columns.offsets[node][row]).sum();
        self.cost(self.best(&contestants, rows), rows) + offset / rows.len() as f64
    }

    fn best<'a>(&self, contestants: &'a [Contestant], rows: &[usize]) -> &'a Contestant {
        (contestants.iter().filter(|contestant| contestant.running))
            .min_by(|a, b| self.cost(a, rows).total_cmp(&self.cost(b, rows)))
            .expect("a family that the settings admit is never skipped")
    }

    /// The mean over some rows with the price of the family's shape; what is not finite never wins.
    fn cost(&self, contestant: &Contestant, rows: &[usize]) -> f64 {
        let cost = contestant.nll(rows) + self.config.family_price(&contestant.family, self.rows());
        if cost.is_finite() { cost } else { f64::INFINITY }
    }

    /// What the score of a set is kept under.
    pub(crate) fn score_key(&self, (node, parents): Key) -> ScoreKey {
        let processes = self.admits_processes(&parents);
        ((node, parents), processes)
    }

    /// Whether Gaussian processes compete for a set.
    fn admits_processes(&self, parents: &[usize]) -> bool {
        self.processes && parents.len() >= FEWEST_CAUSES
    }

    /// How much better a Gaussian process predicts the node than the other families, in nats per row; −∞ where it may not be the
    /// answer.
    pub(crate) fn process_gain(&self, node: usize, parents: &[usize]) -> f64 {
        let contestants = self.fitted(node, parents, self.splits.len());
        let all: Vec<usize> = (0..self.rows()).collect();
        let running = contestants.iter().filter(|contestant| contestant.running);
        let least = running.map(|contestant| contestant.nll(&all)).fold(f64::INFINITY, f64::min);
        let process = self.process(node, parents, &contestants, false);
        process.map_or(f64::NEG_INFINITY, |process| least - process.nll(&all))
    }

    /// The families but for Gaussian processes, after some folds.
    fn fitted(&self, node: usize, parents: &[usize], folds: usize) -> Vec<Contestant> {
        let mut contestants = self.contestants(parents.len());
        for fold in 0..folds {
            for alike in contestants.chunk_by_mut(|a, b| a.family.location == b.family.location) {
                self.fit(node, parents, fold, alike);
            }
        }
        contestants
    }

    /// Fits the families of one kind of location to the rows outside of a fold and asks them about the rows inside.
    fn fit(&self, node: usize, parents: &[usize], fold: usize, contestants: &mut [Contestant]) {
        if contestants.iter().all(|contestant| !contestant.running) {
            return;
        }
        let location = contestants[0].family.location;
        let mut effort = self.config.effort();
        if location != Location::Units {
            effort.location_units = 0;
        }
        // Of polynomials only the scale begins at random: a second fit is not worth its time.
        let members = if location == Location::Units { self.config.members } else { 1 };
        let basis = if location == Location::Cubic { Basis::Cubic } else { Basis::Linear };
        let data = self.fold_data(node, parents, fold, basis);
        let mut said: Vec<Vec<Vec<f64>>> = vec![Vec::new(); contestants.len()];
        for member in 0..members {
            let stream = format!("local/units/{node}/{parents:?}/{member}");
            let mut rng = self.seed.indexed(&stream, fold as u64);
            let may_skip = self.config.may_skip_noise() && fold == 0 && member == 0;
            for (c, fit) in fit_chain(contestants, &data, &effort, may_skip, &mut rng) {
                let FoldData { train, y_test, test, .. } = &data;
                said[c].push(fit.held_out((&train.0, &train.1), (&test.0, &test.1), y_test));
                if member == 0 {
                    contestants[c].log_scales.push((fit.log_scales(&train.1), fit.log_scales(&test.1)));
                }
            }
        }
        for (contestant, said) in contestants.iter_mut().zip(said).filter(|(_, said)| !said.is_empty()) {
            for (k, &row) in self.splits[fold].1.iter().enumerate() {
                contestant.rows[row] = average(&said.iter().map(|member| member[k]).collect::<Vec<f64>>());
            }
        }
    }

    /// A Gaussian process whose scale is that of the normal smooth units that predict best; none where these may not be the answer, or,
    /// if it may give up, where it predicts the first fold worse than a family before it.
    fn process(
        &self,
        node: usize,
        parents: &[usize],
        others: &[Contestant],
        may_give_up: bool,
    ) -> Option<Contestant> {
        let all: Vec<usize> = (0..self.rows()).collect();
        let running = || others.iter().filter(|contestant| contestant.running);
        let normal = |family: &Family| family.location == Location::Units && family.noise == Noise::Gaussian;
        let units = running()
            .filter(|contestant| normal(&contestant.family))
            .min_by(|a, b| a.nll(&all).total_cmp(&b.nll(&all)))?;
        let mut process = Contestant {
            family: Family { location: Location::Process, ..units.family },
            running: true,
            rows: vec![0.0; self.rows()],
            log_scales: Vec::new(),
        };
        let mut smoothness = None;
        for (fold, (fitted, scored)) in units.log_scales.iter().enumerate() {
            let FoldData { y, train, y_test, test } = self.fold_data(node, parents, fold, Basis::Linear);
            let fitted = ScaledRows { inputs: &train.0, y: &y, log_scales: fitted };
            let asked = ScaledRows { inputs: &test.0, y: &y_test, log_scales: scored };
            let (said, found) = process_held_out(&fitted, &asked, smoothness)?;
            smoothness = Some(found);
            let rows = &self.splits[fold].1;
            rows.iter().zip(said).for_each(|(&row, said)| process.rows[row] = said);
            if may_give_up && fold == 0 && running().any(|other| other.nll(rows) < process.nll(rows)) {
                return None;
            }
        }
        Some(process)
    }

    fn fold_data(&self, node: usize, parents: &[usize], fold: usize, basis: Basis) -> FoldData {
        let (fitted, scored) = &self.splits[fold];
        let columns: Vec<&[f64]> =
            parents.iter().map(|&parent| self.columns.values[parent].as_slice()).collect();
        let y = |rows: &[usize]| rows.iter().map(|&row| self.columns.values[node][row]).collect();
        let inputs =
            |rows: &[usize]| (Inputs::new(&columns, rows, basis), Inputs::new(&columns, rows, Basis::Linear));
        FoldData { y: y(fitted), train: inputs(fitted), y_test: y(scored), test: inputs(scored) }
    }

    /// The families in the order in which they are fitted.
    fn contestants(&self, parents: usize) -> Vec<Contestant> {
        let curved = (parents > 0).then_some(Location::Units);
        let cubic = (1..=self.config.cubic_up_to).contains(&parents).then_some(Location::Cubic);
        let mut contestants = Vec::new();
        for location in [Location::Linear].into_iter().chain(curved).chain(cubic) {
            for noise in [Noise::Gaussian, Noise::Laplace, Noise::Mixture] {
                for affine in [false].into_iter().chain((location != Location::Linear).then_some(true)) {
                    let family = Family { location, affine, noise };
                    let running = self.config.admits(&family, parents == 0);
                    let rows = vec![0.0; self.rows()];
                    contestants.push(Contestant { family, running, rows, log_scales: Vec::new() });
                }
            }
        }
        contestants
    }
}

/// A family on its way through the folds.
struct Contestant {
    family: Family,
    /// Whether it may still be the best.
    running: bool,
    /// −ln p of rows under fits that have not seen them, in the folds that are done.
    rows: Vec<f64>,
    /// What its first fits say of the scale, fold by fold: on rows that were fitted, and on those inside of the fold.
    log_scales: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Contestant {
    /// The mean over some rows.
    fn nll(&self, rows: &[usize]) -> f64 {
        rows.iter().map(|&row| self.rows[row]).sum::<f64>() / rows.len() as f64
    }
}

/// The rows outside of a fold and those inside: values of a node, and what its location and its scale are given.
struct FoldData {
    y: Vec<f64>,
    train: (Inputs, Inputs),
    y_test: Vec<f64>,
    test: (Inputs, Inputs),
}

/// Fits each family that is still running, from a fit before it. The first one is where all others start. Where it may, it skips noise that residuals do not look like, for good.
fn fit_chain(
    contestants: &mut [Contestant],
    data: &FoldData,
    effort: &Effort,
    may_skip: bool,
    rng: &mut Rng,
) -> Vec<(usize, Fit)> {
    let FoldData { y, train: (location, scale), .. } = data;
    let mut fits: Vec<(usize, Fit)> = Vec::new();
    for c in 0..contestants.len() {
        let Family { affine, noise, .. } = contestants[c].family;
        let fitted = |affine: bool| {
            let alike = |(other, _): &&(usize, Fit)| contestants[*other].family.affine == affine;
            let fits = fits.iter().filter(alike).map(|(_, fit)| fit);
            fits.min_by(|a, b| a.training_nll.total_cmp(&b.training_nll))
        };
        let earlier = fitted(affine);
        let most = match noise {
            Noise::Gaussian => f64::INFINITY,
            Noise::Laplace => CLEARLY_GAUSSIAN,
            Noise::Mixture => -MIXTURE_GAIN,
        };
        let looks_otherwise =
            |start: &Fit| start.training_nll_under(noise, location, scale, y) > start.training_nll + most;
        let skipped = may_skip && noise != Noise::Gaussian && earlier.is_some_and(looks_otherwise);
        if skipped || (!contestants[c].running && c > 0) {
            contestants[c].running = false;
            continue;
        }
        let fit = if affine {
            let start = earlier.or(fitted(false)).expect("additive fits come first");
            Fit::affine(location, scale, y, noise, effort, start, rng)
        } else {
            Fit::additive(location, y, noise, effort, earlier, rng)
        };
        fits.push((c, fit));
    }
    fits.retain(|(c, _)| contestants[*c].running);
    fits
}
