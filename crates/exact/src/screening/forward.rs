//! Forward selection of columns by their features.

use oslow_core::check_stop;

use super::features::Features;

/// What is left of a feature, as a share of its square, once it counts as a function of those that were taken.
const LEFT: f64 = 1e-6;

/// What x is in the price of features.
const SURE: f64 = 2.0;

/// The inner products of all features, one row for each.
pub(super) type Gram = Vec<Vec<f64>>;

/// A regression that grows by one column after the other. Features that are taken span directions, and everything is kept as what is left beside these:
/// the steps of Cholesky's factorisation, with pivots as they are chosen.
pub(super) struct Forward<'a> {
    features: &'a Features,
    gram: &'a Gram,
    /// Along each direction, what each feature has.
    directions: Vec<Vec<f64>>,
    /// The features that span them.
    taken: Vec<usize>,
    /// By column, the inner products of what is left of its features: row by row of the lower triangle.
    left: Vec<Vec<f64>>,
}

/// What is to be explained.
pub(super) struct Target {
    /// Inner products of what is left of it with all features, …
    products: Vec<f64>,
    /// … and with itself.
    square: f64,
    /// What it has along each direction.
    along: Vec<f64>,
}

/// What the first features of a column gain beyond their price, in nats, all rows together.
struct Offer {
    gain: f64,
    count: usize,
}

impl<'a> Forward<'a> {
    /// A regression on nothing.
    pub fn new(features: &'a Features, gram: &'a Gram) -> Self {
        let left = |column: &std::ops::Range<usize>| {
            let start = column.start;
            column.clone().flat_map(|i| gram[i][start..=i].iter().copied()).collect()
        };
        let left = features.of_column.iter().map(left).collect();
        Self { features, gram, directions: Vec::new(), taken: Vec::new(), left }
    }

    /// A target of length 1 by its inner products with all features.
    pub fn target(&self, products: Vec<f64>) -> Target {
        let mut target = Target { products, square: 1.0, along: Vec::new() };
        (0..self.taken.len()).for_each(|k| self.explain(&mut target, k));
        target
    }

    /// Takes what direction `k` says from a target.
    fn explain(&self, target: &mut Target, k: usize) {
        let direction = &self.directions[k];
        let along = target.products[self.taken[k]] / direction[self.taken[k]];
        target.products.iter_mut().zip(direction).for_each(|(product, part)| *product -= along * part);
        target.square -= along * along;
        target.along.push(along);
    }

    /// Takes columns while one gains more than its price with one of the groups of targets, at most so many; those in `others` may be taken.
    pub fn select(&mut self, groups: &mut [Vec<Target>], others: &[usize], most: usize) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::new();
        while chosen.len() < most {
            check_stop();
            let open = others.iter().filter(|other| !chosen.contains(other));
            let with_each = |&other: &usize| {
                let offers = groups.iter().map(|targets| self.offer(targets, other));
                offers.max_by(|a, b| a.gain.total_cmp(&b.gain)).map(|offer| (offer, other))
            };
            let best = open.filter_map(with_each).max_by(|a, b| a.0.gain.total_cmp(&b.0.gain));
            let Some((Offer { count, .. }, column)) = best.filter(|(offer, _)| offer.gain > 0.0) else {
                break;
            };
            self.take(groups, column, count);
            chosen.push(column);
        }
        chosen
    }

    /// Takes the first features of a column.
    pub fn take(&mut self, groups: &mut [Vec<Target>], column: usize, count: usize) {
        for feature in self.features.of_column[column].clone().take(count) {
            let mut direction = self.gram[feature].clone();
            for earlier in &self.directions {
                let along = earlier[feature];
                direction.iter_mut().zip(earlier).for_each(|(value, part)| *value -= along * part);
            }
            let square = direction[feature];
            if square <= LEFT {
                continue;
            }
            let length = square.sqrt();
            direction.iter_mut().for_each(|value| *value /= length);
            for (column, left) in self.features.of_column.iter().zip(&mut self.left) {
                let parts = &direction[column.clone()];
                let pairs = (0..parts.len()).flat_map(|i| (0..=i).map(move |j| (i, j)));
                left.iter_mut().zip(pairs).for_each(|(left, (i, j))| *left -= parts[i] * parts[j]);
            }
            self.directions.push(direction);
            self.taken.push(feature);
            let last = self.taken.len() - 1;
            groups.iter_mut().flatten().for_each(|target| self.explain(target, last));
        }
    }

    /// What a column gains at best: with its first feature, its first two, and so on.
    fn offer(&self, targets: &[Target], column: usize) -> Offer {
        let features = self.features.of_column[column].clone();
        let (start, left) = (features.start, &self.left[column]);
        let mut best = Offer { gain: f64::NEG_INFINITY, count: 0 };
        // Rows of the factor of what is left of the features; what each target has along them, and what they explain of it.
        let mut factor: Vec<Vec<f64>> = Vec::with_capacity(features.len());
        let mut along = vec![Vec::with_capacity(features.len()); targets.len()];
        let mut explained = vec![0.0; targets.len()];
        for i in 0..features.len() {
            let left = &left[i * (i + 1) / 2..];
            let mut row: Vec<f64> = Vec::with_capacity(i + 1);
            for (j, earlier) in factor.iter().enumerate() {
                let known: f64 = row.iter().zip(earlier).map(|(a, b)| a * b).sum();
                row.push(if earlier[j] > 0.0 { (left[j] - known) / earlier[j] } else { 0.0 });
            }
            let square = left[i] - row.iter().map(|value| value * value).sum::<f64>();
            row.push(if square > LEFT { square.sqrt() } else { 0.0 });
            for ((target, along), explained) in targets.iter().zip(&mut along).zip(&mut explained) {
                let known: f64 = row.iter().zip(along.iter()).map(|(a, b)| a * b).sum();
                let new = if row[i] > 0.0 { (target.products[start + i] - known) / row[i] } else { 0.0 };
                along.push(new);
                *explained += new * new;
            }
            factor.push(row);
            let logarithms = targets
                .iter()
                .zip(&explained)
                .map(|(target, explained)| (1.0 - explained / target.square.max(LEFT)).max(LEFT).ln());
            let free = self.features.rows.saturating_sub(self.taken.len() + i + 1);
            let gain = -0.5 * free as f64 * logarithms.sum::<f64>();
            let gain = gain - price((i + 1) * targets.len());
            if gain > best.gain {
                best = Offer { gain, count: i + 1 };
            }
        }
        best
    }

    /// What the regression says of a target, row by row.
    pub fn predicted(&self, target: &Target) -> Vec<f64> {
        // Directions are sums of features; back to these by the triangular system.
        let mut weights = target.along.clone();
        for k in (0..weights.len()).rev() {
            weights[k] /= self.directions[k][self.taken[k]];
            let weight = weights[k];
            for (earlier, direction) in weights[..k].iter_mut().zip(&self.directions) {
                *earlier -= weight * direction[self.taken[k]];
            }
        }
        let mut predicted = vec![0.0; self.features.rows];
        for (weight, &feature) in weights.iter().zip(&self.taken) {
            let values = self.features.of(feature);
            predicted.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
        }
        predicted
    }
}

/// What m features of a column must gain, in nats, all rows together: useless ones gain half of a χ² with m degrees of freedom, which is more than
/// (m + 2√(mx) + 2x)/2 with a probability of at most e⁻ˣ (Laurent and Massart 2000). [`SURE`] is small: a useless column that is looked at costs time, and a cause that is
/// left out is lost.
fn price(features: usize) -> f64 {
    let m = features as f64;
    0.5 * m + (m * SURE).sqrt() + SURE
}
