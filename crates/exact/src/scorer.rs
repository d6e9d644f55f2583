//! The local score: cross-fitted negative log-likelihood of a node given a set of parents.

use std::ops::Range;
use std::sync::Arc;

use oslow_core::{Action, Error, Prepared, Result, Seed, Target};

use crate::columns::Columns;
use crate::config::LocalConfig;
use crate::contest::{Chain, Contestant, FoldData, basis};
use crate::discrete::Discrete;
use crate::drawn_rows::thinned;
use crate::folds::{Fold, all_folds};
use crate::mechanisms::{Mechanisms, Part};
use crate::process::Process;
use crate::regression::{Basis, Inputs, MassFit};
use crate::store::{Key, ScoreKey};
use crate::{Family, Location, Noise, Score, difference};

/// What a family may be behind, in nats per row: behind the best for a mixture to be tried with it, behind its own mixture for it to stay.
const HOPELESS: f64 = 0.03;
/// The variance that a prediction by a column which determines the node has at least: otherwise one absurdly sharp density decides the rest of the graph.
const DETERMINED_VARIANCE: f64 = 1e-4;
/// Fewest causes of which a Gaussian process may know better than smooth units.
const FEWEST_CAUSES: usize = 2;
/// Fewest rows that a fit may have.
const FEWEST_ROWS: usize = 5;

/// What is fitted: a node and its parents, on some rows.
#[derive(Clone, Copy)]
struct Case<'a> {
    node: usize,
    parents: &'a [usize],
    part: &'a Part,
}

/// −ln p of each row; where the node was not observed, or was set, it means nothing.
struct Told {
    nll: Vec<f64>,
    /// The best family of the common mechanism.
    family: Family,
    /// The conditions that were found to change the node, bit by bit.
    changed_by: u64,
}

impl Told {
    fn take(&mut self, rows: &[usize], nll: &[f64]) {
        rows.iter().for_each(|&row| self.nll[row] = nll[row]);
    }
}

/// Scores sets of parents on one table.
pub struct Scorer {
    config: LocalConfig,
    seed: Seed,
    columns: Arc<Columns>,
    /// The columns of each split: where values are missing, each has another completed table.
    by_split: Vec<Arc<Columns>>,
    /// The rows of each node; those in which it was not observed, or was set, are in none.
    mechanisms: Vec<Mechanisms>,
    /// The rows in which each node was observed.
    observed: Vec<Arc<Part>>,
    /// Whether Gaussian processes compete.
    processes: bool,
}

impl Scorer {
    /// A scorer for the table, its columns as they are.
    pub fn new(sample: &Prepared, config: &LocalConfig, seed: Seed) -> Result<Self> {
        Self::on(Arc::new(Columns::new(sample, config, seed)), config, seed)
    }

