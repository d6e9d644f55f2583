//! The local score: cross-fitted negative log-likelihood of a node given a set of parents.

use std::sync::Arc;

use oslow_core::{Error, Prepared, Result, Seed};

use crate::columns::Columns;
use crate::config::LocalConfig;
use crate::contest::{Chain, Contestant, FoldData, basis};
use crate::folds::{Fold, all_folds};
use crate::regression::{Basis, Inputs, ScaledRows, process_held_out};
use crate::store::{Key, ScoreKey};
use crate::{Family, Location, Noise, Score};

/// What a family may be behind, in nats per row: behind the best for a mixture to be tried with it, behind its own mixture for it to stay.
const HOPELESS: f64 = 0.03;
/// The variance that a prediction by a column which determines the node has at least: otherwise one absurdly sharp density decides the rest of the graph.
const DETERMINED_VARIANCE: f64 = 1e-4;
/// Fewest causes of which a Gaussian process may know better than smooth units.
const FEWEST_CAUSES: usize = 2;
/// Fewest rows that a fit may have.
const FEWEST_ROWS: usize = 5;

/// Scores sets of parents on one table.
pub struct Scorer {
    config: LocalConfig,
    seed: Seed,
    columns: Arc<Columns>,
    folds: Vec<Fold>,
    /// Whether Gaussian processes compete.
    processes: bool,
}

impl Scorer {
    /// A scorer for the table, its columns as they are.
    pub fn new(sample: &Prepared, config: &LocalConfig, seed: Seed) -> Result<Self> {
        Self::on(Arc::new(Columns::new(sample, config.spread_grids, seed)), config, seed)
    }

    /// A scorer for some columns.
    pub(crate) fn on(columns: Arc<Columns>, config: &LocalConfig, seed: Seed) -> Result<Self> {
        config.check()?;
        let rows = columns.rows();
        let folds = all_folds(rows, columns.groups.as_deref(), (config.splits, config.folds), seed);
        let too_small = |fold: &&Fold| fold.fitted.len() < FEWEST_ROWS || fold.scored.is_empty();
        if let Some(Fold { fitted, scored, .. }) = folds.iter().find(too_small) {
            return Err(Error::input(format!(
                "{rows} rows are too few: {} folds leave {} to fit and {} to score",
                config.folds,
                fitted.len(),
                scored.len()
            ))
            .with_hint(format!("a fit needs at least {FEWEST_ROWS} rows: add rows")));
        }
        Ok(Self { config: config.clone(), seed, columns, folds, processes: false })
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
        let mut contestants = self.fitted(node, parents, self.folds.len());
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
        let rows = &self.folds[0].scored;
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
        let contestants = self.fitted(node, parents, self.folds.len());
        let all: Vec<usize> = (0..self.rows()).collect();
        let running = contestants.iter().filter(|contestant| contestant.running);
        let least = running.map(|contestant| contestant.nll(&all)).fold(f64::INFINITY, f64::min);
        let process = self.process(node, parents, &contestants, false);
        process.map_or(f64::NEG_INFINITY, |process| least - process.nll(&all))
    }

    /// The families but for Gaussian processes, after some folds.
    fn fitted(&self, node: usize, parents: &[usize], folds: usize) -> Vec<Contestant> {
        let mut contestants = self.contestants(parents.len());
        for (fold, part) in self.folds[..folds].iter().enumerate() {
            let mut chains = self.chains(node, parents, part, &contestants);
            for start in 0..self.config.members {
                let may_skip = self.config.may_skip_noise() && fold == 0 && start == 0;
                let stream = format!("local/units/{node}/{parents:?}/{start}");
                let mut rng = self.seed.indexed(&stream, fold as u64);
                let taking_part = |chain: &&mut Chain| start < chain.starts(self.config.members);
                for chain in chains.iter_mut().filter(taking_part) {
                    chain.restart();
                    chain.fit(&mut contestants, false, may_skip, &mut rng);
                    chain.tell(&mut contestants, part);
                }
                if may_skip {
                    self.skip_hopeless_mixtures(&mut contestants, &part.scored);
                }
                for chain in chains.iter_mut().filter(taking_part) {
                    chain.fit(&mut contestants, true, may_skip, &mut rng);
                    chain.tell(&mut contestants, part);
                }
            }
            if fold == 0 && self.config.may_skip_noise() {
                self.drop_other_noises(&mut contestants, &part.scored);
            }
        }
        contestants
    }

