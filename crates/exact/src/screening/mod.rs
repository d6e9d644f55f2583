//! Which columns are worth a look as causes of which, in tables with many columns.
//!
//! # Model
//! A cause shows in a linear regression on a few fixed functions of it, its features: in that of the effect, or in that of what such regressions leave of the effect. There it
//! shows in the size (Glejser 1969), if it moves the spread, or in the product with features of another cause, if it acts together with that one.
//! # Algorithm
//! 1. Features of each column that hardly depend on its units: normal score, cosines of the ranks, the value itself. Their inner products, once.
//! 2. For each column, forward selection from these products alone: the column whose features gain most beyond their price is taken, until none does. Then the same for the
//!    size of the residuals, and for the residuals times features of the columns that were taken first, whichever gains more.
//! 3. What one of two columns finds, both look at: the direction of an edge is for the scores to decide.
//! # Cost
//! For F features of n rows 2·n·F² operations and 8·F² bytes, once; for each column F·k² operations, k features being taken.
//! # Reference
//! Glejser: A new test for heteroskedasticity. JASA 64:316-323, 1969.

mod features;
mod forward;

use oslow_core::Result;
use oslow_math::cross_products;

use crate::columns::Columns;
use crate::work::{CHUNK, Work};
use features::Features;
use forward::{Forward, Gram, Target};

/// Most columns that are taken because they move a column, …
const MOST_MOVING: usize = 8;
/// … and because they move the size of what is left of it, or that together with one that was taken.
const MOST_SPREADING: usize = 6;
/// Columns taken first that others may act together with, and how many features of these stand for them.
const MOST_PARTNERS: usize = 4;
const PARTNER_FEATURES: usize = 2;
/// Rows of the matrix of inner products that are computed at once.
const BLOCK: usize = 128;
const STAGE: &str = "screening columns";

impl Work<'_> {
    /// Of the columns that each column may have as causes those that are worth a look, and what it must have, in increasing order; all that are allowed if somebody asked to stop.
    pub fn screen(
        &mut self,
        columns: &Columns,
        allowed: &[Vec<usize>],
        required: &[Vec<usize>],
    ) -> Result<Vec<Vec<usize>>> {
        let features = Features::new(columns);
        let blocks: Vec<usize> = (0..features.len()).step_by(BLOCK).collect();
        let row_length = features.rows;
        let block = |&first: &usize| {
            let last = (first + BLOCK).min(features.len());
            let some = &features.values[first * row_length..last * row_length];
            cross_products(some, &features.values, row_length)
        };
        let mut gram: Gram = Vec::with_capacity(features.len());
        for (_, products) in self.in_time(&blocks, block) {
            gram.extend(products.chunks_exact(features.len()).map(<[f64]>::to_vec));
        }
        let nodes: Vec<usize> = (0..allowed.len()).collect();
        let mut found: Vec<Vec<usize>> = Vec::new();
        for chunk in nodes.chunks(CHUNK) {
            if !self.stopped {
                let of =
                    |&node: &usize| worth_a_look(&features, &gram, node, &allowed[node], &required[node]);
                found.extend(self.in_time(chunk, of).into_iter().map(|(_, found)| found));
                self.report(STAGE, found.len(), nodes.len())?;
            }
        }
        Ok(if self.stopped { allowed.to_vec() } else { mutual(&found, allowed) })
    }
}

/// The columns that a column is worth being explained by, those first that it must be.
fn worth_a_look(
    features: &Features,
    gram: &Gram,
    node: usize,
    allowed: &[usize],
    required: &[usize],
) -> Vec<usize> {
    let mut forward = Forward::new(features, gram);
    let spoken: Vec<usize> = features.of_column[node].clone().take(features.spoken[node]).collect();
    let mut own = [spoken.iter().map(|&feature| forward.target(gram[feature].clone())).collect()];
    let mut found = required.to_vec();
    for &other in required {
        forward.take(&mut own, other, features.of_column[other].len());
    }
    let without = |found: &[usize]| -> Vec<usize> {
        allowed.iter().copied().filter(|other| !found.contains(other)).collect()
    };
    found.extend(forward.select(&mut own, &without(&found), MOST_MOVING));
    let mut more: Vec<Vec<f64>> = Vec::new();
    for (target, &feature) in own[0].iter().zip(&spoken).take(1) {
        let said = forward.predicted(target);
        let left: Vec<f64> =
            features.of(feature).iter().zip(said).map(|(value, said)| value - said).collect();
        more.extend(features.standard(left.iter().map(|left| left.abs()).collect()));
        for &cause in found.iter().take(MOST_PARTNERS) {
            for feature in features.of_column[cause].clone().take(PARTNER_FEATURES) {
                let product = left.iter().zip(features.of(feature)).map(|(left, value)| left * value);
                more.extend(features.standard(product.collect()));
            }
        }
    }
    let products = cross_products(&more.concat(), &features.values, features.rows);
    let of_row = |products: &[f64]| vec![forward.target(products.to_vec())];
    let mut groups: Vec<Vec<Target>> = products.chunks_exact(features.len()).map(of_row).collect();
    found.extend(forward.select(&mut groups, &without(&found), MOST_SPREADING));
    found
}

