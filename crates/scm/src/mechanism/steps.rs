//! Locations that jump.

use oslow_core::Rng;
use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use super::shaped::shaped;
use super::{MechanismEntry, ParentRows};
use crate::function::Function;

pub(crate) const ENTRY: MechanismEntry = MechanismEntry {
    name: "steps",
    summary: "t = one staircase of 3 to 6 levels per parent, summed and standardised; s = softplus(Σc'x + b')",
    standardized: true,
    draw: |spec, rows, rng| Ok(shaped(spec, rows, rng, Steps::draw)),
};

/// Σₖ hₖ(xₖ): hₖ jumps at random quantiles of the simulated rows, by a standard normal each time.
#[derive(Debug)]
struct Steps(Vec<Staircase>);

#[derive(Debug)]
struct Staircase {
    /// Where it jumps, ascending; one fewer than levels.
    cuts: Vec<f64>,
    levels: Vec<f64>,
}

impl Steps {
    fn draw(rows: &ParentRows, rng: &mut Rng) -> Self {
        let column = |k: usize| rows.iter().map(move |row| row[k]).collect();
        Self((0..rows.parents()).map(|k| Staircase::draw(column(k), rng)).collect())
    }
}

impl Staircase {
    fn draw(mut column: Vec<f64>, rng: &mut Rng) -> Self {
        let levels = rng.random_range(3..=6);
        column.sort_by(f64::total_cmp);
        let mut cuts: Vec<f64> =
            (1..levels).map(|_| quantile(&column, rng.random_range(0.05..0.95))).collect();
        cuts.sort_by(f64::total_cmp);
        let mut height = 0.0;
        let jump = |_| {
            let by: f64 = StandardNormal.sample(rng);
            height += by;
            height
        };
        Self { cuts, levels: (0..levels).map(jump).collect() }
    }

    fn at(&self, x: f64) -> f64 {
        self.levels[self.cuts.partition_point(|cut| *cut < x)]
    }
}

impl Function for Steps {
    fn at(&self, causes: &[f64]) -> f64 {
        self.0.iter().zip(causes).map(|(staircase, x)| staircase.at(*x)).sum()
    }
}

/// The p-quantile of sorted values, linear between them.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let place = p * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;
    use oslow_core::Seed;

    #[test]
    fn a_staircase_takes_its_levels_in_turn() {
        let staircase = Staircase { cuts: vec![-1.0, 0.5], levels: vec![3.0, 1.0, 2.0] };
        assert_eq!([-2.0, -1.0, 0.0, 0.5, 0.6].map(|x| staircase.at(x)), [3.0, 3.0, 1.0, 1.0, 2.0]);
    }

    #[test]
    fn drawn_staircases_have_3_to_6_levels_inside_the_rows() {
        let mut rng = Seed(1).stream("test");
        let column: Vec<f64> = (0..=100).map(f64::from).collect();
        let mut seen = [false; 7];
        for _ in 0..200 {
            let staircase = Staircase::draw(column.clone(), &mut rng);
            assert_eq!(staircase.cuts.len() + 1, staircase.levels.len());
            assert!(staircase.cuts.is_sorted() && staircase.cuts[0] >= 5.0);
            assert!(staircase.cuts.iter().all(|cut| *cut <= 95.0));
            seen[staircase.levels.len()] = true;
        }
        assert_eq!(seen, [false, false, false, true, true, true, true]);
    }
}
