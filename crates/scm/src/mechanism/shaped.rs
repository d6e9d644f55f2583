//! Mechanisms whose location is one drawn function of the causes.
//!
//! t(causes) is the function, standardised to mean 0 and variance 1 over the simulated rows;
//! s = softplus(Σc'x + b') as in the parametric mechanisms, or 1 where `additive` says so. A root is noise alone.

use oslow_core::{Result, Rng};

use super::root::Root;
use super::{LocationScale, Mechanism, ParentRows};
use crate::Spec;
use crate::combination::Scale;
use crate::function::{Function, Standard};

#[derive(Debug)]
struct Shaped<F> {
    location: Standard<F>,
    scale: Scale,
}

/// The mechanism of one node with the function that `draw` makes of the rows.
pub(crate) fn shaped<F: Function + 'static>(
    spec: &Spec,
    rows: &ParentRows,
    rng: &mut Rng,
    draw: impl FnOnce(&ParentRows, &mut Rng) -> F,
) -> Box<dyn Mechanism> {
    if rows.parents() == 0 {
        return Box::new(Root);
    }
    let location = Standard::over(draw(rows, rng), rows);
    Box::new(Shaped { location, scale: Scale::draw(spec, rows.parents(), rng) })
}

impl<F: Function> Mechanism for Shaped<F> {
    fn evaluate(&self, parents: &ParentRows) -> Result<Vec<LocationScale>> {
        let at = |row| LocationScale { location: self.location.at(row), scale: self.scale.at(row) };
        Ok(parents.iter().map(at).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::unit::mean_and_sd;
    use crate::{MECHANISMS, ParentRows, Spec};
    use oslow_core::Seed;
    use rand_distr::{Distribution, StandardNormal};

    #[test]
    fn locations_are_finite_with_mean_0_and_variance_1_also_far_from_the_rows() {
        let shaped = ["mlp", "fourier", "steps", "sigmoids", "cubics", "sines"];
        for entry in MECHANISMS.iter().filter(|entry| shaped.contains(&entry.name)) {
            for seed in 0..20 {
                let mut rng = Seed(seed).stream("test");
                let table: Vec<f64> = (0..600).map(|_| StandardNormal.sample(&mut rng)).collect();
                let rows = ParentRows::of(&table, 3, &[0, 1, 2][..1 + seed as usize % 3]);
                let mechanism = (entry.draw)(&Spec::default(), &rows, &mut rng).unwrap();
                let moments = mechanism.evaluate(&rows).unwrap();
                let locations: Vec<f64> = moments.iter().map(|at| at.location).collect();
                let (mean, sd) = mean_and_sd(&locations);
                assert!(mean.abs() < 1e-10 && (sd - 1.0).abs() < 1e-10, "{}: {mean}, {sd}", entry.name);
                assert!(moments.iter().all(|at| at.scale > 0.0 && at.scale.is_finite()));
                let far = ParentRows::of(&table.iter().map(|x| 30.0 * x).collect::<Vec<_>>(), 3, &[0, 1, 2]);
                let far = if rows.parents() == 3 { far } else { rows };
                assert!(mechanism.evaluate(&far).unwrap().iter().all(|at| at.location.is_finite()));
            }
        }
    }
}