/// What was found and is allowed, either way; in increasing order.
fn mutual(found: &[Vec<usize>], allowed: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut either = found.to_vec();
    for (node, others) in found.iter().enumerate() {
        for &other in others.iter().filter(|&&other| allowed[other].contains(&node)) {
            either[other].push(node);
        }
    }
    for others in &mut either {
        others.sort_unstable();
        others.dedup();
    }
    either
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LocalConfig;
    use oslow_core::{Prepared, Preparing, Rng, Sample, Seed, Silent};
    use rand_distr::{Distribution, StandardNormal};

    fn columns(names: usize, rows: Vec<f64>) -> Columns {
        let names = (0..names).map(|j| format!("x{j}")).collect();
        let sample = Prepared::new(&Sample::new(names, rows).unwrap(), Preparing::default()).unwrap();
        Columns::new(&sample, &LocalConfig::default(), Seed(0))
    }

    fn draw(rng: &mut Rng) -> f64 {
        StandardNormal.sample(rng)
    }

    /// The sum of squares that a regression leaves of a target of length 1, by Gram and Schmidt on the rows themselves.
    fn left_by_rows(features: &Features, target: &[f64], columns: &[usize]) -> f64 {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut basis: Vec<Vec<f64>> = Vec::new();
        let mut rest = target.to_vec();
        for feature in columns.iter().flat_map(|&column| features.of_column[column].clone()) {
            let mut new = features.of(feature).to_vec();
            for _ in 0..2 {
                for known in &basis {
                    let along = dot(&new, known);
                    new.iter_mut().zip(known).for_each(|(value, part)| *value -= along * part);
                }
            }
            let length = dot(&new, &new).sqrt();
            new.iter_mut().for_each(|value| *value /= length);
            let along = dot(&rest, &new);
            rest.iter_mut().zip(&new).for_each(|(value, part)| *value -= along * part);
            basis.push(new);
        }
        dot(&rest, &rest)
    }

    #[test]
    fn the_residuals_are_those_of_least_squares() {
        let mut rng = Seed(1).stream("test");
        let rows = (0..200).flat_map(|_| {
            let [a, b, noise] = std::array::from_fn(|_| draw(&mut rng));
            [a, b + 0.5 * a, (1.5 * a).sin() + 0.3 * b * b + 0.2 * noise]
        });
        let features = Features::new(&columns(3, rows.collect()));
        let all = cross_products(&features.values, &features.values, features.rows);
        let gram: Gram = all.chunks_exact(features.len()).map(<[f64]>::to_vec).collect();
        let mut forward = Forward::new(&features, &gram);
        let feature = features.of_column[2].start;
        let mut targets = [vec![forward.target(gram[feature].clone())]];
        for (column, known) in [(0, vec![0]), (1, vec![0, 1])] {
            forward.take(&mut targets, column, features.of_column[column].len());
            let said = forward.predicted(&targets[0][0]);
            let left: f64 =
                features.of(feature).iter().zip(&said).map(|(value, said)| (value - said).powi(2)).sum();
            assert!((left - left_by_rows(&features, features.of(feature), &known)).abs() < 1e-8);
        }
    }

    #[test]
    fn causes_of_place_of_spread_and_of_both_together_are_found_and_few_others() {
        let mut rng = Seed(2).stream("test");
        let d = 40;
        let rows = (0..800).flat_map(|_| {
            let mut row: Vec<f64> = (0..d).map(|_| draw(&mut rng)).collect();
            let noise: [f64; 4] = std::array::from_fn(|_| draw(&mut rng));
            row[1] = (2.0 * row[0]).cos() + 0.5 * noise[0];
            row[3] = (0.7 * row[2]).exp() * noise[1];
            row[6] = row[4] * row[5] + 0.3 * noise[2];
            row[10] = (1.0 + row[7]) * (row[8] + row[9]) + noise[3];
            row
        });
        let columns = columns(d, rows.collect());
        let allowed: Vec<Vec<usize>> =
            (0..d).map(|node| (0..d).filter(|&other| other != node).collect()).collect();
        let (mut observer, mut checkpoint) = (Silent, oslow_core::ForgetfulCheckpoint);
        let watch = crate::Watch { observer: &mut observer, checkpoint: &mut checkpoint };
        let mut work = Work::resume(watch).unwrap();
        let mut required = vec![Vec::new(); d];
        required[20].push(30);
        let found = work.screen(&columns, &allowed, &required).unwrap();
        for (cause, effect) in [(0, 1), (2, 3), (4, 6), (5, 6), (7, 10), (8, 10), (9, 10), (30, 20)] {
            assert!(found[effect].contains(&cause) && found[cause].contains(&effect), "{cause} {effect}");
        }
        // Of 39 others few useless ones are taken; each shows at both ends.
        let taken: usize = found.iter().map(Vec::len).sum();
        assert!(taken < 20 * d, "{taken}");
    }

    #[test]
    fn what_is_found_one_way_is_looked_at_both_ways_where_it_is_allowed() {
        let allowed = [vec![1, 2], vec![0], vec![0, 1]];
        assert_eq!(mutual(&[vec![2, 1], vec![], vec![]], &allowed), [vec![1, 2], vec![0], vec![0]]);
        assert_eq!(mutual(&[vec![], vec![], vec![1]], &allowed), [vec![], vec![], vec![1]]);
    }
}