    /// A scorer for some columns.
    pub(crate) fn on(columns: Arc<Columns>, config: &LocalConfig, seed: Seed) -> Result<Self> {
        config.check()?;
        let config = &LocalConfig {
            splits: if columns.have_gaps() { config.splits.max(config.completions) } else { config.splits },
            ..config.clone()
        };
        let rows = columns.rows();
        let regimes = columns.regimes.as_deref();
        let conditions = regimes.map(|regimes| regimes.of_row.as_slice());
        let folds =
            all_folds(rows, columns.groups.as_deref(), conditions, (config.splits, config.folds), seed);
        let all = Arc::new(Part { rows: (0..rows).collect(), folds });
        let observed =
            |gaps: &Vec<usize>| if gaps.is_empty() { all.clone() } else { Arc::new(all.without(gaps)) };
        let observed: Vec<Arc<Part>> = columns.gaps.iter().map(observed).collect();
        let of_node = |(node, part): (usize, &Arc<Part>)| Mechanisms::of(node, part.clone(), regimes);
        let mechanisms: Vec<Mechanisms> = observed.iter().enumerate().map(of_node).collect();
        let too_small = |fold: &&Fold| fold.fitted.len() < FEWEST_ROWS || fold.scored.is_empty();
        let mut folds = mechanisms.iter().flat_map(|mechanisms| &mechanisms.common.folds);
        if let Some(Fold { fitted, scored, .. }) = folds.find(too_small) {
            return Err(Error::input(format!(
                "{rows} rows are too few: {} folds leave {} to fit and {} to score",
                config.folds,
                fitted.len(),
                scored.len()
            ))
            .with_hint(format!("a fit needs at least {FEWEST_ROWS} rows: add rows")));
        }
        let by_split = match columns.have_gaps() {
            true => (0..config.splits).map(|k| Arc::new(columns.as_ref().clone().completed(k))).collect(),
            false => vec![columns.clone(); config.splits],
        };
        Ok(Self { config: config.clone(), seed, columns, by_split, mechanisms, observed, processes: false })
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
    /// Rows in which the node was not observed, or was set, have 0. The others are so much larger that the mean is that over what was observed: all sets of a node are compared on
    /// the same rows, and no node counts for less. They share the price of the conditions that were found to change the node.
    pub fn score(&self, node: usize, parents: &[usize]) -> Score {
        let Told { mut nll, family, changed_by } = self.told(node, parents);
        let mechanisms = &self.mechanisms[node];
        let weight = self.rows() as f64 / (self.rows() - self.columns.gaps[node].len()) as f64;
        let told = mechanisms.rows().count() as f64;
        let price = self.price_of_change() * f64::from(changed_by.count_ones()) / told;
        let mut rows = vec![0.0; self.rows()];
        mechanisms.rows().for_each(|row| rows[row] = (weight * (nll[row] + price)) as f32);
        nll.clear();
        Score { changed_by, ..Score::new(rows, family) }
    }

    /// −ln p of each row by the best family of each mechanism.
    fn told(&self, node: usize, parents: &[usize]) -> Told {
        let Mechanisms { common, changed, open } = &self.mechanisms[node];
        let mut told = self.best_of(Case { node, parents, part: common });
        for part in changed {
            told.take(&part.rows, &self.best_of(Case { node, parents, part }).nll);
        }
        if open.is_empty() { told } else { self.find_changes(node, parents, told) }
    }

    /// Conditions that may change the node get a fit of their own where that is worth the price: first the one that gains most.
    fn find_changes(&self, node: usize, parents: &[usize], mut told: Told) -> Told {
        let Mechanisms { common, open, .. } = &self.mechanisms[node];
        let mut open: Vec<(usize, &Part, Vec<f64>)> = (open.iter())
            .map(|(condition, part)| (*condition, part, self.best_of(Case { node, parents, part }).nll))
            .collect();
        let mut pooled = common.clone();
        loop {
            let gains = open
                .iter()
                .map(|(_, part, own)| -> f64 { part.rows.iter().map(|&row| told.nll[row] - own[row]).sum() });
            let best = gains.enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((best, _)) = best.filter(|(_, gain)| *gain > self.price_of_change()) else {
                return told;
            };
            // Of two conditions without others either may be said to change the node: the one with fewer rows is.
            let alone = open.len() == 2 && open[0].1.rows.len() + open[1].1.rows.len() == pooled.rows.len();
            let best = if alone { usize::from(open[1].1.rows.len() < open[0].1.rows.len()) } else { best };
            let (condition, part, own) = open.remove(best);
            pooled = Arc::new(pooled.without(&part.rows));
            let common = self.best_of(Case { node, parents, part: &pooled });
            told.take(&pooled.rows, &common.nll);
            told.take(&part.rows, &own);
            told.family = common.family;
            told.changed_by |= 1 << condition;
        }
    }

    /// What the conditions that were found to change a node gain by that, in nats per row of the condition, with standard errors.
    pub(crate) fn changes(&self, node: usize, parents: &[usize], changed_by: u64) -> Vec<Target> {
        let Mechanisms { common, open, .. } = &self.mechanisms[node];
        let is_found = |condition: usize| changed_by >> condition & 1 == 1;
        let found = || open.iter().filter(|(condition, _)| is_found(*condition));
        let of = |(condition, part): &(usize, Part)| {
            let others = found().filter(|(other, _)| other != condition);
            let pooled =
                others.fold(common.as_ref().clone(), |pooled, (_, other)| pooled.without(&other.rows));
            let nll = |part: &Part| -> Vec<f32> {
                let told = self.best_of(Case { node, parents, part }).nll;
                told.into_iter().map(|nll| nll as f32).collect()
            };
            let (pooled, own) = (nll(&pooled), nll(part));
            let of_condition = |rows: &[f32]| part.rows.iter().map(|&row| rows[row]).collect::<Vec<f32>>();
            let gain = difference(&of_condition(&pooled), &of_condition(&own));
            Target { condition: *condition, column: node, action: Action::Unknown, gain: Some(gain) }
        };
        found().map(of).collect()
    }

    /// What a condition must gain to change a node, in nats, all rows together: as much as a cause.
    fn price_of_change(&self) -> f64 {
        self.config.price(self.rows()) * self.rows() as f64
    }

    /// −ln p of each row in which a node without causes was observed, whatever the condition.
    pub(crate) fn marginal(&self, node: usize) -> Vec<f64> {
        self.best_of(Case { node, parents: &[], part: &self.observed[node] }).nll
    }

    /// −ln p of each row of a part in the best of all families.
    fn best_of(&self, case: Case<'_>) -> Told {
        let contestants = self.contest(case);
        let best = self.best(&contestants, &case.part.rows, case.part);
        let nll = best.rows.iter().zip(&self.columns.offsets[case.node]).map(|(row, offset)| row + offset);
        Told { nll: nll.collect(), family: best.family, changed_by: 0 }
    }

    /// All families on all folds, but for those that are behind after the first split.
    fn contest(&self, case: Case<'_>) -> Vec<Contestant> {
        let mut contestants = self.contestants(case.node, case.parents);
        let mut process = None;
        for split in 0..self.config.splits {
            let folds = self.folds_of(split);
            self.fit(&mut contestants, case, folds.clone());
            if split == 0 && self.admits_processes(case.parents) {
                process = Process::beside(&contestants, &case.part.rows, self.rows());
            }
            process = process.and_then(|process| self.follow(process, case, folds, &contestants));
            if split == 0 && self.config.splits > 1 {
                process = self.drop_beaten(&mut contestants, process, case.part);
            }
        }
        contestants.extend(process.map(|process| process.contestant));
        contestants
    }

    fn folds_of(&self, split: usize) -> Range<usize> {
        split * self.config.folds..(split + 1) * self.config.folds
    }

    /// Only families that may still be the best go on: those that the best is ahead of by no more than the price of a cause. The smooth units that a process
    /// takes its scale from go on with it.
    fn drop_beaten(
        &self,
        contestants: &mut [Contestant],
        process: Option<Process>,
        part: &Part,
    ) -> Option<Process> {
        let running = contestants.iter().filter(|contestant| contestant.running);
        let costs = running.chain(process.iter().map(|process| &process.contestant));
        let least =
            costs.map(|contestant| self.cost(contestant, &part.rows, part)).fold(f64::INFINITY, f64::min);
        let price = self.config.price(part.rows.len());
        let close = |contestant: &Contestant| self.cost(contestant, &part.rows, part) <= least + price;
        let process = process.filter(|process| close(&process.contestant));
        for (c, contestant) in contestants.iter_mut().enumerate() {
            let needed = process.as_ref().is_some_and(|process| process.units == c);
            contestant.running &= needed || close(contestant);
        }
        process
    }

    /// A first impression: the cost of a set, the price of its family included, on the rows of the first fold alone.
    pub(crate) fn glance(&self, node: usize, parents: &[usize]) -> f64 {
        self.cost_on(0..1, node, parents)
    }

    /// The same on the rows of all folds of the first split.
    pub(crate) fn second_glance(&self, node: usize, parents: &[usize]) -> f64 {
        self.cost_on(self.folds_of(0), node, parents)
    }

    fn cost_on(&self, folds: Range<usize>, node: usize, parents: &[usize]) -> f64 {
        let part = self.mechanisms[node].common.as_ref();
        let mut contestants = self.contestants(node, parents);
        self.fit(&mut contestants, Case { node, parents, part }, folds.clone());
        let rows: Vec<usize> = part.folds[folds].iter().flat_map(|fold| &fold.scored).copied().collect();
        let offset: f64 = rows.iter().map(|&row| self.columns.offsets[node][row]).sum();
        self.cost(self.best(&contestants, &rows, part), &rows, part) + offset / rows.len() as f64
    }

    /// The best on some rows of a part.
    fn best<'a>(&self, contestants: &'a [Contestant], rows: &[usize], part: &Part) -> &'a Contestant {
        (contestants.iter().filter(|contestant| contestant.running))
            .min_by(|a, b| self.cost(a, rows, part).total_cmp(&self.cost(b, rows, part)))
            .expect("a family that the settings admit is never skipped")
    }

    /// The mean over some rows of a part with the price of the family's shape; what is not finite never wins.
    fn cost(&self, contestant: &Contestant, rows: &[usize], part: &Part) -> f64 {
        let cost = contestant.nll(rows) + self.config.family_price(&contestant.family, part.rows.len());
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

    /// How much better a Gaussian process predicts the node than the other families, in nats per row of the first split; −∞ where it may not be the
    /// answer, 0 where the node is discrete.
    pub(crate) fn process_gain(&self, node: usize, parents: &[usize]) -> f64 {
        if self.columns.discrete[node].is_some() {
            return 0.0;
        }
        let case = Case { node, parents, part: &self.mechanisms[node].common };
        let all = &case.part.rows;
        let mut contestants = self.contestants(node, parents);
        self.fit(&mut contestants, case, self.folds_of(0));
        let Some(mut process) = Process::beside(&contestants, all, self.rows()) else {
            return f64::NEG_INFINITY;
        };
        for fold in self.folds_of(0) {
            if !self.follow_fold(&mut process, case, fold, &contestants) {
                return f64::NEG_INFINITY;
            }
        }
        let running = contestants.iter().filter(|contestant| contestant.running);
        let least = running.map(|contestant| contestant.nll(all)).fold(f64::INFINITY, f64::min);
        least - process.contestant.nll(all)
    }

    /// Fits the families but for Gaussian processes on some folds.
    fn fit(&self, contestants: &mut [Contestant], case: Case<'_>, folds: Range<usize>) {
        let Case { node, parents, part } = case;
        for fold in folds {
            let rows = &part.folds[fold];
            self.fit_masses(contestants, case, fold);
            let mut chains = self.chains(case, rows, contestants);
            for start in 0..self.config.members {
                let may_skip = self.config.may_skip_noise() && fold == 0 && start == 0;
                let stream = format!("local/units/{node}/{parents:?}/{start}");
                let mut rng = self.seed.indexed(&stream, fold as u64);
                let taking_part = |chain: &&mut Chain| start < chain.starts(self.config.members);
                for chain in chains.iter_mut().filter(taking_part) {
                    chain.restart();
                    chain.fit(contestants, false, may_skip, &mut rng);
                    chain.tell(contestants, rows);
                }
                if may_skip {
                    self.skip_hopeless_mixtures(contestants, &rows.scored, part);
                }
                for chain in chains.iter_mut().filter(taking_part) {
                    chain.fit(contestants, true, may_skip, &mut rng);
                    chain.tell(contestants, rows);
                }
            }
            if fold == 0 && self.config.may_skip_noise() {
                self.drop_other_noises(contestants, &rows.scored);
            }
        }
    }

    /// A noise is dropped where a mixture describes the same location and scale clearly better.
    fn drop_other_noises(&self, contestants: &mut [Contestant], rows: &[usize]) {
        let mixtures: Vec<(Family, f64)> = (contestants.iter())
            .filter(|contestant| contestant.running && contestant.family.noise == Some(Noise::Mixture))
            .map(|contestant| (contestant.family, contestant.nll(rows)))
            .collect();
        for contestant in contestants.iter_mut().filter(|contestant| contestant.running) {
            let Family { noise, .. } = contestant.family;
            let beaten = |(mixture, nll): &(Family, f64)| {
                Family { noise, ..*mixture } == contestant.family && *nll < contestant.nll(rows) - HOPELESS
            };
            contestant.running &= noise == Some(Noise::Mixture) || !mixtures.iter().any(beaten);
        }
    }

    /// The kinds of location on a fold of which some family may still be the best.
    fn chains(&self, case: Case<'_>, fold: &Fold, contestants: &[Contestant]) -> Vec<Chain> {
        let may_win = |location: &Location| {
            let of = |contestant: &&Contestant| contestant.running && contestant.family.noise.is_some();
            contestants.iter().filter(of).any(|contestant| contestant.family.location == *location)
        };
        [Location::Linear, Location::Units, Location::Cubic]
            .into_iter()
            .filter(may_win)
            .map(|location| {
                let data = self.fold_data(case, fold, basis(location));
                Chain::new(location, data, self.config.effort(), contestants.len())
            })
            .collect()
    }

    /// Mixtures are not tried where location and scale are clearly wrong: where even the best of the other noises is far behind that of other families.
    fn skip_hopeless_mixtures(&self, contestants: &mut [Contestant], rows: &[usize], part: &Part) {
        let cost_of = |like: &dyn Fn(&Family) -> bool| {
            let others = contestants
                .iter()
                .filter(|other| other.running && other.family.noise != Some(Noise::Mixture));
            let alike = others.filter(|other| like(&other.family));
            alike.map(|other| self.cost(other, rows, part)).fold(f64::INFINITY, f64::min)
        };
        let least = cost_of(&|_| true);
        let hopeless: Vec<bool> = (contestants.iter())
            .map(|Contestant { family, .. }| {
                let like = |other: &Family| {
                    other.noise.is_some()
                        && (other.location, other.affine) == (family.location, family.affine)
                };
                family.noise == Some(Noise::Mixture) && cost_of(&like) > least + HOPELESS
            })
            .collect();
        for (contestant, hopeless) in contestants.iter_mut().zip(hopeless) {
            contestant.running &= !hopeless;
        }
    }

    /// A process on some folds; none where it cannot be fitted, or predicts the first fold worse than a family before it.
    fn follow(
        &self,
        mut process: Process,
        case: Case<'_>,
        folds: Range<usize>,
        others: &[Contestant],
    ) -> Option<Process> {
        for fold in folds {
            let fitted = self.follow_fold(&mut process, case, fold, others);
            let rows = &case.part.folds[fold].scored;
            let mut running = others.iter().filter(|other| other.running);
            if !fitted || fold == 0 && running.any(|other| other.nll(rows) < process.contestant.nll(rows)) {
                return None;
            }
        }
        Some(process)
    }

    /// A process on one fold: whether it could be fitted.
    fn follow_fold(&self, process: &mut Process, case: Case<'_>, fold: usize, others: &[Contestant]) -> bool {
        let rows = &case.part.folds[fold];
        let data = self.fold_data(case, rows, Basis::Linear);
        process.fit(&data, &others[process.units].log_scales[fold], rows)
    }

    fn fold_data(&self, case: Case<'_>, fold: &Fold, basis: Basis) -> FoldData {
        let Case { node, parents, .. } = case;
        let Fold { scored, split, .. } = fold;
        let fitted = &thinned(&fold.fitted, self.config.most_fitted);
        let columns = self.by_split[*split].variables(parents);
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
    fn contestants(&self, node: usize, parents: &[usize]) -> Vec<Contestant> {
        let variables = self.columns.variables(parents).len();
        let curved = (variables > 0).then_some(Location::Units);
        let cubic = (1..=self.config.cubic_up_to).contains(&variables).then_some(Location::Cubic);
        let straight_or_curved = || [Location::Linear].into_iter().chain(curved);
        let mut families = Vec::new();
        let discrete = self.columns.discrete[node].as_ref();
        if discrete.is_none_or(Discrete::has_density) {
            for location in straight_or_curved().chain(cubic) {
                for noise in [Noise::Gaussian, Noise::Laplace, Noise::Mixture].map(Some) {
                    families.push(Family { location, affine: false, noise });
                    if location != Location::Linear {
                        families.push(Family { location, affine: true, noise });
                    }
                }
            }
        }
        if discrete.is_some() {
            families.extend(straight_or_curved().map(|location| Family {
                location,
                affine: false,
                noise: None,
            }));
        }
        let contestant = |family: Family| {
            let running = self.config.admits(&family, parents.is_empty());
            Contestant::new(family, running, self.rows())
        };
        families.into_iter().map(contestant).collect()
    }

    /// Fits probabilities of values on a fold, where the node has any.
    fn fit_masses(&self, contestants: &mut [Contestant], case: Case<'_>, fold: usize) {
        let Case { node, parents, part } = case;
        let Some(discrete) = &self.columns.discrete[node] else { return };
        let Fold { split, scored, .. } = &part.folds[fold];
        let fitted = &thinned(&part.folds[fold].fitted, self.config.most_fitted);
        let columns = self.by_split[*split].variables(parents);
        let inputs = |rows: &[usize]| Inputs::new(&columns, rows, Basis::Linear);
        let codes = |rows: &[usize]| -> Vec<usize> { rows.iter().map(|&row| discrete.codes[row]).collect() };
        let (train, test) = (inputs(fitted), inputs(scored));
        let masses = contestants.iter_mut().filter(|one| one.running && one.family.noise.is_none());
        for contestant in masses {
            let location = contestant.family.location;
            let mut rng =
                self.seed.indexed(&format!("local/masses/{node}/{parents:?}/{location:?}"), fold as u64);
            let effort = self.config.effort().of(location);
            let fit = MassFit::new(discrete.model, &train, &codes(fitted), &effort, &mut rng);
            let said = fit.held_out(&train, &test, &codes(scored));
            // Offsets are those of densities.
            let density = |(said, &row): (f64, &usize)| said - self.columns.offsets[node][row];
            contestant.hear(*split, scored, &said.into_iter().zip(scored).map(density).collect::<Vec<f64>>());
        }
    }
}