    /// A noise is dropped where a mixture describes the same location and scale clearly better.
    fn drop_other_noises(&self, contestants: &mut [Contestant], rows: &[usize]) {
        let mixtures: Vec<(Family, f64)> = (contestants.iter())
            .filter(|contestant| contestant.running && contestant.family.noise == Noise::Mixture)
            .map(|contestant| (contestant.family, contestant.nll(rows)))
            .collect();
        for contestant in contestants.iter_mut().filter(|contestant| contestant.running) {
            let Family { noise, .. } = contestant.family;
            let beaten = |(mixture, nll): &(Family, f64)| {
                Family { noise, ..*mixture } == contestant.family && *nll < contestant.nll(rows) - HOPELESS
            };
            contestant.running &= noise == Noise::Mixture || !mixtures.iter().any(beaten);
        }
    }

    /// The kinds of location on a fold of which some family may still be the best.
    fn chains(&self, node: usize, parents: &[usize], fold: &Fold, contestants: &[Contestant]) -> Vec<Chain> {
        let kinds = contestants.chunk_by(|a, b| a.family.location == b.family.location);
        let running = kinds.filter(|alike| alike.iter().any(|contestant| contestant.running));
        running
            .map(|alike| alike[0].family.location)
            .map(|location| {
                let data = self.fold_data(node, parents, fold, basis(location));
                Chain::new(location, data, self.config.effort(), contestants.len())
            })
            .collect()
    }

    /// Mixtures are not tried where location and scale are clearly wrong: where even the best of the other noises is far behind that of other families.
    fn skip_hopeless_mixtures(&self, contestants: &mut [Contestant], rows: &[usize]) {
        let cost_of = |like: &dyn Fn(&Family) -> bool| {
            let others =
                contestants.iter().filter(|other| other.running && other.family.noise != Noise::Mixture);
            let alike = others.filter(|other| like(&other.family));
            alike.map(|other| self.cost(other, rows)).fold(f64::INFINITY, f64::min)
        };
        let least = cost_of(&|_| true);
        let hopeless: Vec<bool> = (contestants.iter())
            .map(|Contestant { family, .. }| {
                let like =
                    |other: &Family| (other.location, other.affine) == (family.location, family.affine);
                family.noise == Noise::Mixture && cost_of(&like) > least + HOPELESS
            })
            .collect();
        for (contestant, hopeless) in contestants.iter_mut().zip(hopeless) {
            contestant.running &= !hopeless;
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
        let family = Family { location: Location::Process, ..units.family };
        let mut process = Contestant::new(family, true, self.rows());
        let mut smoothness = None;
        for (k, (fold, (fitted, scored))) in self.folds.iter().zip(&units.log_scales).enumerate() {
            let FoldData { y, train, y_test, test, .. } = self.fold_data(node, parents, fold, Basis::Linear);
            let fitted = ScaledRows { inputs: &train.0, y: &y, log_scales: fitted };
            let asked = ScaledRows { inputs: &test.0, y: &y_test, log_scales: scored };
            let (said, found) = process_held_out(&fitted, &asked, smoothness)?;
            smoothness = Some(found);
            let rows = &fold.scored;
            process.hear(fold.split, rows, &said);
            if may_give_up && k == 0 && running().any(|other| other.nll(rows) < process.nll(rows)) {
                return None;
            }
        }
        Some(process)
    }

    fn fold_data(&self, node: usize, parents: &[usize], fold: &Fold, basis: Basis) -> FoldData {
        let Fold { fitted, scored, .. } = fold;
        let columns: Vec<&[f64]> =
            parents.iter().map(|&parent| self.columns.values[parent].as_slice()).collect();
        let y = |rows: &[usize]| rows.iter().map(|&row| self.columns.values[node][row]).collect();
        let inputs =
            |rows: &[usize]| (Inputs::new(&columns, rows, basis), Inputs::new(&columns, rows, Basis::Linear));
        let least_variance = if self.columns.determines(node, parents) { DETERMINED_VARIANCE } else { 0.0 };
        FoldData {
            y: y(fitted),
            train: inputs(fitted),
            y_test: y(scored),
            test: inputs(scored),
            least_variance,
        }
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
                    contestants.push(Contestant::new(family, running, self.rows()));
                }
            }
        }
        contestants
    }
}
